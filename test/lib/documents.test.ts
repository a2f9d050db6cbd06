import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { METRICS } from '../../adapters/aws/env.ts'
import {
  KEYLESS_REQUESTS_PER_MINUTE,
  MESSAGE_BYTES,
  STREAMS_PER_CLIENT,
  VERIFICATIONS_PER_MINUTE,
} from '../../core/limits.ts'
import { IDLE_POLL_MS } from '../../sse-service/open-store.ts'
import { FULL, WEB_FUNCTION } from './configurations.ts'
import { type Properties, synthesise } from './synth.ts'

describe('docs/runbook.md', () => {
  test('every alarm has its heading in the runbook, and every heading its alarm', () => {
    const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8')
    const [, alarms = ''] = runbook.split('\n## Alarms\n')
    const section = alarms.split('\n## ')[0]!
    const headings = Array.from(section.matchAll(/^### (.+)$/gm), ([, heading]) => heading!)
    const all = [FULL, WEB_FUNCTION].flatMap((config) =>
      Object.values(synthesise(config).all('AWS::CloudWatch::Alarm')).map(
        ({ AlarmDescription }) => AlarmDescription as string,
      ),
    )
    const descriptions = [...new Set(all)]
    const expected = headings.map(
      (heading) => `${heading}. What to do: docs/runbook.md#${heading.toLowerCase().replaceAll(' ', '-')}`,
    )
    expect(descriptions.sort()).toEqual(expected.sort())
  })

  test('the operator is notified of the start and the end of every alarm', () => {
    const alarms = Object.values(synthesise({ alarmEmail: 'ops@example.com' }).all('AWS::CloudWatch::Alarm'))
    for (const { AlarmActions, OKActions } of alarms)
      expect([AlarmActions, OKActions]).toEqual([expect.any(Array), AlarmActions])
  })

  test('only the alarms of this account may publish to their topic', () => {
    const { all } = synthesise(FULL)
    const policies = Object.values(all('AWS::SNS::TopicPolicy')).flatMap(
      ({ PolicyDocument }) => PolicyDocument.Statement,
    )
    const allowed = policies.filter(({ Principal }) => Principal.Service === 'cloudwatch.amazonaws.com')
    expect(allowed).toEqual([
      expect.objectContaining({
        Action: 'sns:Publish',
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    ])
  })
})

describe('docs/security.md states what one client address can cost on AWS in an hour', () => {
  /** Dollars in us-east-1, on demand; docs/aws.md names their sources. */
  const PRICE = {
    gbSecond: 0.0000133,
    readUnit: 0.125e-6,
    writeUnit: 0.625e-6,
    /** HTTP API, CloudFront, its function, Lambda, logs. */
    request: (1 + 1 + 0.1 + 0.2 + 0.15) / 1e6,
    edgeRequest: 1.1e-6,
    wafRequest: 0.6e-6,
    sesMail: 0.0001,
    sesChunk: 0.00009,
    usualMail: 128e-6,
    s3Put: 5e-6,
    s3GbMonth: 0.023,
    egressGb: 0.085,
    balancerUnit: 0.008,
  }
  const HOUR_S = 3600
  const MINUTES = 60
  /** Bytes that 1 Gbit/s carries in an hour, in GB. */
  const LINE_GB = 450
  const SES_CHUNK_BYTES = 256 * 1024
  const ACCOUNT_CONCURRENCY = 1000
  const STREAMS_PER_BALANCER_UNIT = 3000
  /** Sequential requests to S3 of one function. */
  const PUTS_PER_SECOND = 40

  const { all } = synthesise({})
  /** The properties of the resource whose logical id begins with this. */
  const resource = (type: string, prefix: string): Properties => {
    const [, found] = Object.entries(all(type)).find(([id]) => id.startsWith(`Mayfly${prefix}`)) ?? []
    return found ?? {}
  }
  const functionOf = (name: string) => resource('AWS::Lambda::Function', name)
  const concurrency = (name: string): number =>
    resource('AWS::Lambda::EventSourceMapping', name).ScalingConfig.MaximumConcurrency
  const { ThrottlingRateLimit } = resource('AWS::ApiGatewayV2::Stage', 'Rest').DefaultRouteSettings
  const alarms: Record<string, Properties> = Object.fromEntries(
    Object.values(all('AWS::CloudWatch::Alarm')).map((of) => [of.AlarmDescription.split('.')[0], of]),
  )
  const units = (kind: 'Read' | 'Write'): number =>
    Object.values(all('AWS::DynamoDB::Table'))
      .flatMap((table) => [table, ...(table.GlobalSecondaryIndexes ?? [])])
      .reduce((sum, { OnDemandThroughput }) => sum + OnDemandThroughput[`Max${kind}RequestUnits`], 0)
  const running = (name: string, executions: number) =>
    executions * (functionOf(name).MemorySize / 1024) * HOUR_S * PRICE.gbSecond
  const requests = ThrottlingRateLimit * HOUR_S
  const largeMail = PRICE.sesMail + (MESSAGE_BYTES / SES_CHUNK_BYTES) * PRICE.sesChunk
  const ingestFunctions = concurrency('InboundIngest')

  /** What each row of the table costs in an hour. */
  const ROWS: Record<string, number[]> = {
    'REST requests': [requests * PRICE.request],
    'running time of the REST function': [
      running('RestHandler', ACCOUNT_CONCURRENCY),
      running('RestHandler', 100),
    ],
    'reading both tables': [units('Read') * HOUR_S * PRICE.readUnit],
    'writing them': [units('Write') * HOUR_S * PRICE.writeUnit],
    '5,000 streams': [(STREAMS_PER_CLIENT / STREAMS_PER_BALANCER_UNIT) * PRICE.balancerUnit],
    '20,000 mails': [(alarms['Much mail']?.Threshold ?? 0) * PRICE.usualMail],
    'mails of 40 MB': [largeMail, (LINE_GB / 0.04) * (PRICE.sesMail + 160 * PRICE.sesChunk)],
    'storing mail': [
      running('InboundIngest', ingestFunctions) + ingestFunctions * PUTS_PER_SECOND * HOUR_S * PRICE.s3Put,
    ],
    'S3, of 450 GB': [(LINE_GB * PRICE.s3GbMonth * 2) / 30],
    webhooks: [running('WebhooksSender', concurrency('WebhooksSender'))],
    verifications: [
      VERIFICATIONS_PER_MINUTE *
        MINUTES *
        functionOf('VerificationEndpoint').Timeout *
        (functionOf('VerificationEndpoint').MemorySize / 1024) *
        PRICE.gbSecond,
    ],
    'egress to an address': [LINE_GB * PRICE.egressGb],
    '10,000 requests a second': [10_000 * HOUR_S * PRICE.edgeRequest, 10_000 * HOUR_S * PRICE.wafRequest],
  }

  const text = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')
  const table = text.split('## What one client address can cost on AWS')[1]?.split('\n## ')[0] ?? ''
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && line.includes('$'))

  test.each(Object.entries(ROWS))('%s', (name, dollars) => {
    const row = rows.find((line) => line.startsWith(`| ${name}`)) ?? ''
    const stated = [...row.matchAll(/\$([\d.]+)/g)].map(([, number]) => Number(number))
    for (const sum of dollars) {
      const nearest = Math.min(...stated.map((one) => Math.abs(one - sum)))
      expect(`${name}: ${sum.toFixed(4)}, off by ${nearest < 0.006 ? 'nothing' : nearest}`).toBe(
        `${name}: ${sum.toFixed(4)}, off by nothing`,
      )
    }
  })

  test('there is a test of each row', () => {
    expect(rows.length).toBe(Object.keys(ROWS).length)
  })

  test('each alarm that it names exists', () => {
    const named = rows.flatMap((row) => row.split('|')[4]?.split(',')[0]?.trim() || [])
    expect(named.length).toBeGreaterThan(5)
    expect(Object.keys(alarms)).toEqual(expect.arrayContaining(named))
  })

  test('the requests without a key, of which each process counts its own', () => {
    // The lines of the page are wrapped anywhere.
    const page = table.replace(/\s+/g, ' ')
    expect(page).toContain(`${KEYLESS_REQUESTS_PER_MINUTE} requests a minute without a key`)
    expect(page).toContain(`${(2 * KEYLESS_REQUESTS_PER_MINUTE).toLocaleString('en')} streams a minute`)
    expect(page).toContain(`${(ThrottlingRateLimit * MINUTES).toLocaleString('en')} requests a minute`)
  })
})

describe('docs/aws.md states what a stack costs', () => {
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
      queries: metrics.filter(({ Expression }) => JSON.stringify(Expression ?? '').includes('SELECT '))
        .length,
    }
  }

  function alarms(config: object): number {
    const { direct, queries } = alarmMetrics(config)
    return (direct - FREE_ALARM_METRICS + queries) * ALARM_METRIC_MONTH
  }

  const OWN_METRICS = Object.keys(METRICS).length - ['namespace', 'dimension'].length
  const dollars = (value: number) => Number(value.toFixed(2))

  describe('the idle cost in docs/aws.md is that of the template', () => {
    const task = HOURS * (0.25 * VCPU_HOUR + 0.5 * GB_HOUR)
    const address = HOURS * ADDRESS_HOUR
    const balancer = HOURS * BALANCER_HOUR
    const reads = (tasks: number) => (tasks * SHARDS * HOURS * 3600 * 1000) / IDLE_POLL_MS
    const reading = (tasks: number) => (reads(tasks) - FREE_STREAM_READS) * STREAM_READ
    const fixed = SECRET_MONTH + OWN_METRICS * METRIC_MONTH + alarms({})

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
      const sum = SECRET_MONTH + OWN_METRICS * METRIC_MONTH + alarms(WEB_FUNCTION)
      expect(documented('**together**')[1]).toEqual([dollars(sum)])
      expect(sum).toBeLessThan(4)
    })

    test('the numbers of alarm metrics', () => {
      const total = (config: object) =>
        Object.values(alarmMetrics(config)).reduce((sum, count) => sum + count)
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
})
