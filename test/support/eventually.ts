/** Long enough for a busy machine: a test that passes does not wait for it. */
const DEADLINE_MS = 30_000

/**
 * Waits until `look` returns something other than undefined, null or false, and returns that.
 * The error names what was awaited and what `look` saw last.
 */
export async function eventually<T>(what: string, look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const end = Date.now() + DEADLINE_MS
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== null && seen !== false) return seen as NonNullable<T>
    if (Date.now() > end) throw new Error(`Waited ${DEADLINE_MS} ms for ${what}; last saw ${String(seen)}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
