import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { EDGE_HEADERS, ENV, METRICS } from '../../adapters/aws/env.ts'
import type { Domain } from '../../core/access/ports.ts'
import { bundleService, bundleWebFunction } from '../../lib/bundling/bundles.ts'
import type { AwsStore } from '../../service/aws-store.ts'
import { extractedMetric, messagesOf } from '../aws/documented/web-functions.ts'
import { type LocalDeployment, openLocalDeployment } from '../aws/local-deployment.ts'
import { describeOnDynamoDb } from '../aws/on-dynamodb.ts'
import { FIRST_ID, putDomain, sampleDomain, sampleMail, uniqueAddress } from '../contract/sample.ts'
import { WEB_FUNCTION } from '../lib/configurations.ts'
import { synthesise } from '../lib/synth.ts'
import { type OpenStream, openStream } from '../support/event-source.ts'
import { startSecrets, type TestSecrets } from '../support/secrets.ts'
import { moduleUrl, WebFunctionHost } from './web-function-host.ts'

const SECRET = 'origin-secret'
const SECRET_ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:origin-a1B2c3'
const HEADERS = { [EDGE_HEADERS.secret]: SECRET, [EDGE_HEADERS.viewer]: '192.0.2.1:50000' }

/** Divides long timers: the 14 minutes of a stream take six seconds. Short timers stay. */
const FAST_CLOCK = moduleUrl(`
  for (const name of ['setTimeout', 'setInterval']) {
    const start = globalThis[name]
    globalThis[name] = (run, ms, ...rest) => start(run, ms >= 60_000 ? ms / 140 : ms, ...rest)
  }
`)

/**
 * The bundle of the web function as a process, with the environment variables of the template,
 * behind a host that does what AWS documents of Lambda Web Functions. DynamoDB Local has the
 * tables.
 */
