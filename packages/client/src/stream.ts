import { Deadline } from './deadline.ts'
import { MayflyError } from './errors.ts'
import type { Http } from './http.ts'
import type { Email } from './wire.ts'

export type StreamItem = { email: Email } | { after: string; missedBefore: string }

/** The path of the stream of all mail, which is the operator's. */
export const ALL_MAIL_STREAM = '/api/sse'
/** The service sends a comment every 15 s, so a connection that is silent for longer is dead. */
const SILENCE_MS = 45_000
/** How long a service may take to restart. */
const RETURN_MS = 60_000

/**
 * The events of a stream, by its path (HTML standard, section 9.2, as far as this service uses it). Resumes
 * with the last id after each broken connection.
 * @throws MayflyError when the service refuses or stays unavailable
 */
export async function* readStream(
  http: Http,
  path: string,
  since: string,
  signal: AbortSignal | undefined,
  silenceMs = SILENCE_MS,
): AsyncGenerator<StreamItem, void> {
  let last = since
  let retryMs = 2000
  for (;;) {
    const connection = new Connection(signal, silenceMs)
    try {
      const call = {
        path,
        open: path !== ALL_MAIL_STREAM,
        headers: { 'Last-Event-ID': last },
        signal: connection.signal,
      }
      const { body } = await http.stream(call, new Deadline(RETURN_MS, connection.signal))
      for await (const { field, value } of fields(body, () => connection.extend())) {
        if (field === 'retry') retryMs = Number(value)
        if (field !== 'data') continue
        const event = JSON.parse(value) as { type: string; email: Email; missed_before: string }
        if (event.type === 'gap') yield { after: last, missedBefore: event.missed_before }
        // A service with several streams may repeat an event after a reconnect.
        if (event.type !== 'new-email' || event.email.id <= last) continue
        last = event.email.id
        yield { email: event.email }
      }
    } catch (error) {
      if (error instanceof MayflyError) throw error
    } finally {
      connection.close()
    }
    await new Deadline(Number.POSITIVE_INFINITY, signal).sleep(retryMs)
  }
}

/** Ends a connection that is silent for too long. */
class Connection {
  readonly #controller = new AbortController()
  readonly #silenceMs: number
  readonly signal: AbortSignal
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(caller: AbortSignal | undefined, silenceMs: number) {
    const { signal } = this.#controller
    this.signal = caller === undefined ? signal : AbortSignal.any([caller, signal])
    this.#silenceMs = silenceMs
    this.extend()
  }

  /** To be called whenever bytes arrive. */
  extend(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#controller.abort(), this.#silenceMs)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#controller.abort()
  }
}

/**
 * The lines of a stream as fields. The id precedes its data, and each event here has one line of
 * data. Values keep blanks around them, which JSON and numbers may have.
 */
async function* fields(body: ReadableStream<Uint8Array> | null, received: () => void) {
  const decoder = new TextDecoder()
  const reader = body!.getReader()
  let text = ''
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    received()
    text += decoder.decode(chunk.value, { stream: true })
    const lines = text.split('\n')
    text = lines.pop()!
    for (const line of lines) {
      const [field, ...value] = line.split(':')
      yield { field, value: value.join(':') }
    }
  }
}
