/** The fields of one JSON object. Faults are collected under the full name of the field. */
export class Fields {
  readonly #fields: Record<string, unknown>
  readonly #path: string
  readonly #faults: string[]
  /** A fault says that the input is no object; its fields are no further faults. */
  readonly #isObject: boolean
  readonly #known = new Set<string>()

  constructor(input: unknown, path: string, faults: string[]) {
    const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
    this.#fields = isObject ? (input as Record<string, unknown>) : {}
    this.#path = path
    this.#faults = faults
    this.#isObject = isObject
    if (!isObject) this.fault(' must be an object')
  }

  /** @param text follows the full name of this object directly */
  fault(text: string): void {
    this.#faults.push(`${this.#path || 'the configuration'}${text}`)
  }

  /** Returns the names of the fields that the object has. */
  names(): string[] {
    return Object.keys(this.#fields)
  }

  text(name: string, pattern: RegExp, meaning: string, fallback?: string): string {
    const value = this.#value(name, fallback)
    if (typeof value === 'string' && pattern.test(value)) return value
    if (this.#isObject) this.#faults.push(`${this.#name(name)} must be ${meaning}${shown(value)}`)
    return ''
  }

  /** Returns any text; resolveConfig checks it further. */
  string(name: string): string {
    return this.text(name, /^/, 'a text')
  }

  optionalText(name: string, pattern: RegExp, meaning: string): string | undefined {
    const isRight = (value: unknown): value is string => typeof value === 'string' && pattern.test(value)
    return this.#optional(name, isRight, meaning)
  }

  optionalString(name: string): string | undefined {
    return this.optionalText(name, /^/, 'a text')
  }

  optionalNumber(name: string): number | undefined {
    return this.#optional(name, isNumber, 'a number of at least 0')
  }

  optionalFlag(name: string): boolean | undefined {
    return this.#optional(name, (value) => typeof value === 'boolean', 'true or false')
  }

  optionalTexts(name: string): string[] | undefined {
    return this.#optional(name, isTexts, 'a list of texts')
  }

  optionalObject(name: string): Fields | undefined {
    const value = this.#value(name)
    return value === undefined ? undefined : new Fields(value, this.#name(name), this.#faults)
  }

  list(name: string): Fields[] {
    const value = this.#value(name, [])
    if (Array.isArray(value)) {
      return value.map((item, i) => new Fields(item, `${this.#name(name)}[${i}]`, this.#faults))
    }
    this.#faults.push(`${this.#name(name)} must be a list${shown(value)}`)
    return []
  }

  /**
   * Reports fields that were never read: their names are misspelt. Call it after reading all
   * fields.
   */
  end(): void {
    for (const name of this.names()) {
      if (!this.#known.has(name)) this.#faults.push(`${this.#name(name)} is not a field of the configuration`)
    }
  }

  #value(name: string, fallback?: unknown): unknown {
    this.#known.add(name)
    const { [name]: value = fallback } = this.#fields
    return value
  }

  #optional<T>(name: string, isRight: (value: unknown) => value is T, meaning: string): T | undefined {
    const value = this.#value(name)
    if (value === undefined || isRight(value)) return value
    this.#faults.push(`${this.#name(name)} must be ${meaning}${shown(value)}`)
    return undefined
  }

  #name(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && value >= 0
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function shown(value: unknown): string {
  return value === undefined ? '' : `, not ${JSON.stringify(value)}`
}
