/** Sends one request at a time, and reads its whole answer. */
import { serveParent } from '../support/calls.ts'

serveParent({
  async get(url: string): Promise<number> {
    const answer = await fetch(url)
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
    return (await answer.arrayBuffer()).byteLength
  },
})
