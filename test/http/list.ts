import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from '@jest/globals'
import { freshAddress } from '../support/mail.ts'
import { type Answer, at, expectProblem, type Json, plain, type Requests, TIME, ULID } from './requests.ts'

/** The list of an inbox: the summaries, pages, filters and compression. */
export function listContract(requests: Requests): void {
  test('5 and 9: an address without mail is an empty inbox', async () => {
    const address = freshAddress(requests.host.domain)
    const empty = { success: true, address, emails: [], next_cursor: null }
    expect((await requests.call(`/api/public/emails/${address}`)).body).toEqual(empty)
    const asBot = await requests.caller()
    expect((await asBot(at(address))).body).toEqual(empty)
    expect((await asBot(at(address, '/latest'))).body).toEqual({ success: true, email: null })
  })

  test('all fields of the summary of an email', async () => {
    const address = freshAddress(requests.host.domain)
    const raw = plain(
      'Your code',
      'Your verification code is 493817. Or visit https://example.org/verify?t=1',
    )
    const before = Date.now()
    const email = await requests.deliver(address, raw)
    expect(email).toEqual({
      id: expect.stringMatching(ULID),
      address,
      from: { name: 'Shop', address: 'shop@example.org' },
      to: [{ name: null, address: 'someone@example.net' }],
      cc: [],
      subject: 'Your code',
      body_text: expect.stringContaining('Your verification code is 493817.'),
      body_text_truncated: false,
      codes: ['493817'],
      links: ['https://example.org/verify?t=1'],
      action_link: { url: 'https://example.org/verify?t=1', text: 'Or visit', kind: 'confirm' },
      attachment_count: 0,
      attachments: [],
      size: Buffer.byteLength(raw),
      received_at: expect.stringMatching(TIME),
      expires_at: expect.stringMatching(TIME),
      read: false,
    })
    expect(Date.parse(email.received_at)).toBeGreaterThanOrEqual(before - 5000)
    expect(Date.parse(email.expires_at)).toBeGreaterThan(Date.parse(email.received_at))
  })

  test('pages with the newest email first, and limit', async () => {
    const address = freshAddress(requests.host.domain)
    const ids: string[] = []
    for (let i = 0; i < 7; i++) ids.unshift((await requests.deliver(address, plain(`n${i}`, 'x'))).id)
    expect([...ids].sort().reverse()).toEqual(ids)
    const seen: string[] = []
    let cursor: string | null = ''
    let pages = 0
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`
      const { body }: Answer = await requests.call(`/api/public/emails/${address}?limit=3${query}`)
      expect(body.emails.length).toBeLessThanOrEqual(3)
      seen.push(...body.emails.map((email: Json) => email.id))
      cursor = body.next_cursor
      pages++
    }
    expect(seen).toEqual(ids)
    expect(pages).toBe(3)
    expect((await requests.call(`/api/public/emails/${address}?since=${ids[2]}`)).body.emails).toHaveLength(2)
  })

  test('text_limit cuts the texts of a list, and a long list is compressed', async () => {
    const address = freshAddress(requests.host.domain)
    const text = 'ä'.repeat(150) + Array.from({ length: 2000 }, (_, n) => `word${n}`).join(' ')
    const raw = plain('Long', text).replace('utf-8', 'utf-8\r\nContent-Transfer-Encoding: 8bit')
    await requests.deliver(address, raw)
    const list = async (query: string) =>
      (await requests.call(`/api/public/emails/${address}?${query}`)).body.emails[0]
    expect(await list('text_limit=0')).toMatchObject({ body_text: '', body_text_truncated: true })
    expect(await list('text_limit=5')).toMatchObject({ body_text: 'ää', body_text_truncated: true })
    const whole = await list('text_limit=16384')
    expect(await list('')).toEqual(whole)
    expect(whole.body_text.length).toBeGreaterThan(10_000)

    const others = Array.from({ length: 99 }, () => requests.host.deliver(raw, [address]))
    await Promise.all(others)
    const path = `/api/public/emails/${address}?limit=100&text_limit=200`
    await requests.emailsAt(path, 100)
    const url = requests.host.url + path
    const fetched = await fetch(url, { headers: { 'Accept-Encoding': 'gzip' } })
    expect(fetched.headers.get('content-encoding')).toBe('gzip')
    expect(fetched.headers.get('vary')).toMatch(/accept-encoding/i)
    const { emails } = (await fetched.json()) as Json
    expect(emails).toHaveLength(100)
    expect(gzipSync(JSON.stringify({ emails })).length).toBeLessThan(60_000)
    const plainly = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } })
    expect(plainly.headers.get('content-encoding')).toBeNull()
    expect(((await plainly.json()) as Json).emails).toEqual(emails)
    const refused = await fetch(url, { headers: { 'Accept-Encoding': 'gzip;q=0, br' } })
    expect(refused.headers.get('content-encoding')).toBeNull()
    await refused.body?.cancel()

    // With complete texts these are more than a megabyte: the page ends earlier, and the cursor
    // continues behind it.
    const ids: string[] = []
    for (let cursor = ''; ; ) {
      const page = await fetch(`${requests.host.url}/api/public/emails/${address}?limit=100${cursor}`)
      const body = await page.text()
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1024 * 1024 + 4096)
      const { emails: part, next_cursor: next } = JSON.parse(body) as Json
      ids.push(...part.map(({ id }: Json) => id))
      if (next === null) break
      expect(part.length).toBeLessThan(100)
      cursor = `&cursor=${next}`
    }
    expect(ids).toEqual(emails.map(({ id }: Json) => id))
  })

  test('small responses, raw messages and problems are not compressed', async () => {
    const address = freshAddress(requests.host.domain)
    const { id } = await requests.deliver(address, plain('Raw', 'a'.repeat(5000)))
    const asked = { headers: { 'Accept-Encoding': 'gzip', 'X-API-Key': await requests.newKey() } }
    for (const path of ['/api/random-username', at(address, `/${id}/raw`), '/api/nothing']) {
      expect((await fetch(requests.host.url + path, asked)).headers.get('content-encoding')).toBeNull()
    }
    const single = await fetch(requests.host.url + at(address, `/${id}`), asked)
    expect(single.headers.get('content-encoding')).toBe('gzip')
    expect(((await single.json()) as Json).email.body_text).toBe(`${'a'.repeat(5000)}\n`)
  })

  test('since, from, subject and has', async () => {
    const address = freshAddress(requests.host.domain)
    const code = await requests.deliver(address, plain('Sign in', 'Your code is 112233'))
    await sleep(20)
    const link = await requests.deliver(
      address,
      plain('Ünïcode WELCOME', 'see https://example.org/x').replace('Shop <shop@', 'Bank <NoReply@'),
    )
    const find = async (query: string) =>
      (await requests.call(`/api/public/emails/${address}?${query}`)).body.emails.map(
        (email: Json) => email.id,
      )
    expect(await find('has=code')).toEqual([code.id])
    expect(await find('has=link')).toEqual([link.id])
    expect(await find('has=attachment')).toEqual([])
    expect(await find('has=action_link')).toEqual([])
    const action = await requests.deliver(address, plain('Welcome', 'Confirm: https://example.org/y/8fk29d'))
    expect(await find('has=action_link')).toEqual([action.id])
    expect(
      (await (await requests.caller())(at(address, '/latest?has=action_link'))).body.email.action_link.kind,
    ).toBe('confirm')
    await (await requests.caller())(at(address, `/${action.id}`), { method: 'DELETE' })
    expect(await find('from=noreply@EXAMPLE')).toEqual([link.id])
    expect(await find('from=bank')).toEqual([link.id])
    expect(await find(`subject=${encodeURIComponent('ÜNÏCODE welcome')}`)).toEqual([link.id])
    expect(await find('subject=%25')).toEqual([])
    expect(await find('q=11223')).toEqual([code.id])
    expect(await find('q=NOREPLY')).toEqual([link.id])
    expect(await find(`q=${encodeURIComponent('example.org/X')}`)).toEqual([link.id])
    expect(await find(`q=${encodeURIComponent('ÜNÏ')}`)).toEqual([link.id])
    expect(await find('q=zzz')).toEqual([])
    expect(await find(`since=${code.id}`)).toEqual([link.id])
    expect(await find(`since=${encodeURIComponent(code.received_at)}`)).toEqual([link.id])
    expect(await find(`since=${encodeURIComponent(link.received_at)}`)).toEqual([])
    expect(await find('since=2020-01-01T00:00:00Z')).toEqual([link.id, code.id])
    const asBot = await requests.caller()
    expect((await asBot(at(address, '/latest?has=code'))).body.email.id).toBe(code.id)
    expect((await asBot(at(address, `/latest?since=${link.id}`))).body.email).toBeNull()
  })

  test('an unknown parameter of any endpoint is rejected, with the nearest known one', async () => {
    const address = freshAddress(requests.host.domain)
    const list = `/api/public/emails/${address}`
    for (const [path, detail] of [
      [`${list}?subjct=Alice`, '"subjct" is not known here; the nearest known name is "subject".'],
      [`${list}?form=nobody`, '"form" is not known here; the nearest known name is "from".'],
      [`${list}?_=1&limits=5`, '"limits" is not known here; the nearest known name is "limit".'],
      [
        `/api/sse/${address}?lastEventID=1`,
        '"lastEventID" is not known here; the nearest known name is "lastEventId".',
      ],
      ['/api/user-dashboard/sse?keys=x', '"keys" is not known here; the nearest known name is "key".'],
      ['/api/domains?x=1', '"x" is not known here, where nothing can be given.'],
    ] as const) {
      const answer = await requests.call(path)
      expectProblem(answer, 400, 'invalid_query')
      expect(answer.body.detail).toBe(detail)
    }
    const asBot = await requests.caller()
    expectProblem(await asBot(at(address, '/wait?subjct=Alice')), 400, 'invalid_query')
    expectProblem(await asBot(at(address, '/latest?key=x')), 400, 'invalid_query')
    expect((await requests.call(`${list}?_=1753&key=x`)).status).toBe(200)
  })

  test('a filter in a body that is not read is rejected, and changes nothing', async () => {
    const address = freshAddress(requests.host.domain)
    const { id } = await requests.deliver(address, plain('Hi', 'x'))
    const asBot = await requests.caller()
    const advice = 'It has no query parameters either.'
    for (const [method, path] of [
      ['DELETE', at(address)],
      ['DELETE', at(address, `/${id}`)],
      ['POST', at(address, '/read')],
    ] as const) {
      const answer = await asBot(path, { method, body: '{"from":"nobody"}' })
      expectProblem(answer, 400, 'invalid_body')
      expect(answer.body.detail).toBe(`"from" is in the body, but this request takes none. ${advice}`)
      const form = await asBot(path, { method, body: 'from=nobody' })
      expectProblem(form, 400, 'invalid_body')
      expect(form.body.detail).toBe(`This request takes no body. ${advice}`)
    }
    expect(await requests.inbox(address)).toMatchObject([{ id, read: false }])
    expect((await asBot(at(address), { method: 'DELETE', body: '{}' })).body.deleted).toBe(1)
  })

  test('an invalid query is rejected, never ignored', async () => {
    const address = freshAddress(requests.host.domain)
    const bad = [
      'limit=0',
      'limit=101',
      'text_limit=-1',
      'text_limit=16385',
      'text_limit=x',
      'q=',
      `q=${'x'.repeat(201)}`,
      'limit=1.5',
      'limit=ten',
      'limit=',
      'limit=-1',
      'limit=1&limit=2',
      'limit=1e1',
      'cursor=x',
      'cursor=',
      'since=yesterday',
      'since=2026-13-01T00:00:00Z',
      'since=2026-02-29T00:00:00Z',
      'since=2026-11-31T00:00:00%2B01:00',
      'has=codes',
      'has=',
      'from=',
      `subject=${'x'.repeat(201)}`,
    ]
    for (const query of bad)
      expectProblem(await requests.call(`/api/public/emails/${address}?${query}`), 400, 'invalid_query')
    const plus = await requests.call(`/api/public/emails/${address}?since=2026-11-27T12:00:00+01:00`)
    expect(plus.body.detail).toMatch(/^"since" must be .* %2B in a URL\.$/)
    expect((await requests.call(`/api/public/emails/${address}?since=2028-02-29T00:00:00Z`)).status).toBe(200)
    expect((await requests.call(`/api/public/emails/${address}?limit=100`)).status).toBe(200)
    expect((await requests.call(`/api/public/emails/${address}?limit=1`)).status).toBe(200)
  })
}
