/**
 * Followers by topic. Most topics have one follower, and a Set for it would be most of the memory.
 */
export class Topics<T extends object> {
  readonly #followers = new Map<string, T | Set<T>>()

  /** Returns a function that removes the follower, which may be called more than once. */
  enter(name: string, follower: T): () => void {
    const others = this.#followers.get(name)
    if (others === undefined) this.#followers.set(name, follower)
    else if (others instanceof Set) others.add(follower)
    else this.#followers.set(name, new Set([others, follower]))
    return () => this.#leave(name, follower)
  }

  has(name: string): boolean {
    return this.#followers.has(name)
  }

  /** The followers of a topic. One may leave during the iteration. */
  of(name: string): Iterable<T> {
    const followers = this.#followers.get(name)
    if (followers === undefined) return []
    return followers instanceof Set ? followers : [followers]
  }

  names(): Iterable<string> {
    return this.#followers.keys()
  }

  /** Every topic with a copy of its followers. */
  *all(): Iterable<[string, T[]]> {
    for (const name of [...this.#followers.keys()]) yield [name, [...this.of(name)]]
  }

  #leave(name: string, follower: T): void {
    const followers = this.#followers.get(name)
    if (followers === follower) this.#followers.delete(name)
    else if (followers instanceof Set && followers.delete(follower) && followers.size === 0) {
      this.#followers.delete(name)
    }
  }
}
