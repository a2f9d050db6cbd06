import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { listening } from '../support/http-server.ts'
import { sendMail } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/verify-aws.ts', import.meta.url))
const RESOURCES = [
  ['AWS::SQS::Queue', 'InboundQueue1', 'https://sqs/1/inbound'],
  ['AWS::Logs::LogGroup', 'InboundIngestLogs1', 'ingest-logs'],
  ['AWS::Logs::LogGroup', 'MayflySseLogs1', 'stream-logs'],
  ['AWS::CloudWatch::Alarm', 'Alarm1', 'one'],
  ['AWS::CloudWatch::Alarm', 'Alarm2', 'two'],
]

/** The command as an operator runs it. The deployment is a service of this machine; CloudFormation and SES are stand-ins. */
describe('npm run verify:aws', () => {
  let service: RunningService
  let aws: { url: string; close(): Promise<void> }
  let folder: string
  let sentFrom: unknown

  /** Two resources make a page of their list. The stack `Bare` has no outputs. */
  function answerOfCloudFormation(parameters: URLSearchParams): string {
    const member = (type: string) => (fields: string[]) => `<member>${elements(type, fields)}</member>`
    const stack = parameters.get('StackName')
    if (parameters.get('Action') === 'DescribeStacks') {
      const url = { Mayfly: service.http, Mine: service.http }[stack ?? '']
      const outputs = url === undefined ? '' : member('OutputKey OutputValue')(['BaseUrl', url])
      return `<Stacks><member><StackName>${stack}</StackName><Outputs>${outputs}</Outputs></member></Stacks>`
    }
    const first = Number(parameters.get('NextToken') ?? 0)
    const page = RESOURCES.slice(first, first + 2)
    const more = first + 2 < RESOURCES.length ? `<NextToken>${first + 2}</NextToken>` : ''
    const members = page.map(member('ResourceType LogicalResourceId PhysicalResourceId')).join('')
    return `<StackResourceSummaries>${members}</StackResourceSummaries>${more}`
  }

  beforeAll(async () => {
    service = await startService({ MAYFLY_DOMAINS: 'first.test,second.test' })
    folder = await mkdtemp(join(tmpdir(), 'mayfly-verify-'))
    aws = await listening(
      createServer(async (request, response) => {
        if (request.url === '/api/domains') return response.end('{"domains":[]}')
        const body = await text(request)
        if (request.url === '/v2/email/outbound-emails') {
          const { FromEmailAddress: from, Destination, Content } = JSON.parse(body)
          const { Subject, Body } = Content.Simple
          sentFrom = from
          const [to] = Destination.ToAddresses
          await sendMail(service.smtp, { from, to, subject: Subject.Data, text: Body.Text.Data })
          return response.end('{"MessageId":"1"}')
        }
        const parameters = new URLSearchParams(body)
        const action = parameters.get('Action')
        const result = answerOfCloudFormation(parameters)
        response.end(`<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`)
      }),
    )
  })
  afterAll(async () => {
    await service.stop()
    await aws.close()
    await rm(folder, { recursive: true })
  })

  /** Runs the command where these alarms are on; returns its exit code, and what it prints without what varies. */
  async function verified(
    alarms: string[],
    ...args: string[]
  ): Promise<{ code: unknown; printed: string[]; errors: string }> {
    // CloudWatch has the data of a metric some minutes later.
    const answers = `printf '%s ' "$@" >>"$0.calls"; echo >>"$0.calls"
    case $2 in
      describe-alarms) echo '${JSON.stringify({ MetricAlarms: alarms.map((AlarmName) => ({ AlarmName })) })}' ;;
      get-metric-statistics)
        if [ -e "$0.late" ]; then rm "$0.late"; echo '{"Datapoints":[]}'
        else echo '{"Datapoints":[{"Sum":1},{"Sum":0}]}'; fi ;;
      filter-log-events) echo '{"events":[{}]}' ;;
    esac`
    await writeFile(join(folder, 'aws.calls'), '')
    await writeFile(join(folder, 'aws'), `#!/bin/sh\n${answers}\n`, { mode: 0o755 })
    const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'eu-west-1' }
    const env = { PATH: `${folder}:${process.env.PATH}`, AWS_ENDPOINT_URL: aws.url, ...credentials }
    const child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const exit = once(child, 'close')
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
    const printed = output.trimEnd().split('\n')
    const [code] = await exit
    const plain = (line: string) =>
      line
        .replace(/verify-\w+/, 'verify-ID')
        .replace(service.http, 'URL')
        .replace(/ [\d.]+ s$/, ' N s')
    return { code, printed: printed.map(plain), errors }
  }

  test('prints a row for each check, and succeeds if all are good in the end', async () => {
    await writeFile(join(folder, 'aws.late'), '')
    const { code, printed } = await verified([])
    expect(printed).toEqual([
      'ok    health                                    {"success":true,"status":"ok"}',
      'ok    API key                                   created',
      'ok    webhook                                   URL/api/info',
      'ok    mail sent by SES                          verify-ID@first.test',
      'ok    read by REST, with its code               after N s',
      'ok    sent by a stream                          after N s',
      'ok    webhook attempted                         1, the last one with status 405',
      'ok    webhook removed                           done',
      'ok    metric of received mail                   1 in the last hour',
      'ok    log of the ingest function                ingest-logs',
      'ok    metrics in the log of the stream service  stream-logs',
      'ok    no alarm is on                            2 alarms',
    ])
    expect([code, sentFrom]).toEqual([0, 'mayfly-canary@first.test'])
  })

  test('asks CloudWatch for the last hour, by the command of AWS', async () => {
    await verified([])
    const calls = await readFile(join(folder, 'aws.calls'), 'utf8')
    const [, from, to] = /--start-time (\S+Z) --end-time (\S+Z)/.exec(calls) ?? []
    const [, ...since] = /--start-time (\d+) .*\n.*--start-time (\d+) /.exec(calls) ?? []
    const minutes = (ms: number) => Math.round(ms / 60_000)
    expect(minutes(Date.parse(to!) - Date.parse(from!))).toBe(60)
    for (const time of since) expect(minutes(Date.parse(to!) - Number(time))).toBe(60)
    expect(
      calls
        .replace(/ --(start|end)-time \S+/g, '')
        .trim()
        .split(' \n'),
    ).toEqual([
      'cloudwatch get-metric-statistics --namespace AWS/SQS --metric-name NumberOfMessagesSent --period 3600 --statistics Sum --dimensions Name=QueueName,Value=inbound --output json',
      'logs filter-log-events --log-group-name ingest-logs --filter-pattern "\\"message\\":\\"mail\\"" --output json',
      'logs filter-log-events --log-group-name stream-logs --filter-pattern "OpenStreams" --output json',
      'cloudwatch describe-alarms --alarm-name-prefix Mayfly- --state-value ALARM --output json',
    ])
  })

  test('fails if a check does, and checks the named domain by the named sender', async () => {
    const { code, printed } = await verified(
      ['Mine-Mail waits'],
      '--stack=Mine',
      '--domain=second.test',
      '--from=me@own.test',
    )
    expect(printed).toContain('ok    mail sent by SES                          verify-ID@second.test')
    expect(printed.filter((line) => !line.startsWith('ok '))).toEqual([
      'FAIL  no alarm is on                            Mine-Mail waits',
    ])
    expect([code, sentFrom]).toEqual([1, 'me@own.test'])
  })

  test('checks the service at another URL, with another receiver of webhooks', async () => {
    const webhook = `--webhook=${service.http}/api/health`
    const { code, printed } = await verified([], '--stack=Bare', `--url=${service.http}`, webhook)
    expect(printed).toContain('ok    webhook                                   URL/api/health')
    expect(code).toBe(0)
  })

  test('says what it needs to know', async () => {
    const bare = await verified([], '--stack=Bare')
    expect([bare.code, bare.errors]).toEqual([
      1,
      expect.stringContaining('the stack Bare has no output BaseUrl'),
    ])
    const empty = await verified([], `--url=${aws.url}`)
    expect([empty.code, empty.errors]).toEqual([
      1,
      expect.stringContaining('the service has no domain: name one with --domain'),
    ])
  })
})

function elements(names: string, values: string[]): string {
  return names
    .split(' ')
    .map((name, i) => `<${name}>${values[i]}</${name}>`)
    .join('')
}
