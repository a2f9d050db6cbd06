/** The browser's storage. If storage is switched off, values are kept in memory until the page is closed. */
export class BrowserStorage {
  readonly #storage: Storage | undefined
  readonly #memory = new Map<string, string>()

  constructor(area: 'localStorage' | 'sessionStorage') {
    try {
      this.#storage = globalThis[area]
    } catch {
      this.#storage = undefined
    }
  }

  get(name: string): string | undefined {
    try {
      return this.#storage?.getItem(name) ?? this.#memory.get(name)
    } catch {
      return this.#memory.get(name)
    }
  }

  set(name: string, value: string): void {
    this.#memory.set(name, value)
    try {
      this.#storage?.setItem(name, value)
    } catch {
      // The storage is full or forbidden; memory has the value.
    }
  }

  remove(name: string): void {
    this.#memory.delete(name)
    try {
      this.#storage?.removeItem(name)
    } catch {
      // The storage is forbidden, so it never held the value.
    }
  }
}
