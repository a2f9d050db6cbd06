/**
 * Calls `work` for each item, `window` at a time, and returns the results in order. Stops at a
 * failure.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  window: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  let failed = false
  const worker = async () => {
    while (next < items.length && !failed) {
      const index = next++
      try {
        results[index] = await work(items[index]!)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const workers = Array.from({ length: Math.min(window, items.length) }, worker)
  // Work that has begun ends before this rejects, so that nothing continues behind the caller.
  const ends = await Promise.allSettled(workers)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return results
}

/**
 * Runs work in sequence if it shares a name, and in parallel otherwise. All names of one piece of
 * work are taken at once, so two pieces never wait for each other.
 */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>()

  async run<R>(names: readonly string[], work: () => Promise<R>): Promise<R> {
    const before = names.map((name) => this.#last.get(name))
    const turn = Promise.allSettled(before).then(() => work())
    for (const name of names) this.#last.set(name, turn)
    try {
      return await turn
    } finally {
      for (const name of names) if (this.#last.get(name) === turn) this.#last.delete(name)
    }
  }
}
