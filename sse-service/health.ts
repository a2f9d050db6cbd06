import { METRICS } from '../adapters/aws/env.ts'
import { MINUTE_MS, SECOND_MS } from '../core/limits.ts'

const SAMPLE_MS = 5 * SECOND_MS
const METRICS_MS = MINUTE_MS
/** A reader that is this much behind, or has not read for so long, serves nobody. */
const LAG_MAX_MS = MINUTE_MS

export interface Watched {
  reader: { lag(): { record_ms: number; read_ms: number } }
  live: { readonly count: number }
  stackName: string
  clock?: () => number
  /** Writes one line of the log. */
  write?: (line: string) => void
}

/**
 * Whether the stream reader keeps up: for the load balancer as an answer, for CloudWatch as a metric, which it
 * takes from the log (docs.aws.amazon.com/AmazonCloudWatch, Embedded Metric Format specification).
 */
export class Health {
  readonly #watched: Required<Watched>
  readonly #timers: NodeJS.Timeout[]
  /** The worst lag of the latest sample, and since metrics were written. */
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

  /** Asking the reader resets what it tells, so that only this asks it. */
  sample(): void {
    const { record_ms, read_ms } = this.#watched.reader.lag()
    this.#lag = Math.max(record_ms, read_ms)
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

  /** For the health check of the load balancer. */
  answer(): Response {
    const healthy = !this.#stopping && this.#lag <= LAG_MAX_MS
    return Response.json({ healthy, reader_lag_ms: this.#lag }, { status: healthy ? 200 : 503 })
  }

  stop(): void {
    this.#stopping = true
    for (const timer of this.#timers) clearInterval(timer)
  }
}
