import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { runChecks } from '../../bin/verify/checks.ts'
import { findDeployment } from '../../bin/verify/deployment.ts'
import { eventually } from '../support/eventually.ts'
import { freshAddress } from '../support/mail.ts'
import { type DeployedHost, startDeployedHost } from './deployed-host.ts'
import { EMULATED } from './emulator.ts'
import { PUBLIC_ADDRESS, TLS } from './open-internet.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests read JSON of any shape
type Json = any

/** A key has 120 requests a minute. */
const PAUSE_MS = 1000

interface Received {
  headers: Record<string, string>
  body: string
}

/**
 * The whole path of a webhook: API Gateway, the tables, the functions and both queues of the
 * deployed stack, and a target that listens on https at an address that the functions consider
 * public.
 */
describe('webhooks of the stack, deployed to an emulator', () => {
  let folder: string
  let host: DeployedHost
  let target: Server
  let key: string
  const received = new Map<string, Received[]>()
  /** The statuses with which the target answers requests for a path, in order; then 204. */
  const answers = new Map<string, number[]>()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-webhooks-'))
    await writeFile(join(folder, 'ca.pem'), TLS.cert)
    host = await startDeployedHost({
      NODE_OPTIONS: `--import=${new URL('open-internet-route.ts', import.meta.url)}`,
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    })
    target = createServer(TLS, async (request, response) => {
      const path = request.url!
      const headers = request.headers as Record<string, string>
      const body = await text(request)
      // Every webhook gets a ping before it becomes active.
      const isFirstPing = JSON.parse(body).type === 'ping' && path !== '/ping'
      if (!isFirstPing) received.set(path, [...(received.get(path) ?? []), { headers, body }])
      response.writeHead((isFirstPing ? undefined : answers.get(path)?.shift()) ?? 204).end()
    })
    await once(target.listen(0, '127.0.0.1'), 'listening')
    key = (await call('POST', '/api/keys')).key
  }, 300_000)

  afterAll(async () => {
    target?.closeAllConnections()
    target?.close()
    await host?.close()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  const call = async (method: string, path: string, body?: object, more = {}): Promise<Json> => {
    const headers = { ...(key && { 'X-API-Key': key }), ...more }
    const answer = await fetch(host.url + path, { method, headers, body: body && JSON.stringify(body) })
    return answer.json()
  }

  const url = (path: string) => `https://[${PUBLIC_ADDRESS}]:${(target.address() as AddressInfo).port}${path}`

  const deliver = (to: string, subject: string, body: string) =>
    host.deliver(`From: a@shop.example\r\nSubject: ${subject}\r\n\r\n${body}\r\n`, [to])

  const requests = (path: string, count: number): Promise<Received[]> =>
    eventually(
      `${count} requests to ${path}`,
      () => received.get(path) ?? [],
      ({ length }) => length >= count,
    )

  /** Asks at a slower pace than `eventually`. */
  const callSlowly = async (path: string): Promise<Json> => {
    await sleep(PAUSE_MS)
    return call('GET', path)
  }

  const attempts = async (id: string, count: number): Promise<Json[]> => {
    const { deliveries } = await eventually(
      `${count} attempts`,
      () => callSlowly(`/api/webhooks/${id}/deliveries`),
      (seen) => seen.deliveries.length >= count,
    )
    return deliveries
  }

  test('npm run verify:aws reads its mail by REST, a stream and a webhook', async () => {
    const { cloud } = host.stack
    const client = new CloudFormationClient({ ...EMULATED, endpoint: cloud.endpoint })
    const deployment = await findDeployment(client, 'Mayfly', host.url)
    expect(await deployment.firstDomain()).toBe(host.domain)
    const asked: string[] = []
    const checks = await runChecks({
      deployment,
      domain: host.domain,
      webhookUrl: url('/verify'),
      send: (to, subject, body) => deliver(to, subject, body),
      // The emulator has no metrics of SQS and no log groups of the test's task.
      cloudWatch: {
        async alarmsThatAreOn(stack) {
          asked.push(stack)
          return []
        },
        async sumOf(_namespace, _name, { QueueName = '' }) {
          asked.push(QueueName)
          return 1
        },
        async hasLine(group) {
          asked.push(group)
          return true
        },
      },
      patienceMs: 30_000,
    })
    client.destroy()
    expect(checks.filter(({ isGood }) => !isGood)).toEqual([])
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['read by REST, with its code', 'sent by a stream', 'webhook attempted']),
    )
    expect(asked).toEqual([
      expect.stringMatching(/InboundQueue/),
      expect.stringMatching(/InboundIngestLogs/),
      expect.stringMatching(/SseLogs/),
      'Mayfly',
    ])
  }, 120_000)

  test('an incoming mail becomes a signed request to the target', async () => {
    const address = freshAddress(host.domain)
    const webhook = await call('POST', '/api/webhooks', { url: url('/code'), address, has: 'code' })
    expect(webhook).toMatchObject({ success: true, address, secret: expect.stringMatching(/^whsec_/) })
    await deliver(address, 'News', 'Nothing to see here.')
    await deliver(address, 'Welcome', 'Your code is 739105.')
    const [{ headers, body }] = (await requests('/code', 1)) as [Received]
    const event = new Webhook(webhook.secret).verify(body, headers) as Json
    expect(event).toMatchObject({
      type: 'email.received',
      data: { domain: host.domain, email: { address, subject: 'Welcome', codes: ['739105'] } },
    })
    expect((await attempts(webhook.id, 1))[0]).toMatchObject({ status: 204 })
    const { emails } = await call('GET', `/api/emails/${address}?has=code`)
    expect(event.data.email.id).toBe(emails[0].id)
  })

  test('a failed request is retried under the same id, and 410 ends the webhook', async () => {
    const address = freshAddress(host.domain)
    answers.set('/refusing', [500, 410])
    const { id, secret } = await call('POST', '/api/webhooks', { url: url('/refusing'), address })
    await deliver(address, 'Hi', 'x')
    const [first, second] = (await requests('/refusing', 2)) as [Received, Received]
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
    expect(new Webhook(secret).verify(second.body, second.headers)).toMatchObject({ type: 'email.received' })
    await eventually(
      'the end of the webhook',
      () => callSlowly(`/api/webhooks/${id}`),
      ({ code }) => code === 'webhook_not_found',
    )
  })

  test('a webhook of a private domain needs its key, and receives the mail of every address there', async () => {
    const [domain] = host.privateDomains
    const wanted = { url: url('/private'), domain }
    expect(await call('POST', '/api/webhooks', wanted)).toMatchObject({ code: 'domain_key_missing' })
    const webhook = await call('POST', '/api/webhooks', wanted, { 'X-Domain-Key': host.domainKey })
    const address = freshAddress(domain)
    await deliver(address, 'Private', 'x')
    const [{ headers, body }] = (await requests('/private', 1)) as [Received]
    expect(new Webhook(webhook.secret).verify(body, headers)).toMatchObject({
      data: { domain, email: { address, subject: 'Private' } },
    })
  })

  test('a test sends a ping while its caller waits', async () => {
    const address = freshAddress(host.domain)
    const { id, secret } = await call('POST', '/api/webhooks', { url: url('/ping'), address })
    const answer = await call('POST', `/api/webhooks/${id}/test`)
    const [{ headers, body }] = received.get('/ping') as [Received]
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'ping' })
    expect(answer).toMatchObject({ success: true })
  })

  test('targets on the machine of the function, and targets without https, are rejected', async () => {
    const { port } = target.address() as AddressInfo
    for (const refused of [
      `https://127.0.0.1:${port}/`,
      `http://[${PUBLIC_ADDRESS}]:${port}/`,
      'https://169.254.169.254/',
    ]) {
      expect(
        await call('POST', '/api/webhooks', { url: refused, address: `a@${host.domain}` }),
      ).toMatchObject({
        success: false,
        code: 'invalid_webhook_url',
      })
    }
  })
})
