import { Buffer } from 'node:buffer'

const LAST_LATIN = 255

/** Units of the array that is used again for each text that fits. */
const SHARED_MAX = 32 * 1024
const shared = new Uint16Array(SHARED_MAX)
/** The same as bytes, and bytes for Latin letters: most texts are short, and an array for each costs more. */
const sharedBytes = Buffer.from(shared.buffer)
const latinBytes = Buffer.allocUnsafe(SHARED_MAX)

/** An array for at least this many units. The next call may return the same one. */
export function unitsFor(length: number): Uint16Array {
  return length <= SHARED_MAX ? shared : new Uint16Array(length)
}

/**
 * The text of the first UTF-16 units of an array.
 * @param allBits all of them together as bits, or more: a text of Latin letters takes half of the memory, and is
 * searched faster
 */
export function textOfUnits(units: Uint16Array, length: number, allBits: number): string {
  if (allBits > LAST_LATIN) {
    const bytes = units === shared ? sharedBytes : Buffer.from(units.buffer, units.byteOffset, 2 * length)
    return bytes.toString('utf16le', 0, 2 * length)
  }
  const bytes = length <= SHARED_MAX ? latinBytes : Buffer.allocUnsafe(length)
  for (let at = 0; at < length; at++) bytes[at] = units[at]!
  return bytes.toString('latin1', 0, length)
}

/** Replaces each UTF-16 unit of a text by another one: a look-up costs a tenth of a search with a function. */
export class UnitTable {
  /** What becomes of each unit, once it was asked for; UNKNOWN before. */
  readonly #units = new Uint16Array(0x10000)
  readonly #replaced: (char: string) => string

  /** @param replaced returns the one unit that becomes of another one */
  constructor(replaced: (char: string) => string) {
    this.#replaced = replaced
  }

  apply(text: string): string {
    const made = unitsFor(text.length)
    let allBits = 0
    let changes = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const unit = this.#units[code]! || this.#look(code)
      made[at] = unit
      allBits |= unit
      changes |= unit ^ code
    }
    return changes === 0 ? text : textOfUnits(made, text.length, allBits)
  }

  #look(code: number): number {
    this.#units[code] = this.#replaced(String.fromCharCode(code)).charCodeAt(0)
    return this.#units[code]!
  }
}
