import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { MailTimeoutError, Mayfly, UnexpectedMailError } from '../../../packages/client/src/node.ts'
import { type RunningMayfly, startMayfly } from '../../../packages/mayfly/src/start.ts'
import { freshAddress, sendMail } from '../../support/mail.ts'
import { startProxy } from './proxy.ts'

/** The first mistakes of a newcomer, and what the SDK says about each. */
describe('errors that know', () => {
  let service: RunningMayfly
  let mayfly: Mayfly

  beforeAll(async () => {
    service = await startMayfly({ MAYFLY_CATCH_ALL: 'off' })
    mayfly = new Mayfly({ url: service.url, apiKey: service.apiKey })
  })
  afterAll(() => service?.stop())

  const send = (to: string, subject = 'Hello', more = {}) =>
    sendMail(service.smtp, { to, subject, text: 'Your code is 739105.', ...more })
  const timeoutOf = async (wait: Promise<unknown>) => {
    const error = await wait.catch((thrown: unknown) => thrown)
    if (error instanceof MailTimeoutError) return error
    throw error
  }

  test('mail from before the inbox was opened is named, and `history: true` finds it', async () => {
    const address = freshAddress()
    await send(address, 'Early')
    const inbox = await mayfly.inbox({ address })
    const error = await timeoutOf(inbox.waitForCode({ timeout: 100 }))
    expect(error.earlier.map(({ subject }) => subject)).toEqual(['Early'])
    expect(error.message).toMatch(/Before this inbox was opened, there arrived:\n.*"Early" {2}\(1 code, /)
    expect(error.message).toContain('Pass `history: true` to `inbox()`')
    expect(error.message).not.toContain('No other mail')
    expect(await (await mayfly.inbox({ address, history: true })).waitForCode()).toBe('739105')
  })

  test('of many earlier mails the newest five are named', async () => {
    const address = freshAddress()
    for (const subject of ['1', '2', '3', '4', '5', '6']) await send(address, subject)
    const inbox = await mayfly.inbox({ address })
    const error = await timeoutOf(inbox.waitForMail({ timeout: 100 }))
    expect(error.earlier.map(({ subject }) => subject)).toEqual(['6', '5', '4', '3', '2'])
  })

  test('refusals for this address and for a misspelt one are named, those of others are not', async () => {
    const inbox = await mayfly.inbox()
    const misspelt = inbox.address.replace('mayfly.test', 'mayfly.tset')
    for (const to of ['somebody@elsewhere.test', misspelt]) await expect(send(to)).rejects.toThrow('550')
    const error = await timeoutOf(inbox.waitForMail({ timeout: 100 }))
    expect(error.refused.map(({ recipient }) => recipient)).toEqual([misspelt])
    expect(error.message).toMatch(/The service refused:\n.*mayfly\.tset {2}550 5\.1\.2 .*MAYFLY_CATCH_ALL=on/)
  })

  test('mail for a similar address is named, mail for others and for this inbox is not', async () => {
    const inbox = await mayfly.inbox({ address: 'Jo.Similar@Mayfly.test' })
    const similar = `a${inbox.address.toLowerCase()}`
    for (const to of [similar, 'somebody@mayfly.test', inbox.address]) await send(to)
    await inbox.waitForCode()
    const error = await timeoutOf(inbox.waitForMail({ timeout: 100 }))
    expect(error.stray.map(({ address }) => address)).toEqual([similar])
    expect(error.message).toMatch(/ Mail for \S+ arrived \d s ago; this inbox is \S+\.\nWhy: /)
    expect(error.message).not.toContain('No other mail')
  })

  test('mail that an earlier wait returned is not denied', async () => {
    const inbox = await mayfly.inbox()
    await send(inbox.address)
    expect(await inbox.waitForCode()).toBe('739105')
    const error = await timeoutOf(inbox.waitForLink({ timeout: 100 }))
    expect(error.arrived).toEqual([])
    expect(error.message).toContain('each mail once. `waitForMail()` gives code and link of one.')
  })

  test('a count of 1 is not named', async () => {
    const inbox = await mayfly.inbox()
    const one = await timeoutOf(inbox.waitForMails({ count: 1, timeout: 0 }))
    const two = await timeoutOf(inbox.waitForMails({ count: 2, timeout: 0 }))
    expect([one.message.slice(0, 16), two.message.slice(0, 20)]).toEqual([
      'No mail arrived ',
      'No 2 × mail arrived ',
    ])
  })

  test('a client without an operator’s key gets the same error without refusals', async () => {
    const { key } = await mayfly.request<{ key: string }>({
      method: 'POST',
      path: '/api/keys',
      body: {},
      open: true,
    })
    const stranger = new Mayfly({ url: service.url, apiKey: key })
    const inbox = await stranger.inbox()
    await expect(send(inbox.address.replace('mayfly.test', 'mayfly.tset'))).rejects.toThrow('550')
    await send(`a${inbox.address}`)
    const error = await timeoutOf(inbox.waitForMail({ timeout: 100 }))
    expect([error.refused, error.stray]).toEqual([[], []])
    expect(error.message).toContain('No other mail arrived either.')
    expect(error.message).toMatch(/\nWhy: http:\/\/127\.0\.0\.1:\d+\/#[^ /]+@[^ /]+\/activity$/)
  })

  test('`exactly` fails when one more matching mail arrives within a second', async () => {
    const inbox = await mayfly.inbox()
    await send(inbox.address, 'Welcome')
    await send(inbox.address, 'Other')
    const once = { count: 1, exactly: true, subject: 'Welcome' }
    expect((await inbox.waitForMails(once)).map(({ subject }) => subject)).toEqual(['Welcome'])
    await send(inbox.address, 'Welcome')
    await send(inbox.address, 'Welcome')
    const error = await inbox.waitForMails(once).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UnexpectedMailError)
    expect((error as Error).message).toMatch(/^Expected exactly 1 for .*, but this one arrived:\n.*"Welcome"/)
  })

  test('an attachment has its name, type and size without a request', async () => {
    const { proxyUrl, requests, close } = await counting()
    const inbox = await new Mayfly({ url: proxyUrl, apiKey: service.apiKey }).inbox()
    const attachments = [{ filename: 'März.pdf', content: 'x', contentType: 'application/pdf' }]
    await send(inbox.address, 'File', { attachments })
    const [attachment] = (await inbox.waitForMail()).attachments
    const before = requests.length
    expect([attachment?.filename, attachment?.contentType, attachment?.size, attachment?.inline]).toEqual([
      'März.pdf',
      'application/pdf',
      1,
      false,
    ])
    expect(requests).toHaveLength(before)
    await close()
  })

  test('a URL that ends with /api is named', async () => {
    const wrong = new Mayfly({ url: `${service.url}/api`, apiKey: service.apiKey })
    await expect(wrong.inbox()).rejects.toMatchObject({
      code: 'invalid_url',
      message: `The URL of the service ends before "/api": use ${service.url} in place of ${service.url}/api.`,
      status: 404,
    })
  })

  test('a host that accepts connections and does not answer ends inbox() after the time-out, and is named', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    for (const options of [{}, { address: 'a@mayfly.test' }]) {
      const error = await new Mayfly({ url, timeout: 200 }).inbox(options).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'unreachable', cause: { name: 'TimeoutError' } })
      const { message } = error as Error
      expect(message.replace(url, 'URL')).toMatch(
        /^URL accepts connections but does not answer within [\d.]+ s\. .* Set MAYFLY_URL/,
      )
      expect(Number(/within ([\d.]+) s/.exec(message)?.[1])).toBeGreaterThanOrEqual(0.2)
    }
    silent.close()
  })

  test('credentials of the URL go to the proxy that asks for them, and into no message', async () => {
    const proxy = await startProxy(service.url, {
      answer(response, _path, { headers }) {
        const isRight =
          headers.authorization === `Basic ${Buffer.from('jürgen:p@ss:word').toString('base64')}`
        if (!isRight) response.writeHead(401).end()
        return !isRight
      },
    })
    const withUser = proxy.url.replace('//', '//j%C3%BCrgen:p%40ss:word@')
    const inbox = await new Mayfly({ url: withUser, apiKey: service.apiKey }).inbox()
    await send(inbox.address)
    expect(await inbox.waitForCode()).toBe('739105')
    for await (const mail of inbox.stream()) {
      expect(mail.code).toBe('739105')
      break
    }
    const url = withUser.replace('word', 'wrong')
    const error = (await new Mayfly({ url, apiKey: 'x' }).inbox().catch((thrown: unknown) => thrown)) as Error
    expect(error.message).toContain(`${proxy.url} does not answer as Mayfly does`)
    expect(error.message).not.toMatch(/wrong|p%40ss|p@ss/)
    await proxy.close()
  })

  test.each([
    ['ftp://ann:secret@host', 'ftp://…@host'],
    ['ftp://ann:p@secret@host', 'ftp://…@host'],
    ['ann:secret@host:8025', '…@host:8025'],
    ['http://ann:secret@', 'http://…@'],
    ['http://a:sec/secret@host:99999', 'http://…@host:99999'],
  ])('a wrong URL is shown without its credentials: %s', (url, shown) => {
    expect(() => new Mayfly({ url })).toThrow(`"${shown}" is no URL of a service`)
    expect(() => new Mayfly({ url })).not.toThrow('secret')
  })

  async function counting() {
    const proxy = await startProxy(service.url)
    return { proxyUrl: proxy.url, requests: proxy.requests, close: () => proxy.close() }
  }
})
