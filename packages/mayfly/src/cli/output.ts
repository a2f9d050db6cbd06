import { stripVTControlCharacters, styleText } from 'node:util'

type Style = 'bold' | 'dim' | 'green' | 'red' | 'cyan'

/**
 * Lines on standard output: columns and colours on a terminal, a line of JSON each for programs.
 */
export class Output {
  readonly json: boolean

  constructor(json: boolean) {
    this.json = json
    // `mayfly list … | head -1` closes the pipe early, which is no error.
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0)
      console.error(`The result cannot be written to standard output: ${error.message}.`)
      process.exit(3)
    })
  }

  /** One result, as JSON or as text. */
  print(data: unknown, readable: string): void {
    process.stdout.write(`${this.json ? JSON.stringify(data) : readable}\n`)
  }

  /** A hint that only a person at a terminal needs. */
  say(text: string): void {
    if (process.stderr.isTTY) process.stderr.write(`${text}\n`)
  }
}

export function style(name: Style, text: string): string {
  return styleText(name, text, { stream: process.stdout })
}

/**
 * Removes control characters, so that a mail cannot move the cursor or change the direction of the
 * text.
 */
export function clean(text: string): string {
  return stripVTControlCharacters(text).replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    '',
  )
}

/** Clean text on one line. */
export function line(text: string): string {
  return clean(text).replace(/\s+/g, ' ').trim()
}

/** Rows as aligned columns. The last column is not padded. */
export function table(rows: string[][]): string {
  const widths =
    rows[0]?.map((_, i) => Math.max(...rows.map((row) => stripVTControlCharacters(row[i] ?? '').length))) ??
    []
  const pad = (cell: string, i: number) =>
    i === widths.length - 1
      ? cell
      : cell + ' '.repeat((widths[i] ?? 0) - stripVTControlCharacters(cell).length)
  return rows.map((row) => row.map(pad).join('  ')).join('\n')
}
