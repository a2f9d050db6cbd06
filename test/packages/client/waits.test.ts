import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import * as client from '../../../packages/client/src/node.ts'
import { type RunningMayfly, startMayfly } from '../../../packages/mayfly/src/start.ts'
import { sendMail } from '../../support/mail.ts'
import { refuse, startProxy, type TestProxy } from './proxy.ts'

const { Mayfly } = client

/** Which requests the SDK sends, seen by a proxy in front of a real service. */
describe('waiting', () => {
  let service: RunningMayfly
  let proxies: TestProxy[] = []

  beforeAll(async () => {
    service = await startMayfly()
  })
  afterAll(() => service?.stop())
  afterEach(async () => {
    await Promise.all(proxies.map((proxy) => proxy.close()))
    proxies = []
  })

  async function through(behaviour?: Parameters<typeof startProxy>[1]) {
    const proxy = await startProxy(service.url, behaviour)
    proxies.push(proxy)
    return { proxy, mayfly: new Mayfly({ url: proxy.url, apiKey: service.apiKey }) }
  }

  const send = (to: string, text: string, subject = 'Hello') => sendMail(service.smtp, { to, subject, text })

  test.each(['before', 'during'])(
    'a mail that arrives %s the wait takes four requests in total',
    async (when) => {
      const { proxy, mayfly } = await through()
      {
        await using inbox = await mayfly.inbox()
        if (when === 'before') await send(inbox.address, 'Your code is 739105.')
        const code = inbox.waitForCode()
        if (when === 'during') await send(inbox.address, 'Your code is 739105.')
        expect(await code).toBe('739105')
      }
      expect(
        proxy.requests.map((request) => request.replace(/\?.*/, '').replace(/[^/]+%40[^/]+/, ':address')),
      ).toEqual([
        'GET /api/domains/random',
        'GET /api/random-username',
        'GET /api/emails/:address/wait',
        'DELETE /api/emails/:address',
      ])
    },
  )

  test('waits return mails in the order in which they arrived', async () => {
    const { mayfly } = await through()
    const inbox = await mayfly.inbox()
    for (const code of ['111222', '333444', '555666']) await send(inbox.address, `Your code is ${code}.`)
    expect(await inbox.waitForCode()).toBe('111222')
    expect(await inbox.waitForCode({ q: '5556' })).toBe('555666')
    expect(await inbox.waitForCode()).toBe('333444')
  })

  test.each([
    ['pattern', { subject: /never/ }],
    ['predicate', { where: () => false }],
  ])('a %s that rejects a mail that is there does not ask for it again', async (_what, filter) => {
    const { proxy, mayfly } = await through()
    const inbox = await mayfly.inbox()
    await send(inbox.address, 'Your code is 739105.', 'One')
    const error = await inbox.waitForMail({ ...filter, timeout: 2500 }).catch((reason) => reason)
    expect(error).toBeInstanceOf(client.MailTimeoutError)
    expect(error.arrived).toHaveLength(1)
    const waits = proxy.requests.filter((request) => request.includes('/api/emails/'))
    // A wait that returns the mail, a list, a wait that continues after it, and one list at the end.
    expect(waits.length).toBeLessThanOrEqual(5)
  })

  test('a mail that was rejected and one that is older are both found by later waits', async () => {
    const { mayfly } = await through()
    const inbox = await mayfly.inbox()
    await send(inbox.address, 'x', 'Invoice')
    await send(inbox.address, 'x', 'Welcome')
    expect((await inbox.waitForMail({ subject: /welcome/i })).subject).toBe('Welcome')
    expect((await inbox.waitForMail()).subject).toBe('Invoice')
  })

  test('more mails than one page holds are all listed', async () => {
    const { mayfly } = await through({
      rewrite: (url) => url.searchParams.has('limit') && url.searchParams.set('limit', '2'),
    })
    const inbox = await mayfly.inbox()
    for (const subject of ['1', '2', '3', '4', '5']) await send(inbox.address, 'x', subject)
    expect((await inbox.mails()).map((mail) => mail.subject)).toEqual(['5', '4', '3', '2', '1'])
    expect((await inbox.waitForMails({ count: 5 })).map((mail) => mail.subject)).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
    ])
  })

  test('disposal is one request, also when the service asks to wait', async () => {
    let refuses = false
    const { proxy, mayfly } = await through({
      answer: (response) => {
        if (refuses) refuse(response, 429, 'rate_limited', { 'Retry-After': '27' })
        return refuses
      },
    })
    const inbox = await mayfly.inbox()
    refuses = true
    proxy.requests.length = 0
    await inbox[Symbol.asyncDispose]()
    expect(proxy.requests).toEqual([`DELETE /api/emails/${encodeURIComponent(inbox.address)}`])
  })

  test('`orNull` returns null where there would be a time-out', async () => {
    const { mayfly } = await through()
    const inbox = await mayfly.inbox()
    const options = { timeout: 0, orNull: true } as const
    expect(await inbox.waitForMail(options)).toBeNull()
    expect(await inbox.waitForCode(options)).toBeNull()
    expect(await inbox.waitForLink(options)).toBeNull()
    expect(await inbox.waitForLink('/terms', options)).toBeNull()
    expect(await inbox.waitForMails({ ...options, count: 2 })).toBeNull()
  })

  test('`pattern` selects the code', async () => {
    const { mayfly } = await through()
    const inbox = await mayfly.inbox()
    await send(inbox.address, 'Order 8812 is on its way. Your verification code is 739105.')
    await send(inbox.address, 'Room: blue-fox')
    const { address } = inbox
    const again = () => mayfly.inbox({ address, history: true })
    expect(await (await again()).waitForCode({ pattern: /^\d{6}$/g })).toBe('739105')
    expect(await (await again()).waitForCode({ pattern: /order (\d+)/i })).toBe('8812')
    expect(await (await again()).waitForCode({ pattern: /[a-z]+-[a-z]+/ })).toBe('blue-fox')
    const error = await inbox.waitForCode({ pattern: /ticket/, timeout: 0 }).catch((reason) => reason)
    expect(error.message).toContain('No code that matches /ticket/ arrived')
  })

  test('the client has a time-out for its waits, and MAYFLY_TIMEOUT sets it', async () => {
    const waited = async (mayfly: client.Mayfly) => {
      const inbox = await mayfly.inbox()
      return (await inbox.waitForMail().catch((reason) => reason)) as client.MailTimeoutError
    }
    const own = new Mayfly({ url: service.url, apiKey: service.apiKey, timeout: 2000 })
    process.env.MAYFLY_TIMEOUT = '1900'
    try {
      const fromVariable = new Mayfly({ url: service.url, apiKey: service.apiKey })
      for (const mayfly of [own, fromVariable]) {
        const error = await waited(mayfly)
        expect(error).toBeInstanceOf(client.MailTimeoutError)
        // Far below the 30 s of a client without a time-out.
        expect(error.waitedMs).toBeLessThan(20_000)
      }
      process.env.MAYFLY_TIMEOUT = 'soon'
      expect(() => new Mayfly()).toThrow(
        'MAYFLY_TIMEOUT must be a number of milliseconds from 0, not "soon".',
      )
    } finally {
      delete process.env.MAYFLY_TIMEOUT
    }
  })
})
