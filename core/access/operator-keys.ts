/** The contract's form of an operator's key. */
const KEY = /^[A-Za-z0-9_-]{16,200}$/

/**
 * Returns the operator's keys in a comma-separated text.
 * @throws Error that gives the position of a malformed key and never its text
 */
export function parseOperatorKeys(text: string): string[] {
  const keys = text
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
  const malformed = keys.findIndex((key) => !KEY.test(key))
  if (malformed === -1) return keys
  throw new Error(`must have keys of 16 to 200 letters, digits, _ or -; key ${malformed + 1} is not one`)
}
