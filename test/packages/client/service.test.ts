import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { wireFiles } from '../../../packages/client/build/wire.ts'
import { KeyFile } from '../../../packages/client/src/key-file.ts'
import * as client from '../../../packages/client/src/node.ts'
import { sendMail } from '../../support/mail.ts'
import { type RunningService, startService } from '../../support/service.ts'
import { SCENARIOS } from '../sdk-scenarios.mjs'

const { Mayfly } = client

/** The SDK from its sources, against a real service. runtimes.ts runs the same scenarios in other runtimes. */
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

  test.each(Object.entries(wireFiles()))('%s is as `npm run build:wire` writes it', async (path, text) => {
    expect(await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')).toBe(text)
  })

  test('it imports only itself, and Node only in the files for Node', async () => {
    const folder = new URL('../../../packages/client/src/', import.meta.url)
    const outside: string[] = []
    for (const name of (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'))) {
      const text = await readFile(new URL(name, folder), 'utf8')
      // The imports of an `@example` do not count.
      for (const [, from = ''] of text.matchAll(/^(?! \*).*from '([^']+)'/gm)) {
        if (!from.startsWith('./') && !from.startsWith('../')) outside.push(`${name} ${from}`)
      }
    }
    expect(new Set(outside.map((line) => line.split(' ')[0]))).toEqual(
      new Set(['key-file.ts', 'fixtures/playwright.ts']),
    )
  })

  test('the error for a wrong key says where the key comes from', async () => {
    const mayfly = new Mayfly({ url: service.http, apiKey: 'mf_wrong' })
    const inbox = await mayfly.inbox()
    await expect(inbox.waitForMail()).rejects.toMatchObject({
      code: 'api_key_invalid',
      status: 401,
      message: expect.stringContaining('MAYFLY_API_KEY'),
    })
  })

  test.each([
    ['an unknown domain', { domain: 'nowhere.test' }, 'domain_not_found', 'GET /api/domains'],
    ['an impossible prefix', { prefix: 'a b' }, 'invalid_address', '"a b"'],
  ])('the error for %s says what is wrong', async (_what, options, code, words) => {
    const mayfly = new Mayfly({ url: service.http, apiKey })
    const waiting = mayfly.inbox(options).then((inbox) => inbox.waitForMail())
    await expect(waiting).rejects.toMatchObject({ code, message: expect.stringContaining(words) })
  })

  test.each(['', 'localhost:8025', 'mailto:a@b.example', 'http://'])(
    '"%s" is not a valid URL of a service',
    (url) => {
      expect(() => new Mayfly({ url: url || ' ' })).toThrow(/is no URL of a service.*MAYFLY_URL/)
    },
  )

  test('two inboxes of the same address both return every mail', async () => {
    const mayfly = new Mayfly({ url: service.http, apiKey })
    const one = await mayfly.inbox()
    const two = await mayfly.inbox({ address: one.address })
    await post(service, { to: one.address, text: 'Your code is 445566.' })
    expect(await Promise.all([one.waitForCode(), two.waitForCode()])).toEqual(['445566', '445566'])
  })

  test('a key that is revoked during a wait is replaced, unless the caller gave it', async () => {
    const cache = await mkdtemp(join(tmpdir(), 'mayfly-keys-'))
    class Own extends Mayfly {
      protected override get keyStore() {
        return new KeyFile(join(cache, 'keys.json'))
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
    expect(await waits).toEqual([
      { status: 'fulfilled', value: '445566' },
      { status: 'fulfilled', value: '445566' },
    ])
    const again = await Promise.allSettled(inboxes.map((inbox) => inbox.mails()))
    expect(again).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'api_key_invalid' } },
    ])
    await rm(cache, { recursive: true })
  })

  describe('a service that stops', () => {
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

    test.each(['stop', 'kill'] as const)(
      'and starts again does not break a wait or a stream (%s)',
      async (end) => {
        const inbox = await new Mayfly({ url: running.http, apiKey: await newKey(running.http) }).inbox()
        // The start of a service takes long on a busy machine.
        const code = inbox.waitForCode({ timeout: 60_000 })
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
      },
    )

    test('and does not start again is an error after the time-out', async () => {
      const inbox = await new Mayfly({ url: running.http, apiKey: await newKey(running.http) }).inbox()
      const code = inbox.waitForCode({ timeout: 1500 })
      await running.kill()
      await expect(code).rejects.toMatchObject({
        code: 'unreachable',
        message: expect.stringContaining('answered before and does not answer now'),
      })
      running = await startService({ MAYFLY_HTTP_PORT: port }, { dataDir })
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
