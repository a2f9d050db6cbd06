import { EventSource, type FetchLike } from 'eventsource'
import { eventually } from './eventually.ts'

export interface StreamEvent {
  id: string
  type: string
  data: { type: string; domain?: string; email?: Record<string, unknown>; missed_before?: string }
}

export interface OpenStream {
  events: StreamEvent[]
  /**
   * Resolves when this many events have arrived.
   * @throws Error at once if the server has refused the stream
   */
  until(count: number): Promise<StreamEvent[]>
  /** Resolves with the status when the server refuses. */
  refused: Promise<number | undefined>
  /** How often the connection ended, so that the client connected again. */
  readonly breaks: number
  close(): void
}

/** A real EventSource; resolves when the stream is open or refused. */
export async function openStream(url: string, headers: Record<string, string> = {}): Promise<OpenStream> {
  const events: StreamEvent[] = []
  const refused = Promise.withResolvers<number | undefined>()
  const source = new EventSource(url, { fetch: resuming(headers) })
  let isOpened = false
  let breaks = 0
  let refusal: string | undefined
  source.onopen = () => {
    isOpened = true
  }
  source.onerror = ({ code, message }) => {
    if (source.readyState !== EventSource.CLOSED) {
      breaks++
      return
    }
    refusal = message
    refused.resolve(code)
  }
  source.onmessage = (message) => {
    events.push({ id: message.lastEventId, type: message.type, data: JSON.parse(message.data) })
  }
  await eventually(`an answer of ${url}`, () => isOpened || refusal !== undefined)
  return {
    events,
    async until(count) {
      await eventually(
        `${count} events of ${url}`,
        () => events,
        ({ length }) => length >= count || refusal !== undefined,
      )
      if (events.length < count) throw new Error(`${url} has ${events.length} of ${count} events: ${refusal}`)
      return events
    },
    refused: refused.promise,
    get breaks() {
      return breaks
    },
    close: () => source.close(),
  }
}

/**
 * Returns a `fetch` for one EventSource, with which it misses no event.
 *
 * - The service begins a stream with an id without data. By the HTML standard (9.2.6) this is the
 *   last event id from then on, and browsers keep it. The package drops it, so a stream that broke
 *   before its first event would miss emails.
 * - A 503 counts as a broken connection, because a service on a busy machine may need longer for
 *   its store than it waits. The SDKs retry then as well; a browser does not.
 */
export function resuming(headers: Record<string, string> = {}): FetchLike {
  let first: Record<string, string> = {}
  return async (input, init) => {
    const response = await fetch(input, { ...init, headers: { ...headers, ...first, ...init.headers } })
    if (response.body === null) return response
    if (response.status === 503) throw new Error(`503: ${await response.text()}`)
    let beginning: string | undefined = ''
    const decoder = new TextDecoder()
    const reading = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk)
        if (beginning === undefined) return
        beginning += decoder.decode(chunk, { stream: true })
        if (!beginning.includes('\n\n')) return
        const id = /^id: (.+)$/m.exec(beginning)?.[1]
        if (id !== undefined) first = { 'Last-Event-ID': id }
        beginning = undefined
      },
    })
    const { url, status, redirected } = response
    return { body: response.body.pipeThrough(reading), url, status, redirected, headers: response.headers }
  }
}
