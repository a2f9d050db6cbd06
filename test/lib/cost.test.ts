import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import {
  KEYLESS_REQUESTS_PER_MINUTE,
  MESSAGE_BYTES,
  STREAMS_PER_CLIENT,
  VERIFICATIONS_PER_MINUTE,
} from '../../core/limits.ts'
import { numbersOf } from './numbers-of.ts'
import { type Properties, synthesise } from './synth.ts'

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

const numbers = numbersOf(synthesise({})) as Properties
const { functions, sources, stages, tables, alarms } = numbers
const [stage] = Object.values(stages) as [{ ThrottlingRateLimit: number }]
const units = (kind: 'Read' | 'Write'): number =>
  [tables.StorageInboxes, tables.StorageInboxes.index, tables.StorageKeys].reduce(
    (sum, of) => sum + of[`Max${kind}RequestUnits`],
    0,
  )
const running = (name: string, executions: number) =>
  executions * (functions[name].MiB / 1024) * HOUR_S * PRICE.gbSecond
const requests = stage.ThrottlingRateLimit * HOUR_S
const largeMail = PRICE.sesMail + (MESSAGE_BYTES / SES_CHUNK_BYTES) * PRICE.sesChunk
const ingestFunctions: number = sources.InboundQueue.concurrency

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
  '20,000 mails': [alarms['Much mail'].threshold * PRICE.usualMail],
  'mails of 40 MB': [largeMail, (LINE_GB / 0.04) * (PRICE.sesMail + 160 * PRICE.sesChunk)],
  'storing mail': [
    running('InboundIngest', ingestFunctions) + ingestFunctions * PUTS_PER_SECOND * HOUR_S * PRICE.s3Put,
  ],
  'S3, of 450 GB': [(LINE_GB * PRICE.s3GbMonth * 2) / 30],
  webhooks: [running('WebhooksSender', sources.WebhooksQueue.concurrency)],
  verifications: [
    VERIFICATIONS_PER_MINUTE *
      MINUTES *
      functions.VerificationEndpoint.seconds *
      (functions.VerificationEndpoint.MiB / 1024) *
      PRICE.gbSecond,
  ],
  'egress to an address': [LINE_GB * PRICE.egressGb],
  '10,000 requests a second': [10_000 * HOUR_S * PRICE.edgeRequest, 10_000 * HOUR_S * PRICE.wafRequest],
}

describe('docs/security.md states what one client address can cost on AWS in an hour', () => {
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
    expect(page).toContain(`${(stage.ThrottlingRateLimit * MINUTES).toLocaleString('en')} requests a minute`)
  })
})
