import { METRICS } from '../adapters/aws/env.ts'
import { MINUTE_MS, SECOND_MS } from '../core/limits.ts'

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
 * behind, as a metric in the log (docs.aws.amazon.com/AmazonCloudWatch, Embedded Metric Format
 * specification).
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
    this.#watched = { clock: Date.now, write: (line) => console.log(line), ...watched }
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
    const metrics = [
      { Name: METRICS.readerLag, Unit: 'Milliseconds' },
      { Name: METRICS.openStreams, Unit: 'Count' },
    ]
    write(
      JSON.stringify({
        _aws: {
          Timestamp: clock(),
          CloudWatchMetrics: [
            { Namespace: METRICS.namespace, Dimensions: [[METRICS.dimension]], Metrics: metrics },
          ],
        },
        [METRICS.dimension]: stackName,
        [METRICS.readerLag]: this.#worst,
        [METRICS.openStreams]: live.count,
      }),
    )
    this.#worst = 0
  }

  /** Answers the load balancer's health check: healthy until the service stops. */
  answer(): Response {
    const body = { healthy: !this.#stopping, late: this.#lag > LAG_MAX_MS, reader_lag_ms: this.#lag }
    return Response.json(body, { status: body.healthy ? 200 : 503 })
  }

  stop(): void {
    this.#stopping = true
    for (const timer of this.#timers) clearInterval(timer)
  }
}
