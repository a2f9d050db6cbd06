import { MINUTE_MS, SECOND_MS } from '../core/limits.ts'
import { writeLine } from '../service/aws-log.ts'
import { writeOwnMetrics } from '../service/own-metrics.ts'

const SAMPLE_MS = 5 * SECOND_MS
const METRICS_MS = MINUTE_MS
/** A reader that is this far behind, or has not read for this long, is late. */
const LAG_MAX_MS = MINUTE_MS

export interface Watched {
  reader: { lag(): { recordMs: number; readMs: number } }
  live: { readonly count: number }
  stackName: string
  clock?: () => number
  /** Writes a line to the log. */
  write?: (line: string) => void
}

/**
 * Reports to the load balancer whether the task runs, and to CloudWatch how far its reader is
 * behind, as a metric in the log.
 *
 * A late reader does not make the task unhealthy. When the table's stream stops, it stops for all
 * tasks: replacing them would end every stream and fix nothing, while open streams receive their
 * emails as soon as it continues. An alarm on the metric tells the operator, who decides.
 */
export class Health {
  readonly #watched: Required<Watched>
  readonly #timers: NodeJS.Timeout[]
  /** The lag of the latest sample, and the maximum since metrics were last written. */
  #lag = 0
  #worst = 0
  #stopping = false

  constructor(watched: Watched) {
    this.#watched = { clock: Date.now, write: writeLine, ...watched }
    this.#timers = [
      setInterval(() => this.sample(), SAMPLE_MS).unref(),
      setInterval(() => this.writeMetrics(), METRICS_MS).unref(),
    ]
  }

  /** Only this method may read the lag, because reading resets it. */
  sample(): void {
    const { recordMs, readMs } = this.#watched.reader.lag()
    this.#lag = Math.max(recordMs, readMs)
    this.#worst = Math.max(this.#worst, this.#lag)
  }

  writeMetrics(): void {
    const { clock, live, stackName, write } = this.#watched
    writeOwnMetrics({ readerLag: this.#worst, openStreams: live.count }, { stackName, now: clock(), write })
    this.#worst = 0
  }

  /** Answers the load balancer's health check: healthy until the service stops. */
  answer(): Response {
    const body = { healthy: !this.#stopping, late: this.#lag > LAG_MAX_MS, reader_lag_ms: this.#lag }
    return Response.json(body, { status: body.healthy ? 200 : 503 })
  }

  /**
   * Writes a last metric without streams, because they end now: the alarm on a missing lag counts
   * only tasks with open streams.
   */
  stop(): void {
    const { clock, stackName, write } = this.#watched
    this.#stopping = true
    for (const timer of this.#timers) clearInterval(timer)
    writeOwnMetrics({ readerLag: this.#worst, openStreams: 0 }, { stackName, now: clock(), write })
  }
}
