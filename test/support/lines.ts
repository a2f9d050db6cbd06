/** Longest line that holds a whole value. Longer lists and objects have a line for each entry. */
const WIDTH = 120

/** A string as it is, any other value as JSON. */
export const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Returns a value of JSON as lines for a snapshot, whose diff then shows what changed. */
export function linesOf(name: string, value: unknown, indent = ''): string[] {
  const line = `${indent}${name} ${textOf(value)}`
  if (typeof value !== 'object' || value === null || line.length <= WIDTH) return [line]
  const entries = Array.isArray(value)
    ? value.map((item) => ['-', item] as const)
    : Object.entries(value).map(([key, of]) => [`${key}:`, of] as const)
  return [`${indent}${name}`, ...entries.flatMap(([key, of]) => linesOf(key, of, `${indent}  `))]
}
