import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { type Properties, synthesise, WEB_FUNCTION } from './synth.ts'

/** Prices of us-east-1 in dollars, as docs/aws.md names them. A month has 730 hours. */
const HOURS = 730
const VCPU_HOUR = 0.03238
const GB_HOUR = 0.00356
const ADDRESS_HOUR = 0.005
const BALANCER_HOUR = 0.0225
const SECRET_MONTH = 0.4
const METRIC_MONTH = 0.3
const ALARM_METRIC_MONTH = 0.1
const FREE_ALARM_METRICS = 10
const STREAM_READ = 0.02 / 100_000
const FREE_STREAM_READS = 2_500_000
/** Shards of the stream of a new table. */
const SHARDS = 4
/** Between two reads of a shard (sse-service/open-store.ts). */
const IDLE_POLL_SECONDS = 1.3

const docs = readFileSync(new URL('../../docs/aws.md', import.meta.url), 'utf8')

/** The dollars in the rows of docs/aws.md whose first cell begins with this text. */
function documented(row: string): number[][] {
  const rows = docs.split('\n').filter((line) => line.startsWith(`| ${row}`))
  return rows.map((line) =>
    Array.from(
      line
        .split('|')
        .slice(2)
        .join('|')
        .matchAll(/\$([\d.]+)/g),
      ([, n]) => Number(n),
    ),
  )
}

/**
 * Metrics of alarms: those that count against the free ones, and those of a Metrics Insights query,
 * which do not.
 */
function alarmMetrics(config: object): { direct: number; queries: number } {
  const alarms = Object.values(synthesise(config).all('AWS::CloudWatch::Alarm'))
  const metrics = alarms.flatMap(({ MetricName, Metrics }): Properties[] =>
    MetricName ? [{ MetricStat: {} }] : Metrics,
  )
  return {
    direct: metrics.filter(({ MetricStat }) => MetricStat).length,
    queries: metrics.filter(({ Expression }) => Expression?.startsWith('SELECT')).length,
  }
}

function alarms(config: object): number {
  const { direct, queries } = alarmMetrics(config)
  return (direct - FREE_ALARM_METRICS + queries) * ALARM_METRIC_MONTH
}

const dollars = (value: number) => Number(value.toFixed(2))

describe('the idle cost in docs/aws.md is that of the template', () => {
  const task = HOURS * (0.25 * VCPU_HOUR + 0.5 * GB_HOUR)
  const address = HOURS * ADDRESS_HOUR
  const balancer = HOURS * BALANCER_HOUR
  const reads = (tasks: number) => (tasks * SHARDS * HOURS * 3600) / IDLE_POLL_SECONDS
  const reading = (tasks: number) => (reads(tasks) - FREE_STREAM_READS) * STREAM_READ
  const fixed = SECRET_MONTH + 2 * METRIC_MONTH + alarms({})

  test('two tasks and one task, line by line', () => {
    const { all } = synthesise()
    const [{ Cpu, Memory }] = Object.values(all('AWS::ECS::TaskDefinition')) as [Properties]
    expect([Cpu, Memory]).toEqual(['256', '512'])
    expect(Object.values(all('AWS::ECS::Service')).map(({ DesiredCount }) => DesiredCount)).toEqual([2])
    expect(Object.keys(all('AWS::ElasticLoadBalancingV2::LoadBalancer'))).toHaveLength(1)
    expect(Object.keys(all('AWS::SecretsManager::Secret'))).toHaveLength(1)
    expect(documented('Fargate arm64')).toEqual([[2 * task, task].map(dollars)])
    expect(documented('Public IPv4 addresses')).toEqual([[2 * address, address].map(dollars)])
    expect(documented('Internal load balancer:')).toEqual([[balancer, balancer].map(dollars)])
    expect(documented('Reading the stream, ')).toEqual([[reading(2), reading(1)].map(dollars)])
    expect(documented('Origin secret $')).toEqual([[fixed, fixed].map(dollars)])
    const sum = (tasks: number) => tasks * (task + address) + balancer + reading(tasks) + fixed
    expect(documented('**together**')[0]).toEqual([sum(2), sum(1)].map(Math.round))
  })

  test('without servers', () => {
    const types = Object.values(
      synthesise(WEB_FUNCTION).template.toJSON().Resources as Record<string, Properties>,
    ).map(({ Type }) => Type)
    expect(types.filter((type) => /^AWS::(ECS|EC2|ElasticLoadBalancing)/.test(type))).toEqual([])
    expect(documented('Alarm metrics:')).toEqual([[alarms(WEB_FUNCTION)].map(dollars)])
    const sum = SECRET_MONTH + 2 * METRIC_MONTH + alarms(WEB_FUNCTION)
    expect(documented('**together**')[1]).toEqual([dollars(sum)])
    expect(sum).toBeLessThan(3)
  })

  test('the numbers of alarm metrics', () => {
    const total = (config: object) => Object.values(alarmMetrics(config)).reduce((sum, count) => sum + count)
    expect(docs).toContain(`${total({})} alarm metrics of which 10 are free`)
    expect(docs).toContain(`| Alarm metrics: ${total(WEB_FUNCTION)} of which 10 are free`)
  })
})

describe('the sums of docs/aws.md for rates and streams', () => {
  const MONTH_SECONDS = HOURS * 3600
  /** A million mails of 100 KB with a short text: the items of "A million mails". */
  const [, bySes, bySmtp] = /\*\*≈ \$(\d+) by SES, ≈ \$(\d+)\s+by SMTP\.\*\*/.exec(docs) ?? []

  test.each([1, 10, 100, 1000])('%d mails a second', (rate) => {
    const millions = (rate * MONTH_SECONDS) / 1e6
    const [, table = ''] = docs.split('| mails a second |')
    const row = table.split('\n').find((line) => line.startsWith(`| ${rate.toLocaleString('en-US')} |`))
    const found = Array.from(row!.matchAll(/\$([\d,]+)/g), ([, text]) => Number(text!.replaceAll(',', '')))
    for (const [n, million] of [bySes, bySmtp].entries()) {
      // Two digits are enough for a sum of such prices.
      expect(Math.abs(found[n]! / (millions * Number(million)) - 1)).toBeLessThan(0.05)
    }
  })

  test.each([
    [1000, 2, 0.25],
    [10_000, 2, 0.25],
    [100_000, 9, 0.5],
    [1_000_000, 84, 0.5],
  ])('%d streams need %d tasks of %d vCPU', (streams, tasks, vcpu) => {
    const task = HOURS * (vcpu * VCPU_HOUR + 2 * vcpu * GB_HOUR + ADDRESS_HOUR)
    const units = (streams / 3000) * 0.008 * HOURS
    expect(docs).toContain(
      `| ${streams.toLocaleString('en-US')} | $${Math.round(tasks * task).toLocaleString('en-US')} + $${Math.round(units).toLocaleString('en-US')} |`,
    )
    if (vcpu === 0.5) expect(Math.ceil(streams / 12_000)).toBe(tasks)
  })
})