describeOnDynamoDb('the web function', () => {
  let folder: string
  let deployment: LocalDeployment
  let secrets: TestSecrets
  let store: AwsStore
  let environment: Record<string, string>
  let host: WebFunctionHost
  const open: { close(): void }[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-web-function-'))
    await bundleService('sse-service', join(folder, 'service'))
    await bundleWebFunction(join(folder, 'service'), join(folder, 'web-function'))
    deployment = await openLocalDeployment()
    secrets = await startSecrets({ [SECRET_ARN]: [SECRET] })
    store = deployment.store
    environment = variables({
      ...deployment.variables,
      [ENV.mailStreamArn]: deployment.tables.mailStreamArn,
      [ENV.mxHost]: 'mx.test',
      [ENV.originSecretArn]: SECRET_ARN,
    })
    // Lambda sets these for every function; the endpoints are those of the test.
    Object.assign(environment, deployment.awsVariables, { AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url })
  })

  afterEach(async () => {
    for (const one of open.splice(0)) one.close()
    await host?.close()
  })

  afterAll(async () => {
    await secrets?.close()
    await deployment?.close()
    await rm(folder, { recursive: true })
  })

  async function start(options: { fast?: boolean; maxConcurrency?: number } = {}): Promise<void> {
    host = await WebFunctionHost.start({
      folder: join(folder, 'web-function'),
      environment,
      maxConcurrency: options.maxConcurrency ?? 128,
      maxEnvironments: 2,
      ...(options.fast && { preload: FAST_CLOCK }),
    })
  }

  async function stream(path: string): Promise<OpenStream> {
    const opened = await openStream(`${host.url}${path}`, HEADERS)
    open.push(opened)
    return opened
  }

  async function inbox(): Promise<{ address: string; put(count: number): Promise<string[]> }> {
    const domain: Domain = await putDomain(store.domains, sampleDomain({ status: 'verified' }))
    const address = uniqueAddress(domain.name)
    const visibleAfter = { [domain.name]: domain.visibleAfter }
    const put = async (count: number) => {
      const ids: string[] = []
      for (let i = 0; i < count; i++) {
        const [email] = await store.emails.store(sampleMail([address], { visibleAfter }))
        ids.push(email!.id)
      }
      return ids
    }
    return { address, put }
  }

  /** Reads a stream to its end; rejects if the body is truncated. */
  async function whole(path: string): Promise<string> {
    const response = await fetch(`${host.url}${path}`, { headers: HEADERS })
    expect(response.status).toBe(200)
    return response.text()
  }

  const idsOf = ({ events }: OpenStream) => events.map(({ id }) => id)

  test('an environment that is killed in the middle of a stream loses and repeats no event', async () => {
    await start()
    expect(host.started).toBe(0)
    const { address, put } = await inbox()
    const opened = await stream(`/api/sse/${address}`)
    const ids = await put(5)
    await opened.until(5)
    const killed = host.kill()
    ids.push(...(await put(5)))
    await killed
    ids.push(...(await put(5)))
    await opened.until(15)
    await host.kill()
    ids.push(...(await put(1)))
    await opened.until(16)
    expect(idsOf(opened)).toEqual(ids)
    expect(host.started).toBe(3)
  })

  test('a stream ends itself after 14 minutes with a jittered retry, and resumes without a loss', async () => {
    await start({ fast: true })
    const { address, put } = await inbox()
    const opened = await stream(`/api/sse/${address}`)
    const [id = ''] = await put(1)
    await opened.until(1)
    const ends = await Promise.all(
      Array.from({ length: 8 }, () => whole(`/api/sse/${address}?last_event_id=${FIRST_ID}`)),
    )
    const retries = ends.map((text) => {
      const [begin = '', , ...rest] = text.split('\n\n').slice(0, -1)
      expect([begin.split('\n')[0], rest.length]).toEqual(['retry: 2000', 1])
      expect(text).toContain(`id: ${id}\n`)
      return Number(/^retry: (\d+)$/.exec(rest[0]!)![1])
    })
    expect(Math.min(...retries)).toBeGreaterThanOrEqual(1000)
    expect(Math.max(...retries)).toBeLessThan(6000)
    expect(new Set(retries).size).toBeGreaterThan(1)
    const more = await put(3)
    await opened.until(4)
    expect(idsOf(opened)).toEqual([id, ...more])
    expect([host.started, host.running]).toEqual([1, 1])
    // The service wrote metrics once in each minute of its clock, which CloudWatch extracts.
    expect(extractedMetric(host.output, METRICS.openStreams).length).toBeGreaterThan(5)
    expect(Math.max(...extractedMetric(host.output, METRICS.openStreams))).toBe(9)
  })

  test('an environment that Lambda removes ends its streams whole, and their clients resume at the next one', async () => {
    await start()
    const { address, put } = await inbox()
    const opened = await stream(`/api/sse/${address}`)
    const ids = await put(2)
    await opened.until(2)
    const other = await fetch(`${host.url}/api/sse/${address}?last_event_id=${FIRST_ID}`, {
      headers: HEADERS,
    })
    expect(await host.shutDown()).toEqual([0])
    expect(messagesOf(host.output, 'info')).toEqual(['ready', 'stopping'])
    expect(await other.text()).toMatch(/\n\nretry: \d+\n\n$/)
    ids.push(...(await put(2)))
    await opened.until(4)
    expect(idsOf(opened)).toEqual(ids)
    expect(host.started).toBe(2)
  })

  test('both environments deliver every event, and Lambda refuses what neither can take', async () => {
    await start({ maxConcurrency: 2 })
    const { address, put } = await inbox()
    const streams = [await stream(`/api/sse/${address}`), await stream(`/api/sse/${address}`)]
    streams.push(await stream(`/api/sse/${address}`), await stream(`/api/sse/${address}`))
    expect(host.running).toBe(2)
    const { status } = await fetch(`${host.url}/api/sse/${address}`, { headers: HEADERS })
    expect(status).toBe(429)
    const ids = await put(10)
    for (const opened of streams) {
      await opened.until(10)
      expect(idsOf(opened)).toEqual(ids)
    }
  })

  test('a wait, MCP and requests without the origin secret are answered as on Fargate', async () => {
    await start()
    const { address } = await inbox()
    const answer = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`${host.url}${path}`, init)
      const { code } = (await response.json()) as { code: string }
      return [response.status, code]
    }
    expect(await answer(`/api/sse/${address}`)).toEqual([403, 'wrong_door'])
    expect(await answer(`/api/emails/${address}/wait`, { headers: HEADERS })).toEqual([
      401,
      'api_key_missing',
    ])
    expect(await answer('/mcp', { method: 'POST', body: '{}', headers: HEADERS })).toEqual([
      401,
      'api_key_missing',
    ])
  })
})

/** The variables of the template; those that name resources have these values. */
function variables(resources: Record<string, string>): Record<string, string> {
  const [revision] = Object.values(synthesise(WEB_FUNCTION).all('AWS::Lambda::WebFunctionRevision'))
  const given = Object.entries(revision!.ServiceConfig.EnvironmentVariables as Record<string, unknown>)
  return Object.fromEntries(
    given.map(([name, value]) => {
      const text = resources[name] ?? value
      if (typeof text !== 'string') throw new Error(`${name} names a resource that the test does not have`)
      return [name, text]
    }),
  )
}
