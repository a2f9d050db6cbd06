import { type Follow, Live } from '../core/events/live.ts'
import type { Sink } from '../core/events/sink.ts'
import { SECOND_MS } from '../core/limits.ts'

/** Clients of streams that end at their maximum age reconnect within this time. */
const RECONNECT_MS = 5 * SECOND_MS

/**
 * Live delivery whose streams end after a maximum age. Lambda cuts off the response of a web
 * function at its time-out in the middle of an event; a stream that ends before that sends
 * `retry:`, and the client resumes.
 */
export class ShortStreams extends Live {
  #maxMs = Number.POSITIVE_INFINITY

  /** @param maxMs the maximum age of a stream; Infinity for none */
  limitTo(maxMs: number): this {
    this.#maxMs = maxMs
    return this
  }

  override follow(follow: Follow, sink: Sink): () => void {
    if (this.#maxMs === Number.POSITIVE_INFINITY) return super.follow(follow, sink)
    let timer: NodeJS.Timeout | undefined
    const close = super.follow(
      follow,
      notingEnd(sink, () => clearTimeout(timer)),
    )
    timer = setTimeout(() => {
      close()
      sink.end('stopping', RECONNECT_MS)
    }, this.#maxMs).unref()
    return () => {
      clearTimeout(timer)
      close()
    }
  }
}

/** Returns the same sink, whose end also calls `ended`. */
function notingEnd(sink: Sink, ended: () => void): Sink {
  return {
    email: (event) => sink.email(event),
    change: (event) => sink.change?.(event),
    gap: (missedBefore) => sink.gap(missedBefore),
    ready: () => sink.ready(),
    end: (reason, withinMs) => {
      ended()
      sink.end(reason, withinMs)
    },
  }
}
