/** The fields of one object; what is wrong with them is gathered under their full name. */
export class Fields {
  readonly #fields: Record<string, unknown>
  readonly #path: string
  readonly #faults: string[]
  readonly #known = new Set<string>()

  constructor(input: unknown, path: string, faults: string[]) {
    const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
    this.#fields = isObject ? (input as Record<string, unknown>) : {}
    this.#path = path
    this.#faults = faults
    if (!isObject) this.fault('must be an object')
  }

  fault(text: string): void {
    this.#faults.push(`${this.#path || 'the configuration'} ${text}`)
  }

  value(name: string): unknown {
    this.#known.add(name)
    return this.#fields[name]
  }

  text(name: string, pattern: RegExp, meaning: string, fallback?: string): string {
    const value = this.value(name) ?? fallback
    if (typeof value === 'string' && pattern.test(value)) return value
    this.#faults.push(`${this.#name(name)} must be ${meaning}${shown(value)}`)
    return ''
  }

  optionalText(name: string, pattern: RegExp, meaning: string): string | undefined {
    return this.value(name) === undefined ? undefined : this.text(name, pattern, meaning)
  }

  optionalNumber(name: string): number | undefined {
    return this.#optional(name, (value) => typeof value === 'number' && value >= 0, 'a number') as
      | number
      | undefined
  }

  optionalFlag(name: string): boolean | undefined {
    return this.#optional(name, (value) => typeof value === 'boolean', 'true or false') as boolean | undefined
  }

  optionalTexts(name: string): string[] | undefined {
    const isTexts = (value: unknown) =>
      Array.isArray(value) && value.every((item) => typeof item === 'string')
    return this.#optional(name, isTexts, 'a list of texts') as string[] | undefined
  }

  object(name: string): Fields {
    return new Fields(this.value(name) ?? {}, this.#name(name), this.#faults)
  }

  optionalObject(name: string): Fields | undefined {
    return this.value(name) === undefined ? undefined : this.object(name)
  }

  list(name: string): Fields[] {
    const value = this.value(name) ?? []
    if (Array.isArray(value)) {
      return value.map((item, i) => new Fields(item, `${this.#name(name)}[${i}]`, this.#faults))
    }
    this.#faults.push(`${this.#name(name)} must be a list`)
    return []
  }

  /** To be called when every field was asked for: one that nobody knows is a misspelt one. */
  end(): void {
    for (const name of Object.keys(this.#fields)) {
      if (!this.#known.has(name)) this.#faults.push(`${this.#name(name)} is not a field of the configuration`)
    }
  }

  #optional(name: string, isRight: (value: unknown) => boolean, meaning: string): unknown {
    const value = this.value(name)
    if (value === undefined || isRight(value)) return value
    this.#faults.push(`${this.#name(name)} must be ${meaning}${shown(value)}`)
    return undefined
  }

  #name(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`
  }
}

function shown(value: unknown): string {
  return value === undefined ? '' : `, not ${JSON.stringify(value)}`
}
