/** The browser's storage, or memory where it is switched off: the page then works until it is closed. */
export class Kept {
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
      // Full or forbidden: memory has it.
    }
  }

  remove(name: string): void {
    this.#memory.delete(name)
    try {
      this.#storage?.removeItem(name)
    } catch {
      // Forbidden: it was never there.
    }
  }
}
