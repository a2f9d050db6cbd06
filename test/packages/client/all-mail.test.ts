import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { FILTER_NAMES } from '../../../core/inbox/filter.ts'
import { Mayfly } from '../../../packages/client/src/mayfly.ts'
import { MailTimeoutError } from '../../../packages/client/src/wait-errors.ts'
import { sendMail } from '../../support/mail.ts'
import { type RunningService, startService } from '../../support/service.ts'
import { startProxy } from './proxy.ts'

const KEY = 'operator-key-0123456789'

let service: RunningService
let mayfly: Mayfly
const send = (to: string, subject: string) => sendMail(service.smtp, { to, subject, text: 'x' })

beforeAll(async () => {
  service = await startService({ MAYFLY_CATCH_ALL: 'on', MAYFLY_API_KEYS: KEY })
})
beforeEach(async () => {
  mayfly = new Mayfly({ url: service.http, apiKey: KEY })
  await mayfly.clear()
})
afterAll(() => service.stop())

test('lists the mails of all addresses, and clears those that match', async () => {
  await send('ann@one.test', 'first')
  await send('jo@two.test', 'second')
  expect((await mayfly.mails()).map(({ subject }) => subject)).toEqual(['second', 'first'])
  expect((await mayfly.mails({ to: /^ann@/ })).map(({ address }) => address)).toEqual(['ann@one.test'])
  expect(await mayfly.clear({ to: 'jo@two' })).toBe(1)
  expect(await mayfly.clear()).toBe(1)
  expect(await mayfly.mails()).toEqual([])
})

test.each(FILTER_NAMES)('clear() deletes nothing for a pattern for %s', async (name) => {
  await send('ann@one.test', 'first')
  await expect(mayfly.clear({ [name]: /x/ })).rejects.toThrow(TypeError)
  expect(await mayfly.mails()).toHaveLength(1)
})

test('waits for a mail, that arrived before or arrives later, each once', async () => {
  await send('jo@two.test', 'before')
  expect((await mayfly.waitForMail({ to: 'jo@two.test' })).subject).toBe('before')
  const next = mayfly.waitForMail({ to: 'jo@two.test', timeout: 20_000 })
  await send('ann@one.test', 'of another')
  await send('jo@two.test', 'after')
  expect((await next).subject).toBe('after')
  const pattern = mayfly.waitForMail({ subject: /^wanted/, timeout: 20_000 })
  await send('a@three.test', 'unwanted')
  await send('b@three.test', 'wanted')
  expect((await pattern).address).toBe('b@three.test')
})

test('a wait that times out lists what arrived', async () => {
  await send('ann@one.test', 'of another')
  const error = await mayfly.waitForMail({ to: 'jo@', timeout: 100 }).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(MailTimeoutError)
  expect((error as Error).message).toMatch(/^No mail to "jo@" arrived for any address .*of another/s)
  // A number this small was probably meant in seconds.
  expect((error as Error).message).toContain('within 100 ms (`timeout` is in milliseconds).')
  expect(await mayfly.waitForMail({ to: 'jo@', timeout: 0, orNull: true })).toBeNull()
})

test('a wait that times out says that earlier waits have returned mail', async () => {
  const message = () => mayfly.waitForMail({ to: 'jo@', timeout: 0 }).catch((error: Error) => error.message)
  await send('jo@two.test', 'returned')
  await mayfly.waitForMail({ to: 'jo@' })
  expect(await message()).toMatch(/^No mail to "jo@" arrived .* Earlier waits have returned all mail/)
  await send('ann@one.test', 'of another')
  expect(await message()).toMatch(/"of another"[^\n]*\nMails that earlier waits have returned are not listed/)
  expect(await message()).not.toContain('"returned"')
})

test('streams every mail that arrives', async () => {
  await send('a@one.test', 'before')
  const stream = mayfly.stream()
  const first = stream.next()
  await send('b@two.test', 'one')
  expect((await first).value).toMatchObject({ subject: 'one', address: 'b@two.test' })
  await stream.return()
})

test('the stream of a service without mail has a mail that arrives while it connects', async () => {
  const proxy = await startProxy(service.http, {
    async answer(_response, path) {
      if (path === '/api/sse') await send('a@one.test', 'first of all')
      return false
    },
  })
  const stream = new Mayfly({ url: proxy.url, apiKey: KEY }).stream()
  expect((await stream.next()).value).toMatchObject({ subject: 'first of all' })
  await stream.return()
  await proxy.close()
})

test('a key that anyone can get is refused, with the reason', async () => {
  const answer = await fetch(`${service.http}/api/keys`, { method: 'POST' })
  const { key } = (await answer.json()) as { key: string }
  const stranger = new Mayfly({ url: service.http, apiKey: key })
  for (const call of [() => stranger.mails(), () => stranger.waitForMail(), () => stranger.clear()]) {
    await expect(call()).rejects.toMatchObject({ code: 'operator_key_required', status: 403 })
  }
})
