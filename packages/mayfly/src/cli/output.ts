import { stripVTControlCharacters, styleText } from 'node:util'

type Style = 'bold' | 'dim' | 'green' | 'red' | 'cyan'

/** Lines on standard output: words and colours for people, a line of JSON each for programs. */
export class Output {
  readonly json: boolean

  constructor(json: boolean) {
    this.json = json
    // Whoever read enough (`mayfly list … | head -1`) has closed the pipe: no fault of anyone.
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      process.exit(error.code === 'EPIPE' ? 0 : 3)
    })
  }

  /** One thing: as JSON, or as it reads. */
  print(data: unknown, readable: string): void {
    process.stdout.write(`${this.json ? JSON.stringify(data) : readable}\n`)
  }

  /** For people only; programs read standard output. */
  say(text: string): void {
    if (process.stderr.isTTY) process.stderr.write(`${text}\n`)
  }
}

export function style(name: Style, text: string): string {
  return styleText(name, text, { stream: process.stdout })
}

/** Text of a mail as a terminal may be given it: a mail must not move the cursor, or turn the direction of writing. */
export function clean(text: string): string {
  return stripVTControlCharacters(text).replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    '',
  )
}

/** On one line. */
export function line(text: string): string {
  return clean(text).replace(/\s+/g, ' ').trim()
}

/** Rows as columns of the width that they need. The last column may be of any width. */
export function table(rows: string[][]): string {
  const widths =
    rows[0]?.map((_, i) => Math.max(...rows.map((row) => stripVTControlCharacters(row[i]!).length))) ?? []
  const pad = (cell: string, i: number) =>
    i === widths.length - 1 ? cell : cell + ' '.repeat(widths[i]! - stripVTControlCharacters(cell).length)
  return rows.map((row) => row.map(pad).join('  ')).join('\n')
}
