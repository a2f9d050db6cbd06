/** One line of the table. */
export interface Figure {
  /** The measurement, with its parameters. */
  name: string
  value: number
  unit: string
  /** The target, if there is one. */
  target?: { least?: number; most?: number }
}

/** The result of a group: figures, and in words what it could not measure and why. */
export interface Measured {
  figures: Figure[]
  leftOut?: string[]
}

export interface Group {
  name: string
  /** @param quick seconds instead of minutes: shows that the benchmark works, with rough figures */
  measure(options: { quick: boolean; progress: (text: string) => void }): Promise<Measured>
}

export function isMet({ value, target }: Figure): boolean | undefined {
  if (target === undefined) return undefined
  return value >= (target.least ?? -Infinity) && value <= (target.most ?? Infinity)
}

export function table(figures: Figure[]): string {
  const rows = figures.map((figure) => [figure.name, shown(figure.value), figure.unit, verdict(figure)])
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map(([name, value, unit, met]) =>
      `  ${name!.padEnd(widths[0]!)}  ${value!.padStart(widths[1]!)} ${unit!.padEnd(widths[2]!)}  ${met}`.trimEnd(),
    )
    .join('\n')
}

function verdict(figure: Figure): string {
  const { target } = figure
  if (target === undefined) return ''
  const aim = target.least === undefined ? `at most ${target.most}` : `at least ${target.least}`
  return `${isMet(figure) ? 'met' : 'MISSED'}: ${aim}`
}

/** Three significant digits. */
function shown(value: number): string {
  if (!Number.isFinite(value)) return 'none'
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}
