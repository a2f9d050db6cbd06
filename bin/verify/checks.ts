import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CanaryStream } from '../../lambdas/canary-stream.ts'
import type { CloudWatch } from './cloudwatch.ts'
import type { Deployment } from './deployment.ts'
import type { SendMail } from './mail.ts'

/** A row of the table. */
export interface Check {
  name: string
  isGood: boolean
  detail: string
}

export interface ChecksOptions {
  deployment: Deployment
  domain: string
  send: SendMail
  /**
   * The target of a webhook. By default the deployment itself, which refuses the method: that shows an
   * attempt.
   */
  webhookUrl?: string | undefined
  cloudWatch: CloudWatch
  /** How long a mail, a webhook attempt or a metric may take. @default 5 minutes */
  patienceMs?: number
}

const PAUSE_MS = 3000
const CODE = '739105'

/**
 * Sends a mail and reads it by REST, a stream and a webhook; then looks at metrics, logs and alarms.
 * A check that fails does not stop the others.
 */
export async function runChecks(options: ChecksOptions): Promise<Check[]> {
  const { deployment, domain, send, patienceMs = 300_000 } = options
  const { baseUrl } = deployment
  const { webhookUrl = `${baseUrl}/api/info` } = options
  const id = randomBytes(6).toString('hex')
  const address = `verify-${id}@${domain}`
  const checks: Check[] = []
  const check = async <T>(name: string, run: () => Promise<{ detail: string; value?: T }>) => {
    try {
      const { detail, value } = await run()
      checks.push({ name, isGood: true, detail })
      return value
    } catch (error) {
      checks.push({ name, isGood: false, detail: error instanceof Error ? error.message : String(error) })
      return undefined
    }
  }
  const api = apiOf(baseUrl)
  await check('health', async () => ({ detail: JSON.stringify(await api('GET', '/api/health')) }))
  const key = await check('API key', async () => {
    const { key } = (await api('POST', '/api/keys', {}, {})) as { key: string }
    return { detail: 'created', value: key }
  })
  const headers = { 'X-API-Key': key ?? '' }
  const webhook = await check('webhook', async () => {
    const { id } = (await api('POST', '/api/webhooks', headers, { address, url: webhookUrl })) as {
      id: string
    }
    return { detail: webhookUrl, value: id }
  })
  const stream = new CanaryStream(`${baseUrl}/api/sse/${encodeURIComponent(address)}`, id)
  const started = Date.now()
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(1)} s`
  await check('mail sent by SES', async () => {
    await send(address, id, `Your code is ${CODE}`)
    return { detail: address }
  })
  await check('read by REST, with its code', async () => {
    await until(patienceMs, async () => {
      const { emails } = (await api('GET', `/api/public/emails/${address}`)) as {
        emails: { subject: string; codes: string[] }[]
      }
      const email = emails.find(({ subject }) => subject === id)
      if (email === undefined) throw new Error('the list has no such mail')
      if (!email.codes.includes(CODE)) throw new Error(`its codes are ${JSON.stringify(email.codes)}`)
    })
    return { detail: `after ${seconds()}` }
  })
  await check('sent by a stream', async () => {
    await stream.arrivedWithin(Math.min(patienceMs, 15_000))
    return { detail: `after ${seconds()}` }
  })
  stream.close()
  await check('webhook attempted', () =>
    until(patienceMs, async () => {
      const { deliveries } = (await api('GET', `/api/webhooks/${webhook}/deliveries`, headers)) as {
        deliveries: { status: number | null }[]
      }
      if (deliveries.length === 0) throw new Error('there is no attempt')
      return { detail: `${deliveries.length}, the last one with status ${deliveries[0]?.status}` }
    }),
  )
  if (webhook !== undefined)
    await check('webhook removed', async () => {
      await api('DELETE', `/api/webhooks/${webhook}`, headers)
      return { detail: 'done' }
    })
  await operations(options, check)
  return checks
}

type Run = <T>(name: string, run: () => Promise<{ detail: string; value?: T }>) => Promise<T | undefined>

/** Metrics, logs and alarms. */
async function operations({ deployment, cloudWatch, patienceMs = 300_000 }: ChecksOptions, check: Run) {
  const queue =
    [...deployment.resources('AWS::SQS::Queue')].find(([id]) => /InboundQueue/.test(id))?.[1] ?? ''
  const logs = [...deployment.resources('AWS::Logs::LogGroup')]
  const logGroup = (pattern: RegExp) => logs.find(([id]) => pattern.test(id))?.[1] ?? ''
  await check('metric of received mail', () =>
    until(patienceMs, async () => {
      const QueueName = queue.split('/').at(-1) ?? ''
      const sum = await cloudWatch.sumOf('AWS/SQS', 'NumberOfMessagesSent', { QueueName })
      if (sum < 1) throw new Error('CloudWatch has no data yet')
      return { detail: `${sum} in the last hour` }
    }),
  )
  await check('log of the ingest function', () =>
    until(patienceMs, async () => {
      const group = logGroup(/InboundIngestLogs/)
      if (!(await cloudWatch.hasLine(group, '\\"message\\":\\"mail\\"')))
        throw new Error(`${group} has no line "mail"`)
      return { detail: group }
    }),
  )
  await check('metrics in the log of the stream service', () =>
    until(patienceMs, async () => {
      const group = logGroup(/^MayflySseLogs/)
      if (!(await cloudWatch.hasLine(group, 'OpenStreams'))) throw new Error(`${group} has no metrics`)
      return { detail: group }
    }),
  )
  await check('no alarm is on', async () => {
    const on = await cloudWatch.alarmsThatAreOn(deployment.stackName)
    if (on.length > 0) throw new Error(on.join(', '))
    return { detail: `${deployment.resources('AWS::CloudWatch::Alarm').size} alarms` }
  })
}

/** Repeats until it resolves. @throws its last error */
async function until<T>(patienceMs: number, run: () => Promise<T>): Promise<T> {
  const end = Date.now() + patienceMs
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (Date.now() > end) throw error
      await sleep(PAUSE_MS)
    }
  }
}

function apiOf(baseUrl: string) {
  return async (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: object,
  ): Promise<object> => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text.slice(0, 200)}`)
    return text === '' ? {} : JSON.parse(text)
  }
}
