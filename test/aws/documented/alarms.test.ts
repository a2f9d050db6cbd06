import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { FULL, WEB_FUNCTION } from '../../lib/configurations.ts'
import { type Properties, synthesise } from '../../lib/synth.ts'
import { minutesToAlarm } from './cloudwatch.ts'
import { OUTAGES, storeIsAway } from './outages.ts'

const RUNBOOK = new URL('../../../docs/runbook.md', import.meta.url)
const [BEGIN, END] = [
  '<!-- alarms: test/aws/documented/alarms.test.ts writes this table -->',
  '<!-- end of the alarms -->',
]

const nameOf = ({ AlarmDescription }: Properties): string => AlarmDescription.split('.')[0]
const alarmsOf = (config: object) =>
  Object.values(synthesise(config).all('AWS::CloudWatch::Alarm')).map(
    (alarm) => [nameOf(alarm), alarm] as const,
  )
/** Every alarm that a configuration can have. */
const ALARMS = new Map([...alarmsOf(WEB_FUNCTION), ...alarmsOf(FULL)])

/** Minutes until an alarm goes off in its case. */
const minutesOf = (name: string, alarm: Properties) => minutesToAlarm(alarm, OUTAGES[name]!.metrics)

function table(): string {
  const rows = [...ALARMS].map(([name, alarm]) => {
    const minutes = minutesOf(name, alarm) ?? 0
    const time = minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
    return `| [${name}](#${name.toLowerCase().replaceAll(' ', '-')}) | ${OUTAGES[name]!.happens} | ${time} |`
  })
  return ['| alarm | goes off when | at most after |', '|---|---|---|', ...rows.sort()].join('\n')
}

describe('alarms, with the metrics that AWS documents', () => {
  test('there is a case for each alarm, and an alarm for each case', () => {
    expect([...ALARMS.keys()].sort()).toEqual(Object.keys(OUTAGES).sort())
  })

  test.each([...ALARMS])('"%s" goes off in its case', (name, alarm) => {
    expect(minutesOf(name, alarm)).toBeGreaterThan(0)
  })

  test.each([...ALARMS])('"%s" is silent while all is well', (name, alarm) => {
    const { happens: _, metrics } = OUTAGES[name]!
    const well = Object.fromEntries(
      Object.keys(metrics).map((metric) => [metric, WELL[metric] ?? (() => undefined)]),
    )
    expect(minutesToAlarm(alarm, well)).toBeUndefined()
  })

  test('an outage of the store is reported within ten minutes', () => {
    expect(minutesToAlarm(ALARMS.get('Mail fails')!, storeIsAway)).toBeLessThanOrEqual(10)
  })

  test('the age of the oldest message does not show an outage, because SQS leaves its messages out', () => {
    expect(minutesToAlarm(ALARMS.get('Mail waits')!, storeIsAway)).toBeUndefined()
  })

  test('an alarm that looks at the filling of the newest periods only never goes off', () => {
    const alarm = ALARMS.get('Dead letters')!
    const newest = { ...alarm, EvaluationPeriods: 1, DatapointsToAlarm: 1 }
    expect(minutesToAlarm(newest, OUTAGES['Dead letters']!.metrics)).toBeUndefined()
  })

  test('an index that is throttled is an alarm, as its table is', () => {
    const { Metrics } = ALARMS.get('Tables are throttled')!
    const watched = Metrics.flatMap(({ MetricStat }: Properties) => MetricStat?.Metric ?? []).map(
      ({ MetricName, Dimensions }: Properties) =>
        `${MetricName} ${Dimensions.map(({ Name }: Properties) => Name)
          .sort()
          .reverse()
          .join(' ')}`,
    )
    const index = (name: string) => `${name} TableName GlobalSecondaryIndexName`
    expect(watched).toEqual(expect.arrayContaining(['ReadThrottleEvents', 'WriteThrottleEvents'].map(index)))
    expect(watched).toHaveLength(6)
  })

  test('with a web function, a lag that is missing without open streams is no fault', () => {
    const [, alarm] = alarmsOf(WEB_FUNCTION).find(([name]) => name === 'Reader lag')!
    expect(
      minutesToAlarm(alarm, { ReaderLag: () => undefined, OpenStreams: () => undefined }),
    ).toBeUndefined()
    // An environment that ends says that it has no streams.
    const ended = (minute: number) => (minute === 0 ? 0 : undefined)
    expect(minutesToAlarm(alarm, { ReaderLag: ended, OpenStreams: ended })).toBeUndefined()
    const { metrics } = OUTAGES['Reader lag']!
    expect(minutesToAlarm(alarm, metrics)).toBeLessThanOrEqual(5)
  })

  test('docs/runbook.md has the table of the alarms', () => {
    const text = readFileSync(RUNBOOK, 'utf8')
    const [before = '', rest = ''] = text.split(BEGIN)
    const [found = '', after = ''] = rest.split(END)
    const wanted = `\n${table()}\n`
    if (process.env.MAYFLY_WRITE_DOCS) writeFileSync(RUNBOOK, [before, BEGIN, wanted, END, after].join(''))
    else expect(found).toBe(wanted)
  })
})

/** Metrics of a service without a fault, if they differ from none. */
const WELL: Record<string, (minute: number) => number | undefined> = {
  HealthyHostCount: () => 2,
  NumberOfMessagesSent: () => 1,
  Errors: () => 0,
  ReaderLag: () => 200,
  OpenStreams: () => 10,
  ApproximateAgeOfOldestMessage: () => 5,
  Duration: () => 150,
  // Half of the throttle.
  Count: () => 6000,
  IteratorAge: () => 300,
}
