/** Sends requests with JSON bodies, all at once, and returns the status of each. */
import { serveParent } from '../support/calls.ts'

/** The text for which `FILLED` is written in a body; it is made here, because a parent would take time to send it. */
export interface Filling {
  piece: string
  times: number
}

serveParent({
  async post(url: string, body: string, { piece, times }: Filling, count: number): Promise<number[]> {
    const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer x' }
    const whole = body.replace('FILLED', piece.repeat(times))
    const requests = Array.from({ length: count }, () => fetch(url, { method: 'POST', headers, body: whole }))
    return (await Promise.all(requests)).map(({ status }) => status)
  },
})
