import { METRICS } from '../adapters/aws/env.ts'
import { MINUTE_MS, SECOND_MS } from '../core/limits.ts'

const SAMPLE_MS = 5 * SECOND_MS
const METRICS_MS = MINUTE_MS
/** A reader that is this much behind, or has not read for so long, is late for everybody. */
const LAG_MAX_MS = MINUTE_MS

export interface Watched {
  reader: { lag(): { recordMs: number; readMs: number } }
  live: { readonly count: number }
  stackName: string
  clock?: () => number
  /** Writes one line of the log. */
  write?: (line: string) => void
}

/**
 * Whether the task lives, for the load balancer, and whether its reader keeps up, for CloudWatch as a metric, which
 * it takes from the log (docs.aws.amazon.com/AmazonCloudWatch, Embedded Metric Format specification).
 *
 * A reader that is late is no reason to replace the task. When the table's stream comes to a halt it does so for all
 * tasks: replacing them would end every stream and mend nothing, while streams that stay open have their emails as
 * soon as it goes on. Who replaces the task for it is the operator, whom the alarm on the metric calls.
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

  /** For the health check of the load balancer: a task whose process answers lives, until it stops. */
  answer(): Response {
    const body = { healthy: !this.#stopping, late: this.#lag > LAG_MAX_MS, reader_lag_ms: this.#lag }
    return Response.json(body, { status: body.healthy ? 200 : 503 })
  }

  stop(): void {
    this.#stopping = true
    for (const timer of this.#timers) clearInterval(timer)
  }
}
