import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { summary } from '../../adapters/http/wire/email.ts'
import { CATCH_ALL } from '../../core/access/catch-all.ts'
import { fitted } from '../../core/events/webhooks/payload.ts'
import { PublishedEmails } from '../../core/events/webhooks/published-emails.ts'
import { assembleSqliteService, configureDomains, type SqliteService } from '../../service/sqlite.ts'
import { openTemporary } from '../adapters/sqlite/store-temporary.ts'
import { sampleMail, sampleWebhook, uniqueHash } from '../contract/sample.ts'
import { startDns } from '../support/dns-server.ts'

const DOMAIN = 'mayfly.test'
const ADDRESS = `bot@${DOMAIN}`

let opened: Awaited<ReturnType<typeof openTemporary>>
let service: SqliteService
let server: Server

beforeEach(async () => {
  opened = await openTemporary()
  await configureDomains(opened, { domains: [{ name: DOMAIN, key: null }], catchAll: false })
  server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  service = assemble({ isLoopback: true })
})

function assemble({
  isLoopback,
  dnsServers = [],
}: {
  isLoopback: boolean
  dnsServers?: string[]
}): SqliteService {
  return assembleSqliteService(opened, {
    catchAll: false,
    mxHost: 'mx.test',
    dnsServers,
    isLoopback,
    operatorKeys: [],
    info: { baseUrl: undefined, smtp: null, retentionMs: 1000, maxMessageBytes: 1000, hasAllMail: true },
    pause: async () => {},
  })
}

afterEach(async () => {
  service.service.live.stop()
  await service.stopWebhooks()
  server.closeAllConnections()
  server.close()
  await opened.close()
})

/** Returns the next body that the target receives. */
async function nextBody(): Promise<{ data: { email: unknown } }> {
  const [request, response] = await once(server, 'request')
  const chunks = await request.toArray()
  response.writeHead(204).end()
  return JSON.parse(Buffer.concat(chunks).toString())
}

/** Adds a live webhook for the address, whose target is the server. */
async function addWebhook(): Promise<void> {
  const now = Date.now()
  const keyHash = uniqueHash()
  await opened.keys.add({ hash: keyHash, purpose: 'test', createdAt: now, expiresAt: now + 60_000 })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await opened.webhooks.add(sampleWebhook(now, { keyHash, url, target: { address: ADDRESS } }), 1)
}

test('the first attempt of a webhook sends the stored email without reading it', async () => {
  await addWebhook()
  const find = jest.spyOn(opened.emails, 'find')

  const received = nextBody()
  const [email] = await opened.emails.store(sampleMail([ADDRESS]))
  const { data } = await received
  expect(find).not.toHaveBeenCalled()
  const stored = await opened.emails.find(ADDRESS, email!.id)
  expect(data.email).toEqual(JSON.parse(JSON.stringify(summary(fitted(stored!.email)))))
})

test('a service that starts sends the webhooks that an earlier one left in the outbox', async () => {
  await service.stopWebhooks()
  await addWebhook()
  const [email] = await opened.emails.store(sampleMail([ADDRESS]))
  const received = nextBody()
  service = assemble({ isLoopback: true })
  expect((await received).data.email).toMatchObject({ id: email!.id })
})

test('a service that stopped its webhooks keeps no emails for them', async () => {
  await addWebhook()
  const changed = jest.spyOn(PublishedEmails.prototype, 'changed')
  const received = nextBody()
  await opened.emails.store(sampleMail([ADDRESS]))
  await received
  expect(changed).toHaveBeenCalledTimes(1)
  await service.stopWebhooks()
  await opened.emails.store(sampleMail([ADDRESS]))
  expect(changed).toHaveBeenCalledTimes(1)
  changed.mockRestore()
})

test('webhooks have stopped when the outbox has answered the last look for due jobs', async () => {
  const asked = Promise.withResolvers<void>()
  const held = Promise.withResolvers<never[]>()
  jest.spyOn(opened.webhooks, 'due').mockImplementationOnce(() => {
    asked.resolve()
    return held.promise
  })
  await addWebhook()
  await asked.promise
  let isStopped = false
  const stopping = service.stopWebhooks().then(() => {
    isStopped = true
  })
  await turn()
  expect(isStopped).toBe(false)
  held.resolve([])
  await stopping
})

test('a service that strangers reach asks DNS only about names that can be public', async () => {
  const dns = await startDns()
  dns.set('MX', 'mail.corp', ['10 mx.test'])
  const verified: unknown[] = []
  for (const isLoopback of [true, false]) {
    const { service: of, stopWebhooks } = assemble({ isLoopback, dnsServers: [dns.address] })
    const answer = of.verifier.verify('mail.corp', { client: 'c' })
    verified.push(
      await answer.then(
        ({ verified }) => verified,
        ({ code }) => code,
      ),
    )
    await stopWebhooks()
  }
  await dns.close()
  expect(verified).toEqual([true, 'invalid_domain'])
})

test('the catch-all domain is registered only as long as it is configured', async () => {
  const registered: boolean[] = []
  for (const catchAll of [true, false]) {
    await configureDomains(opened, { domains: [{ name: DOMAIN, key: null }], catchAll })
    registered.push((await opened.domains.find(CATCH_ALL)) !== undefined)
  }
  expect(registered).toEqual([true, false])
})
