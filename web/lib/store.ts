import { useLayoutEffect, useReducer } from 'preact/hooks'

/** State outside of components. Components that use it are drawn again after `changed()`. */
export class Store {
  readonly #listeners = new Set<() => void>()

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  protected changed(): void {
    for (const listener of this.#listeners) listener()
  }
}

export function useStore<S extends Store>(store: S): S {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  useLayoutEffect(() => store.subscribe(() => draw(undefined as never)), [store])
  return store
}
