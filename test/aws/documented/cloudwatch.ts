import type { Properties } from '../../lib/synth.ts'

/**
 * How CloudWatch evaluates alarms, as AWS documents it (docs.aws.amazon.com/AmazonCloudWatch/latest/
 * monitoring/alarm-evaluation.html and using-metric-math.html).
 */

/** Values of a metric by minute; undefined: no data. */
export type Series = (minute: number) => number | undefined
/** The metrics that AWS publishes in one case, by name. */
export type Metrics = Record<string, Series>

/** CloudWatch may publish a metric this much later than what happened. */
const LATE_MINUTES = 2

/** A day and a half: the longest case has periods of an hour over twelve hours. */
const PATIENCE_MINUTES = 36 * 60

/**
 * Returns the minutes from the beginning of a case until an alarm goes off, in the worst position of
 * its periods; undefined if it does not go off. Periods are aligned to the clock; a period counts
 * when it has ended and its metrics are published.
 */
export function minutesToAlarm(alarm: Properties, metrics: Metrics): number | undefined {
  const period = periodOf(alarm)
  const found = Array.from({ length: period }, (_, phase) => firstAlarm(alarm, metrics, period, phase))
  return found.includes(undefined) ? undefined : Math.max(...found.map((minute) => minute ?? 0))
}

/** Periods of an alarm in minutes. */
function periodOf({ Period, Metrics = [] }: Properties): number {
  const [first = {}] = Metrics
  return (Period ?? first.Period ?? first.MetricStat?.Period ?? Metrics[1]?.MetricStat.Period) / 60
}

/** @param phase minutes of the first period that lie before the beginning of the case */
function firstAlarm(alarm: Properties, metrics: Metrics, period: number, phase: number): number | undefined {
  const { EvaluationPeriods: periods, DatapointsToAlarm: needed = periods } = alarm
  const bad: boolean[] = []
  for (let end = period - phase; end <= PATIENCE_MINUTES; end += period) {
    const minutes = Array.from({ length: period }, (_, i) => end - period + i).filter((minute) => minute >= 0)
    bad.push(isBad(alarm, valueIn(alarm, metrics, minutes)))
    const evaluated = [...bad, ...filledPeriods(alarm, metrics, period, end)]
    if (evaluated.slice(-periods).filter(Boolean).length >= needed) return end + LATE_MINUTES
  }
  return undefined
}

/**
 * The periods that have ended and are not published yet. An alarm leaves them out, but FILL gives
 * them a value: "the latest data point for the metric is always the FILL value"
 * (using-metric-math.html).
 *
 * @param published the minute up to which metrics are published
 */
function filledPeriods(alarm: Properties, metrics: Metrics, period: number, published: number): boolean[] {
  if (!JSON.stringify(alarm.Metrics ?? []).includes('FILL(')) return []
  const known = Object.fromEntries(
    Object.entries(metrics).map(([name, series]): [string, Series] => [
      name,
      (minute) => (minute < published ? series(minute) : undefined),
    ]),
  )
  return Array.from({ length: Math.floor(LATE_MINUTES / period) }, (_, i) => {
    const minutes = Array.from({ length: period }, (_, j) => published + i * period + j)
    return isBad(alarm, valueIn(alarm, known, minutes))
  })
}

function isBad(
  { ComparisonOperator, Threshold, TreatMissingData }: Properties,
  value: number | undefined,
): boolean {
  if (value === undefined) return TreatMissingData === 'breaching'
  return ComparisonOperator === 'LessThanThreshold' ? value < Threshold : value >= Threshold
}

/** The value of an alarm's metric or expression in a period. */
function valueIn(alarm: Properties, metrics: Metrics, minutes: number[]): number | undefined {
  if (alarm.MetricName !== undefined) return statistic(alarm.Statistic, metrics[alarm.MetricName], minutes)
  const [{ Expression }] = alarm.Metrics.filter((of: Properties) => of.Expression !== undefined)
  const text: string = typeof Expression === 'string' ? Expression : JSON.stringify(Expression)
  const [, selected] = /SELECT SUM\((\w+)\)/.exec(text) ?? []
  if (selected !== undefined) return statistic('Sum', metrics[selected], minutes)
  const value = (id: string): number | undefined => {
    const { MetricStat } = alarm.Metrics.find((of: Properties) => of.Id === id)
    return statistic(MetricStat.Stat, metrics[MetricStat.Metric.MetricName], minutes)
  }
  const condition = /^IF\(FILL\((\w+), REPEAT\) > 0, FILL\((\w+), (\d+)\), 0\)$/.exec(text)
  if (condition !== null) {
    const [, open = '', lag = '', instead] = condition
    const before = Array.from({ length: 5 }, (_, i) => (minutes[0] ?? 0) - i)
    const last =
      value(open) ??
      before.map((minute) => metricOf(alarm, open, metrics)?.(minute)).find((n) => n !== undefined)
    if (last === undefined) return undefined
    return last > 0 ? (value(lag) ?? Number(instead)) : 0
  }
  const terms = [...text.matchAll(/FILL\((\w+), 0\)/g)].map(([, id = '']) => value(id) ?? 0)
  if (terms.length === 0) throw new Error(`the model does not know the expression ${text}`)
  return terms.reduce((sum, term) => sum + term, 0)
}

function metricOf(alarm: Properties, id: string, metrics: Metrics): Series | undefined {
  const { MetricStat } = alarm.Metrics.find((of: Properties) => of.Id === id)
  return metrics[MetricStat.Metric.MetricName]
}

function statistic(name: string, series: Series | undefined, minutes: number[]): number | undefined {
  const values = minutes.map((minute) => series?.(minute)).filter((value) => value !== undefined)
  if (values.length === 0) return undefined
  const sum = values.reduce((total, value) => total + value, 0)
  const statistics: Record<string, number> = {
    Sum: sum,
    Average: sum / values.length,
    Maximum: Math.max(...values),
    Minimum: Math.min(...values),
  }
  const value = statistics[name]
  if (value === undefined) throw new Error(`the model does not know the statistic ${name}`)
  return value
}
