/** The value below which a share `q` of the values lies (nearest rank); NaN of none. */
export function quantile(values: number[], q: number): number {
  if (values.length === 0) return Number.NaN
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)]!
}

export function median(values: number[]): number {
  return quantile(values, 0.5)
}
