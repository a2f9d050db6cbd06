import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { wireTypes } from '../../packages/client/build/wire.ts'
import { FileKeeper } from '../../packages/client/src/key-file.ts'
import * as client from '../../packages/client/src/node.ts'
import { listening } from '../support/http-server.ts'
import { sendMail } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { SCENARIOS } from './sdk-scenarios.mjs'

const { Mayfly } = client

/** The SDK from its sources, against a real service. packed.installed.ts runs the same scenarios in other runtimes. */
describe('the SDK', () => {
  let service: RunningService
  let apiKey: string

  beforeAll(async () => {
    service = await startService()
    apiKey = await newKey(service.http)
  })
  afterAll(() => service?.stop())

  test.each(Object.entries(SCENARIOS))('%s', async (_name, scenario) => {
    await scenario({ ...client, url: service.http, apiKey, post: (mail) => post(service, mail) })
  })

  test('its types are those that the service sends', async () => {
    const file = new URL('../../packages/client/src/wire.ts', import.meta.url)
    expect(await readFile(file, 'utf8')).toBe(wireTypes())
  })

  test('it imports nothing but itself and Node, and Node only where there is one', async () => {
    const folder = new URL('../../packages/client/src/', import.meta.url)
    const outside: string[] = []
    for (const name of (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'))) {
      const text = await readFile(new URL(name, folder), 'utf8')
      for (const [, from] of text.matchAll(/from '([^']+)'/g)) {
        if (!from!.startsWith('./') && from !== '../node.ts') outside.push(`${name} ${from}`)
      }
    }
    expect(new Set(outside.map((line) => line.split(' ')[0]))).toEqual(
      new Set(['key-file.ts', 'fixtures/playwright.ts', 'fixtures/cypress.ts']),
    )
  })

  test('a key that is wrong: says where it comes from', async () => {
    const mayfly = new Mayfly({ url: service.http, apiKey: 'mf_wrong' })
    const inbox = await mayfly.inbox()
    await expect(inbox.waitForMail()).rejects.toMatchObject({
      code: 'api_key_invalid',
      status: 401,
      message: expect.stringContaining('MAYFLY_API_KEY'),
    })
  })

  test.each([
    ['a domain that is not here', { domain: 'nowhere.test' }, 'domain_not_found', 'GET /api/domains'],
    ['a prefix that no address can have', { prefix: 'a b' }, 'invalid_address', 'address'],
  ])('%s: refused in words', async (_what, options, code, words) => {
    const inbox = await new Mayfly({ url: service.http, apiKey }).inbox(options)
    await expect(inbox.waitForMail()).rejects.toMatchObject({ code, message: expect.stringContaining(words) })
  })

  test.each(['', 'localhost:8080', 'mailto:a@b.example', 'http://'])('"%s" is no URL of a service', (url) => {
    expect(() => new Mayfly({ url: url || ' ' })).toThrow(/is no URL of a service.*MAYFLY_URL/)
  })

  test('nobody there: said at once, with what to do', async () => {
    const { url, close } = await answering(() => {})
    await close()
    await expect(new Mayfly({ url, apiKey }).inbox()).rejects.toMatchObject({
      code: 'unreachable',
      message: `No service answers at ${url} (ECONNREFUSED). Start one with \`npx mayfly\`, or set MAYFLY_URL (or \`url\`) to where it is.`,
    })
  })

  test('somebody else there: said at once', async () => {
    const { url, close } = await answering((response) => response.end('<html>'))
    await expect(new Mayfly({ url, apiKey }).inbox()).rejects.toMatchObject({
      code: 'not_mayfly',
      message: expect.stringContaining('without /api'),
    })
    await close()
  })

  test.each([
    [429, { 'Retry-After': '1' }],
    [503, {}],
    [502, {}],
  ])('an answer %d is waited for, as its Retry-After says', async (status, headers) => {
    let refusals = 0
    const { url, close } = await answering(async (response, path) => {
      if (path.includes('/wait') && refusals++ < 1) {
        response.writeHead(status, { ...headers, 'Content-Type': 'application/problem+json' })
        response.end(JSON.stringify({ code: 'rate_limited', title: 'T', detail: 'D', status }))
      } else await pass(response, service.http + path, apiKey)
    })
    const inbox = await new Mayfly({ url, apiKey }).inbox()
    const code = inbox.waitForCode({ timeout: 20_000 })
    await post(service, { to: inbox.address, text: 'Your code is 445566.' })
    expect(await code).toBe('445566')
    expect(refusals).toBe(2)
    await close()
  })

  test('a wait that is asked for is longer than the time left: refused, not slept away', async () => {
    const { url, close } = await answering((response) => {
      response.writeHead(429, { 'Retry-After': '3600', 'Content-Type': 'application/problem+json' })
      response.end(
        JSON.stringify({ code: 'key_quota_exceeded', title: 'No more', detail: 'Five.', status: 429 }),
      )
    })
    await expect(new Mayfly({ url }).apiKey()).rejects.toMatchObject({ code: 'key_quota_exceeded' })
    await close()
  })

  test('two tests on one inbox: each sees every mail', async () => {
    const mayfly = new Mayfly({ url: service.http, apiKey })
    const one = await mayfly.inbox()
    const two = await mayfly.inbox({ address: one.address })
    await post(service, { to: one.address, text: 'Your code is 445566.' })
    expect(await Promise.all([one.waitForCode(), two.waitForCode()])).toEqual(['445566', '445566'])
  })

  test('a key given expires in the middle of a wait: said so; one of its own is replaced', async () => {
    const cache = await mkdtemp(join(tmpdir(), 'mayfly-keys-'))
    class Own extends Mayfly {
      protected override get keeper() {
        return new FileKeeper(join(cache, 'keys.json'))
      }
    }
    const own = new Own({ url: service.http })
    const given = new Mayfly({ url: service.http, apiKey: await own.apiKey() })
    const inboxes = await Promise.all([own.inbox(), given.inbox()])
    const waits = Promise.allSettled(inboxes.map((inbox) => inbox.waitForCode({ timeout: 20_000 })))
    await new Promise((resolve) => setTimeout(resolve, 200))
    await fetch(`${service.http}/api/keys/current`, {
      method: 'DELETE',
      headers: { 'X-API-Key': await own.apiKey() },
    })
    await post(service, { to: inboxes.map(({ address }) => address), text: 'Your code is 445566.' })
    expect(await waits).toMatchObject([
      { status: 'fulfilled', value: '445566' },
      { status: 'rejected', reason: { code: 'api_key_invalid' } },
    ])
    await rm(cache, { recursive: true })
  })

  describe('a service that restarts', () => {
    let dataDir: string
    let port: string
    let running: RunningService

    beforeEach(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'mayfly-restart-'))
      running = await startService({}, { dataDir })
      port = new URL(running.http).port
    })
    afterEach(async () => {
      await running.stop()
      await rm(dataDir, { recursive: true })
    })

    test.each(['stop', 'kill'] as const)('in the middle of a wait and of a stream (%s)', async (end) => {
      const inbox = await new Mayfly({ url: running.http, apiKey: await newKey(running.http) }).inbox()
      const code = inbox.waitForCode()
      const stream = inbox.stream()
      const first = stream.next()
      await post(running, { to: inbox.address, subject: 'one', text: 'x' })
      expect((await first).value).toMatchObject({ subject: 'one' })
      const second = stream.next()
      await running[end]()
      await new Promise((resolve) => setTimeout(resolve, 500))
      running = await startService({ MAYFLY_HTTP_PORT: port }, { dataDir })
      await post(running, { to: inbox.address, subject: 'two', text: 'Your code is 445566.' })
      expect(await code).toBe('445566')
      expect((await second).value).toMatchObject({ subject: 'two' })
      await stream.return()
    })

    test('that does not come back is told when the time is over', async () => {
      const inbox = await new Mayfly({ url: running.http, apiKey: await newKey(running.http) }).inbox()
      const code = inbox.waitForCode({ timeout: 1500 })
      await running.kill()
      await expect(code).rejects.toMatchObject({
        code: 'unreachable',
        message: expect.stringContaining('answered before and does not any more'),
      })
      running = await startService({ MAYFLY_HTTP_PORT: port }, { dataDir })
    })
  })

  describe('the key file', () => {
    let cache: string
    let file: string

    beforeEach(async () => {
      cache = await mkdtemp(join(tmpdir(), 'mayfly-keys-'))
      file = join(cache, 'below', 'keys.json')
    })
    afterEach(() => rm(cache, { recursive: true }))

    test('workers that start together take one key', async () => {
      let issued = 0
      const issue = async () => `key ${issued++}`
      const take = () => new FileKeeper(file).take('http://a', issue, undefined)
      expect(new Set(await Promise.all(Array.from({ length: 12 }, take)))).toEqual(new Set(['key 0']))
      expect(await new FileKeeper(file).take('http://b', issue, undefined)).toBe('key 1')
      expect(await take()).toBe('key 0')
    })

    test('a key that was refused is replaced, and whoever comes later has the new one', async () => {
      await new FileKeeper(file).take('http://a', async () => 'old', undefined)
      expect(await new FileKeeper(file).take('http://a', async () => 'new', 'old')).toBe('new')
      expect(await new FileKeeper(file).take('http://a', async () => 'none', 'old')).toBe('new')
    })

    test('a file that is broken, or cannot be written, is no obstacle', async () => {
      await writeFile(join(cache, 'keys.json'), '{')
      const broken = new FileKeeper(join(cache, 'keys.json'))
      expect(await broken.take('http://a', async () => 'key', undefined)).toBe('key')
      const nowhere = new FileKeeper(join(cache, 'keys.json', 'below', 'keys.json'))
      expect(await nowhere.take('http://a', async () => 'key', undefined)).toBe('key')
    })

    test('nobody else may read it', async () => {
      await new FileKeeper(file).take('http://a', async () => 'key', undefined)
      const { mode } = await import('node:fs').then(({ statSync }) => statSync(file))
      expect(mode & 0o077).toBe(0)
    })
  })
})

async function newKey(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/keys`, { method: 'POST' })
  return ((await answer.json()) as { key: string }).key
}

async function post(to: RunningService, mail: object): Promise<void> {
  await sendMail(to.smtp, mail)
}

/** A server that answers every request with `answer`: for faults that the service cannot be made to have. */
async function answering(answer: (response: ServerResponse, path: string) => unknown) {
  return listening(createServer((request, response) => answer(response, request.url!)))
}

async function pass(response: ServerResponse, url: string, key: string): Promise<void> {
  const answer = await fetch(url, { headers: { 'X-API-Key': key } })
  response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type')! })
  response.end(await answer.text())
}
