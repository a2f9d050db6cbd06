import { Deadline } from './deadline.ts'
import { MayflyError } from './errors.ts'
import type { Http } from './http.ts'
import type { Email } from './wire.ts'

export type StreamItem = { email: Email } | { after: string; missedBefore: string }

/** The service sends a comment every 15 s, so one that is silent for longer is gone. */
const SILENCE_MS = 45_000
/** A service that restarts may take so long. */
const RETURN_MS = 60_000

/**
 * The events of an address (HTML standard, section 9.2, as far as this service uses it), resumed after each break
 * with the last id. @throws MayflyError when the service refuses, or does not come back
 */
export async function* readStream(
  http: Http,
  address: string,
  since: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamItem, void> {
  let last = since
  let retryMs = 2000
  for (;;) {
    const connection = new AbortController()
    const caller = signal === undefined ? connection.signal : AbortSignal.any([signal, connection.signal])
    let timer: ReturnType<typeof setTimeout> | undefined
    const heard = () => {
      clearTimeout(timer)
      timer = setTimeout(() => connection.abort(new Error('silent')), SILENCE_MS)
    }
    try {
      const call = {
        path: `/api/sse/${encodeURIComponent(address)}`,
        headers: { 'Last-Event-ID': last },
        signal: caller,
      }
      heard()
      const response = await http.stream(call, new Deadline(RETURN_MS, caller))
      for await (const { field, value } of fields(response.body!, heard)) {
        if (field === 'retry') retryMs = Number(value)
        if (field !== 'data') continue
        const event = JSON.parse(value) as { type: string; email: Email; missed_before: string }
        if (event.type === 'gap') yield { after: last, missedBefore: event.missed_before }
        if (event.type !== 'new-email' || event.email.id <= last) continue
        last = event.email.id
        yield { email: event.email }
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof MayflyError) throw error
    } finally {
      clearTimeout(timer)
      connection.abort()
    }
    await new Deadline(Number.POSITIVE_INFINITY, signal).sleep(retryMs)
  }
}

/** The lines of a stream as fields. An id comes before its data, and each event here is a single line of it. */
async function* fields(body: ReadableStream<Uint8Array>, heard: () => void) {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    heard()
    text += decoder.decode(chunk.value, { stream: true })
    const lines = text.split('\n')
    text = lines.pop()!
    for (const line of lines) {
      const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line.trimEnd()) ?? []
      yield { field, value }
    }
  }
}
