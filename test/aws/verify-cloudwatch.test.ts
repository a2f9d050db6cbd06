import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type CloudWatch, cloudWatchOf } from '../../bin/verify/cloudwatch.ts'

const HOUR_MS = 3_600_000
const TIME = /^(?:\d{13}|\d{4}-.*Z)$/

let folder: string

/** A program that notes its arguments, one a line, and prints the answer of the test. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-aws-'))
  const program = `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/asked'\ncat '${folder}/answer'\n`
  await writeFile(join(folder, 'aws'), program, { mode: 0o755 })
})
afterAll(() => rm(folder, { recursive: true }))

/** What a call asks the program for, without its times, how old its beginning is, and what it returns. */
async function asked(answer: object, call: (cloudWatch: CloudWatch) => Promise<unknown>) {
  await writeFile(join(folder, 'answer'), JSON.stringify(answer))
  const value = await call(cloudWatchOf(join(folder, 'aws')))
  const words = (await readFile(join(folder, 'asked'), 'utf8')).trim().split('\n')
  const [begun = ''] = words.filter((word) => TIME.test(word))
  const ageMs = Date.now() - (/^\d+$/.test(begun) ? Number(begun) : Date.parse(begun))
  return { value, command: words.filter((word) => !TIME.test(word)).join(' '), ageMs }
}

test.each([
  [{ MetricAlarms: [] }, []],
  [{ MetricAlarms: [{ AlarmName: 'Mayfly-A' }, { AlarmName: 'Mayfly-B' }] }, ['Mayfly-A', 'Mayfly-B']],
])('the alarms of a stack that are on: %j', async (answer, names) => {
  expect(await asked(answer, (cloudWatch) => cloudWatch.alarmsThatAreOn('Mayfly'))).toMatchObject({
    value: names,
    command: 'cloudwatch describe-alarms --alarm-name-prefix Mayfly- --state-value ALARM --output json',
  })
})

test.each([
  [{ Datapoints: [] }, 0],
  [{ Datapoints: [{ Sum: 2 }, { Sum: 3 }] }, 5],
])('the sum of a metric in the last hour: %j', async (answer, sum) => {
  const { value, command, ageMs } = await asked(answer, (cloudWatch) =>
    cloudWatch.sumOf('AWS/SQS', 'NumberOfMessagesSent', { QueueName: 'q', Other: 'o' }),
  )
  expect([value, command]).toEqual([
    sum,
    'cloudwatch get-metric-statistics --namespace AWS/SQS --metric-name NumberOfMessagesSent --start-time ' +
      '--end-time --period 3600 --statistics Sum --dimensions Name=QueueName,Value=q Name=Other,Value=o ' +
      '--output json',
  ])
  expect(ageMs).toBeGreaterThanOrEqual(HOUR_MS)
  expect(ageMs).toBeLessThan(HOUR_MS + 60_000)
})

test.each([
  [{ events: [] }, false],
  [{ events: [{}] }, true],
])('a line in a log group in the last hour: %j', async (answer, isThere) => {
  const { value, command, ageMs } = await asked(answer, (cloudWatch) => cloudWatch.hasLine('group', 'a b'))
  expect([value, command]).toEqual([
    isThere,
    'logs filter-log-events --log-group-name group --filter-pattern "a b" --start-time --output json',
  ])
  expect(ageMs).toBeGreaterThanOrEqual(HOUR_MS)
  expect(ageMs).toBeLessThan(HOUR_MS + 60_000)
})
