import type { Counter } from 'prom-client'

/** What a scrape reads from the service. */
export interface MetricValues {
  received: number
  receivedBytes: number
  /** Recipients, senders and messages, by the way in. */
  refused: { smtp: number; send_api: number }
  storedBytes: number
  /** Open streams. */
  streams: number
  /** Open waits. */
  waits: number
}

export interface Metrics {
  /** Counts an answered request. */
  answered(status: number): void
  /** Returns the metrics in the OpenMetrics text format, and its media type. */
  scrape(): Promise<{ text: string; contentType: string }>
}

/** Returns the metrics of a service (contract: Requests, GET /metrics). */
export function createMetrics(read: () => Promise<MetricValues>): Metrics {
  const answers = new Map<number, number>()
  let writing: Promise<Write> | undefined
  return {
    answered(status) {
      answers.set(status, (answers.get(status) ?? 0) + 1)
    },
    async scrape() {
      writing ??= writer()
      return (await writing)(await read(), answers)
    },
  }
}

type Write = (
  values: MetricValues,
  answers: ReadonlyMap<number, number>,
) => Promise<{ text: string; contentType: string }>

/** Loads the library, which takes 30 ms, when a monitor asks for the first time. */
async function writer(): Promise<Write> {
  const { Counter, Gauge, Registry } = await import('prom-client')
  const registry = new Registry<typeof Registry.OPENMETRICS_CONTENT_TYPE>()
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  const registers = [registry]
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name, help, labelNames, registers })
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const received = counter('mayfly_mails_received', 'Messages that were accepted')
  const bytes = counter('mayfly_received_bytes', 'Bytes of the messages that were accepted')
  const refused = counter('mayfly_refused', 'Recipients, senders and messages that were refused', ['way'])
  const stored = gauge('mayfly_stored_bytes', 'Bytes that the database uses')
  const streams = gauge('mayfly_streams', 'Open streams')
  const waits = gauge('mayfly_waits', 'Requests that wait for mail')
  const requests = counter('mayfly_http_requests', 'Answered requests', ['status'])
  const set = (to: Counter, value: number, labels = {}) => {
    to.remove(labels)
    to.inc(labels, value)
  }
  return async (values, answers) => {
    set(received, values.received)
    set(bytes, values.receivedBytes)
    for (const [way, count] of Object.entries(values.refused)) set(refused, count, { way })
    stored.set(values.storedBytes)
    streams.set(values.streams)
    waits.set(values.waits)
    for (const [status, count] of answers) set(requests, count, { status: String(status) })
    return { text: await registry.metrics(), contentType: registry.contentType }
  }
}
