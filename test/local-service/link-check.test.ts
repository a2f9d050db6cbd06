import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { listening } from '../support/http-server.ts'
import { freshAddress, sendMail } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'

const OPERATOR = 'operator-key-of-this-test'

describe('the link check', () => {
  let local: RunningService
  let open: RunningService
  let target: Awaited<ReturnType<typeof listening>>
  let requested: string[]

  beforeAll(async () => {
    requested = []
    target = await listening(
      createServer((request, response) => {
        requested.push(`${request.method} ${request.url}`)
        response.writeHead(204).end()
      }),
    )
    local = await startService({ MAYFLY_LINK_CHECK_HOSTS: new URL(target.url).host })
    open = await startService({ MAYFLY_HOST: '0.0.0.0', MAYFLY_API_KEYS: OPERATOR })
  }, 30_000)
  afterAll(async () => {
    await Promise.all([local?.stop(), open?.stop(), target?.close()])
  })

  const keyOf = async ({ http }: RunningService): Promise<string> =>
    ((await (await fetch(`${http}/api/keys`, { method: 'POST' })).json()) as { key: string }).key

  async function mailWith(service: RunningService, links: string[]): Promise<{ path: string; list: string }> {
    const address = freshAddress()
    await sendMail(service.smtp, { to: address, subject: 'Links', text: links.join('\n') })
    const list = `${service.http}/api/public/emails/${address}`
    const { emails } = (await (await fetch(list)).json()) as { emails: { id: string }[] }
    return { path: `${service.http}/api/emails/${address}/${emails[0]?.id}/link-check`, list }
  }

  const check = async (path: string, key: string) => {
    const answer = await fetch(path, { method: 'POST', headers: { 'X-API-Key': key } })
    // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
    return { status: answer.status, body: (await answer.json()) as any }
  }

  test('on loopback every API key may ask; at most 50 links are requested, and the mail stays unread', async () => {
    const links = Array.from({ length: 1000 }, (_, i) => `${target.url}/${i}`)
    const { path, list } = await mailWith(local, links)
    const { status, body } = await check(path, await keyOf(local))
    expect([status, body.success, body.links.length]).toEqual([200, true, 50])
    expect(body.links[0]).toEqual({
      url: `${target.url}/0`,
      status: 204,
      redirects: [],
      error: null,
      ms: expect.any(Number),
    })
    expect(requested.length).toBe(50)
    const { emails } = (await (await fetch(list)).json()) as { emails: { read: boolean }[] }
    expect(emails[0]?.read).toBe(false)
    const missing = await check(path.replace(/[^/]+\/link-check$/, '01J0/link-check'), await keyOf(local))
    expect([missing.status, missing.body.code]).toEqual([404, 'email_not_found'])
  })

  test('on loopback no program of the machine is requested that is not named', async () => {
    const service = await startService()
    requested = []
    const { port } = new URL(target.url)
    const hosts = ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433']
    const { path } = await mailWith(
      service,
      hosts.map((host) => `http://${host}:${port}/admin/shutdown?yes=1`),
    )
    const { body } = await check(path, await keyOf(service))
    await service.stop()
    expect(body.links.every(({ status }: { status: number | null }) => status === null)).toBe(true)
    expect(requested).toEqual([])
  })

  test('elsewhere only the operator may ask, and no address of the machine is requested', async () => {
    requested = []
    const { path } = await mailWith(open, [`${target.url}/internal`])
    const refused = await check(path, await keyOf(open))
    expect([refused.status, refused.body.code]).toEqual([403, 'link_check_refused'])
    const none = await fetch(path, { method: 'POST' })
    expect(none.status).toBe(401)
    const { status, body } = await check(path, OPERATOR)
    expect([status, body.links[0].error]).toEqual([200, 'The target is not on the public internet.'])
    expect(requested).toEqual([])
  })

  test.each([
    [{ MAYFLY_BASE_URL: 'http://localhost:8025' }, 200],
    [{ MAYFLY_BASE_URL: 'https://mail.example.com' }, 403],
    [{ MAYFLY_TRUST_PROXY: '127.0.0.1' }, 403],
    [{ MAYFLY_CORS_ORIGINS: '*' }, 403],
  ])(
    'on loopback with %j, which a proxy or any page may use for others, the answer is %i',
    async (env, expected) => {
      const service = await startService(env)
      try {
        const { path } = await mailWith(service, [`${target.url}/internal`])
        expect((await check(path, await keyOf(service))).status).toBe(expected)
      } finally {
        await service.stop()
      }
    },
  )

  test('a client learns whether it may ask', async () => {
    const mayCheck = async ({ http }: RunningService, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${http}/api/info`, { headers })
      return ((await answer.json()) as { link_check: boolean }).link_check
    }
    expect(await mayCheck(local)).toBe(true)
    expect(await mayCheck(open)).toBe(false)
    expect(await mayCheck(open, { 'X-API-Key': await keyOf(open) })).toBe(false)
    expect(await mayCheck(open, { 'X-API-Key': OPERATOR })).toBe(true)
  })
})
