import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import manifest from '../../package.json' with { type: 'json' }
import { type OpenStream, openStream } from '../support/event-source.ts'
import { freshAddress } from '../support/mail.ts'
import type { Host } from './host.ts'
import { Requests } from './requests.ts'
import { pageSessionContract } from './sessions.ts'

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const CRLF = '\r\n'

// biome-ignore lint/suspicious/noExplicitAny: the tests read JSON of any shape
type Json = any

interface Answer {
  status: number
  headers: Headers
  body: Json
}

/**
 * The HTTP contract, checked by requests against a running service: the one-machine service, the
 * deployed stack, or any other that calls itself Mayfly.
 */
export function httpContract(name: string, start: () => Promise<Host>): void {
  describe(`HTTP contract: ${name}`, () => {
    let host: Host
    let serial = 0
    const streams: OpenStream[] = []

    beforeAll(async () => {
      host = await start()
    }, 600_000)

    afterAll(async () => {
      for (const stream of streams) stream.close()
      await host?.close()
    }, 60_000)

    /** Returns a client address that no other test uses. */
    const freshIp = () => `198.51.${Math.floor(++serial / 250)}.${1 + (serial % 250)}`

    async function call(path: string, init: RequestInit = {}): Promise<Answer> {
      const response = await fetch(host.url + path, { redirect: 'manual', ...init })
      const text = await response.text()
      const isJson = /json/.test(response.headers.get('content-type') ?? '')
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
    }

    async function newKey(ip = freshIp()): Promise<string> {
      const { status, body } = await call('/api/keys', { method: 'POST', headers: host.from(ip) })
      expect(status).toBe(201)
      return body.key
    }

    /** Returns a caller with an API key that no other test uses. */
    async function caller(extra: Record<string, string> = {}) {
      const headers = { 'X-API-Key': await newKey(), ...extra }
      return (path: string, init: RequestInit = {}) => call(path, { headers, ...init })
    }

    async function stream(path: string, headers: Record<string, string> = {}): Promise<OpenStream> {
      const opened = await openStream(host.url + path, headers)
      streams.push(opened)
      return opened
    }

    function plain(subject: string, text: string, headers: string[] = []): string {
      return [
        'From: Shop <shop@example.org>',
        'To: someone@example.net',
        `Subject: ${subject}`,
        `Message-ID: <${randomUUID()}@example.org>`,
        'Date: Sat, 21 Nov 2026 10:00:00 +0100',
        ...headers,
        'Content-Type: text/plain; charset=utf-8',
        '',
        text,
        '',
      ].join(CRLF)
    }

    /** Delivers a message, and returns its email as soon as the service lists it. */
    async function deliver(address: string, raw: string | Buffer): Promise<Json> {
      const known = new Set((await inbox(address)).map((email: Json) => email.id))
      await host.deliver(raw, [address])
      for (;;) {
        const email = (await inbox(address)).find((candidate: Json) => !known.has(candidate.id))
        if (email !== undefined) return email
        await sleep(50)
      }
    }

    async function inbox(address: string): Promise<Json[]> {
      const path = `/api/public/emails/${encodeURIComponent(address)}?limit=100`
      return (await call(path, { headers: { 'X-Domain-Key': host.domainKey } })).body.emails
    }

    function problem(answer: Answer, status: number, code: string) {
      expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code })
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
      expect(answer.body).toMatchObject({
        type: `/problems/${code}`,
        title: expect.any(String),
        status,
        detail: expect.any(String),
        success: false,
        request_id: answer.headers.get('x-request-id'),
      })
    }

    const at = (address: string, rest = '') => `/api/emails/${encodeURIComponent(address)}${rest}`

    // ── Public endpoints ──────────────────────────────────────────────────────────────────────────────

    test('1: a random username, which is different each time', async () => {
      const names = new Set<string>()
      for (let i = 0; i < 20; i++) {
        const { status, body } = await call('/api/random-username')
        expect(status).toBe(200)
        expect(Object.keys(body)).toEqual(['username'])
        expect(body.username).toMatch(/^[a-z]+[0-9]+$/)
        names.add(body.username)
      }
      expect(names.size).toBe(20)
    })

    test('2: the verified domains, sorted; private ones do not show their key', async () => {
      const { status, body } = await call('/api/domains')
      expect(status).toBe(200)
      expect(body.success).toBe(true)
      const names = body.domains.map((domain: Json) => domain.domain)
      expect(names).toEqual([...names].sort())
      expect(body.domains).toContainEqual({ domain: host.domain, status: 'verified', private: false })
      expect(body.domains).toContainEqual({
        domain: host.privateDomains[0],
        status: 'verified',
        private: true,
      })
      expect(JSON.stringify(body)).not.toContain(host.domainKey)
    })

    test('3: public domains in random order', async () => {
      const { status, body } = await call('/api/domains/random')
      expect(status).toBe(200)
      expect(body.success).toBe(true)
      expect(body.domain).toBe(body.domains[0].domain)
      expect(body.domains.every((domain: Json) => domain.private === false)).toBe(true)
    })

    test('4: a domain whose MX points elsewhere is not registered', async () => {
      host.dns.set('MX', 'elsewhere.example', ['20 backup.example', '5 mx.elsewhere.example'])
      const { status, body } = await call('/api/domain/verify/elsewhere.example', {
        headers: host.from(freshIp()),
      })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        success: true,
        domain: 'elsewhere.example',
        verified: false,
        mx: 'mx.elsewhere.example',
        status: 'unverified',
        private: false,
      })
      expect(body.records[0]).toMatchObject({ type: 'MX', name: 'elsewhere.example', found: false })
      expect(body.records[0].value).toContain(host.mxHost)
      problem(await call('/api/public/emails/a%40elsewhere.example'), 404, 'domain_not_found')
    })

    test('4: a domain without any record is not registered', async () => {
      const { body } = await call('/api/domain/verify/nothing.example', { headers: host.from(freshIp()) })
      expect(body).toMatchObject({ success: true, verified: false, mx: host.mxHost, status: 'unverified' })
    })

    test('4: only the MX with the best preference counts', async () => {
      host.dns.set('MX', 'second.example', [`20 ${host.mxHost}`, '10 other.example'])
      const { body } = await call('/api/domain/verify/second.example', { headers: host.from(freshIp()) })
      expect(body).toMatchObject({ verified: false, mx: 'other.example' })
    })

    test('4: a domain whose MX points here is registered, becomes private, stays private, and is unregistered', async () => {
      const name = `own-${Date.now().toString(36)}.example`
      const ip = host.from(freshIp())
      const verify = async () => (await call(`/api/domain/verify/${name}`, { headers: ip })).body
      const open = (headers = {}) => call(`/api/public/emails/bot%40${name}`, { headers })

      host.dns.set('MX', name, [`10 ${host.mxHost.toUpperCase()}`])
      const status = host.confirmsAtOnce ? 'verified' : 'pending'
      expect(await verify()).toMatchObject({ verified: true, mx: host.mxHost, status, private: false })
      expect((await open()).status).toBe(200)

      const hash = createHash('sha256').update('s3cret').digest('hex')
      host.dns.set('TXT', `_mayfly.${name}`, [`key-sha256=${hash}`])
      expect(await verify()).toMatchObject({ private: true })
      problem(await open(), 401, 'domain_key_missing')
      problem(await open({ 'X-Domain-Key': 'wrong' }), 403, 'domain_key_invalid')
      expect((await open({ 'X-Domain-Key': 's3cret' })).status).toBe(200)

      // An unreadable record, or a DNS failure, leaves it private.
      host.dns.set('TXT', `_mayfly.${name}`, ['kye=oops'])
      expect(await verify()).toMatchObject({ private: true })
      host.dns.misbehave(`_mayfly.${name}`, 'servfail')
      expect(await verify()).toMatchObject({ code: 'dns_unavailable' })
      problem(await open(), 401, 'domain_key_missing')
      host.dns.misbehave(`_mayfly.${name}`, 'answer')

      host.dns.set('TXT', `_mayfly.${name}`, ['key=plain'])
      expect(await verify()).toMatchObject({ private: true })
      expect((await open({ 'X-Domain-Key': 'plain' })).status).toBe(200)

      // The domain is unregistered only if the record is missing twice, five minutes apart.
      host.dns.set('TXT', `_mayfly.${name}`, [])
      for (let again = 0; again < 2; again++) expect(await verify()).toMatchObject({ private: true })
      problem(await open(), 401, 'domain_key_missing')

      host.dns.set('MX', name, ['10 gone.example'])
      expect(await verify()).toMatchObject({ verified: false, status: 'unverified' })
      problem(await open(), 404, 'domain_not_found')
    })

    test('4: a client that registers a domain again does not get its earlier mail', async () => {
      const name = `again-${Date.now().toString(36)}.example`
      const address = `bot@${name}`
      const asBot = await caller()
      const ip = host.from(freshIp())
      const verify = async () => (await call(`/api/domain/verify/${name}`, { headers: ip })).body
      host.dns.set('MX', name, [`10 ${host.mxHost}`])
      host.dns.set('TXT', `_mayfly.${name}`, ['key=s3cret'])
      expect(await verify()).toMatchObject({ private: true })
      await host.deliver(plain('Private', 'It is 123456.'), [address])
      const keyed = { headers: { 'X-Domain-Key': 's3cret' } }
      const list = `/api/public/emails/${encodeURIComponent(address)}`
      while ((await call(list, keyed)).body.emails.length === 0) await sleep(50)
      const { id } = (await call(list, keyed)).body.emails[0]

      host.dns.set('MX', name, [])
      host.dns.set('TXT', `_mayfly.${name}`, [])
      await verify()
      host.dns.set('MX', name, [`10 ${host.mxHost}`])
      expect(await verify()).toMatchObject({ verified: true, private: false })
      expect((await call(list)).body.emails).toEqual([])
      expect((await asBot(at(address, '/latest'))).body.email).toBeNull()
      for (const rest of ['', '/raw', '/attachments/0']) {
        problem(await asBot(at(address, `/${id}${rest}`)), 404, 'email_not_found')
      }
      expect((await asBot(at(address), { method: 'DELETE' })).body).toMatchObject({ deleted: 0 })

      await host.deliver(plain('Public', 'Hello.'), [address])
      while ((await call(list)).body.emails.length === 0) await sleep(50)
      expect((await call(list)).body.emails.map(({ subject }: Json) => subject)).toEqual(['Public'])
    })

    test('4: an unreadable key record is reported, and the domain is not registered', async () => {
      const name = `typo-${Date.now().toString(36)}.example`
      host.dns.set('MX', name, [`10 ${host.mxHost}`])
      host.dns.set('TXT', `_mayfly.${name}`, ['Key=abc'])
      const { body } = await call(`/api/domain/verify/${name}`, { headers: host.from(freshIp()) })
      expect(body).toMatchObject({ success: true, verified: true, status: 'unverified', private: false })
      expect(body.records.at(-1)).toMatchObject({
        name: `_mayfly.${name}`,
        found: false,
        purpose: expect.stringContaining('lower case'),
      })
      problem(await call(`/api/public/emails/bot%40${name}`), 404, 'domain_not_found')
    })

    test('4: a client address may verify 30 times a minute', async () => {
      const ip = host.from(freshIp())
      const verify = () => call('/api/domain/verify/nothing.example', { headers: ip })
      const statuses: number[] = []
      for (let n = 0; n < 30; n++) statuses.push((await verify()).status)
      expect(new Set(statuses)).toEqual(new Set([200]))
      const refused = await verify()
      problem(refused, 429, 'rate_limited')
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      const other = { headers: host.from(freshIp()) }
      expect((await call('/api/domain/verify/nothing.example', other)).status).toBe(200)
    })

    test('a client address may send 20 wrong domain keys a minute', async () => {
      const ip = host.from(freshIp())
      const path = `/api/public/emails/a%40${host.privateDomains[0]}`
      const open = (key: string) => call(path, { headers: { ...ip, 'X-Domain-Key': key } })
      for (let n = 0; n < 20; n++) problem(await open(`guess ${n}`), 403, 'domain_key_invalid')
      problem(await open('guess 20'), 429, 'rate_limited')
      const right = await open(host.domainKey)
      problem(right, 429, 'rate_limited')
      expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0)
      const all = `/api/user-dashboard/sse?key=${encodeURIComponent(host.domainKey)}`
      problem(await call(all, { headers: ip }), 429, 'rate_limited')
      const other = { ...host.from(freshIp()), 'X-Domain-Key': host.domainKey }
      expect((await call(path, { headers: other })).status).toBe(200)
    })

    test('4: a DNS failure is reported and changes nothing', async () => {
      host.dns.misbehave('broken.example', 'servfail')
      const answer = await call('/api/domain/verify/broken.example', { headers: host.from(freshIp()) })
      problem(answer, 503, 'dns_unavailable')
      expect(answer.body).toMatchObject({
        success: false,
        domain: 'broken.example',
        verified: false,
        mx: host.mxHost,
      })
    })

    test('4: a Unicode name is converted to its A-label form; an invalid name is rejected', async () => {
      const { body } = await call(`/api/domain/verify/${encodeURIComponent('bücher.example')}`, {
        headers: host.from(freshIp()),
      })
      expect(body.domain).toBe('xn--bcher-kva.example')
      for (const bad of [
        'localhost',
        '127.0.0.1',
        '-a.example',
        'a..example',
        'a_b.example',
        `${'x'.repeat(64)}.example`,
        '%zz.example',
      ]) {
        problem(await call(`/api/domain/verify/${bad}`), 400, 'invalid_domain')
      }
    })

    test('4: a client may register 20 new domains in 24 hours', async () => {
      const ip = host.from(freshIp())
      for (let i = 0; i < 20; i++) {
        host.dns.set('MX', `n${i}-${process.pid}.quota.example`, [`1 ${host.mxHost}`])
        const { status } = await call(`/api/domain/verify/n${i}-${process.pid}.quota.example`, {
          headers: ip,
        })
        expect(status).toBe(200)
      }
      host.dns.set('MX', 'n20.quota.example', [`1 ${host.mxHost}`])
      const answer = await call('/api/domain/verify/n20.quota.example', { headers: ip })
      problem(answer, 429, 'domain_quota_exceeded')
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      // A domain that is registered already does not count.
      expect((await call(`/api/domain/verify/n0-${process.pid}.quota.example`, { headers: ip })).status).toBe(
        200,
      )
    })

    // ── Inbox ─────────────────────────────────────────────────────────────────────────────────────────

    test('5 and 9: an address without mail is an empty inbox', async () => {
      const address = freshAddress(host.domain)
      const empty = { success: true, address, emails: [], next_cursor: null }
      expect((await call(`/api/public/emails/${address}`)).body).toEqual(empty)
      const asBot = await caller()
      expect((await asBot(at(address))).body).toEqual(empty)
      expect((await asBot(at(address, '/latest'))).body).toEqual({ success: true, email: null })
    })

    test('all fields of the summary of an email', async () => {
      const address = freshAddress(host.domain)
      const raw = plain(
        'Your code',
        'Your verification code is 493817. Or visit https://example.org/verify?t=1',
      )
      const before = Date.now()
      const email = await deliver(address, raw)
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
        size: Buffer.byteLength(raw),
        received_at: expect.stringMatching(TIME),
        expires_at: expect.stringMatching(TIME),
        read: false,
      })
      expect(Date.parse(email.received_at)).toBeGreaterThanOrEqual(before - 5000)
      expect(Date.parse(email.expires_at)).toBeGreaterThan(Date.parse(email.received_at))
    })

    test('mail in old character sets is decoded', async () => {
      const get = await caller()
      const samples: [string, string, string][] = [
        ['windows-1251', 'cff0e8e2e5f2', 'Привет'],
        ['gb18030', 'c4e3bac3', '你好'],
        ['iso-2022-jp', '1b244224332473244b2441244f1b2842', 'こんにちは'],
      ]
      for (const [charset, bytes, text] of samples) {
        const address = freshAddress(host.domain)
        const head = [
          'From: a@example.org',
          'Subject: x',
          `Content-Type: text/plain; charset=${charset}`,
          '',
          '',
        ]
        const raw = Buffer.concat([Buffer.from(head.join(CRLF)), Buffer.from(bytes, 'hex')])
        const { id } = await deliver(address, raw)
        expect((await get(at(address, `/${id}`))).body.email.body_text.trim()).toBe(text)
      }
    })

    test('10 does not mark an email as read; 11 does, and returns the complete email', async () => {
      const address = freshAddress(host.domain)
      const raw = [
        'From: "Doe, Jane" <jane@example.org>',
        'To: A <a@example.net>, b@example.net',
        'Cc: =?utf-8?q?J=C3=BCrgen?= <j@example.net>',
        'Subject: =?utf-8?b?SGVsbG8g4pyT?=',
        'X-Twice: one',
        'X-Twice: two',
        'Message-ID: <m1@example.org>',
        'Date: Sat, 21 Nov 2026 10:00:00 +0100',
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary=b1',
        '',
        '--b1',
        'Content-Type: multipart/alternative; boundary=b2',
        '',
        '--b2',
        'Content-Type: text/plain; charset=utf-8',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        'Gr=C3=BC=C3=9Fe',
        '--b2',
        'Content-Type: text/html; charset=utf-8',
        '',
        '<p>Grüße</p>',
        '--b2--',
        '--b1',
        'Content-Type: application/pdf; name="../../etc/r.pdf"',
        'Content-Disposition: attachment; filename="../../etc/r.pdf"',
        'Content-Transfer-Encoding: base64',
        '',
        'JVBERi0=',
        '--b1',
        'Content-Type: image/png; name=i.png',
        'Content-Disposition: inline; filename=i.png',
        'Content-ID: <pic@1>',
        'Content-Transfer-Encoding: base64',
        '',
        'iVBORw0K',
        '--b1--',
        '',
      ].join(CRLF)
      const { id } = await deliver(address, raw)
      const asBot = await caller()
      expect((await asBot(at(address, '/latest'))).body.email).toMatchObject({ id, read: false })
      const { status, body } = await asBot(at(address, `/${id}`))
      expect(status).toBe(200)
      expect(body.success).toBe(true)
      const path = at(address, `/${id}`)
      expect(body.email).toMatchObject({
        id,
        address,
        read: true,
        subject: 'Hello ✓',
        from: { name: 'Doe, Jane', address: 'jane@example.org' },
        to: [
          { name: 'A', address: 'a@example.net' },
          { name: null, address: 'b@example.net' },
        ],
        cc: [{ name: 'Jürgen', address: 'j@example.net' }],
        body_text: expect.stringContaining('Grüße'),
        body_html: expect.stringContaining('<p>Grüße</p>'),
        message_id: '<m1@example.org>',
        date: '2026-11-21T09:00:00.000Z',
        verdicts: { spam: null, virus: null, spf: null, dkim: null, dmarc: null },
        mail_from: 'sender@example.org',
        raw_url: `${path}/raw`,
        attachment_count: 2,
        attachments: [
          {
            id: '0',
            filename: 'r.pdf',
            content_type: 'application/pdf',
            size: 5,
            inline: false,
            content_id: null,
            sha256: createHash('sha256').update('%PDF-').digest('hex'),
            url: `${path}/attachments/0`,
          },
          expect.objectContaining({ id: '1', filename: 'i.png', inline: true, content_id: 'pic@1', size: 6 }),
        ],
      })
      const names = body.email.headers.map((header: Json) => `${header.name}: ${header.value}`)
      expect(names.filter((line: string) => line.startsWith('X-Twice'))).toEqual([
        'X-Twice: one',
        'X-Twice: two',
      ])
      expect((await asBot(at(address, '/latest'))).body.email).toMatchObject({ id, read: true })
      expect((await inbox(address))[0]).toMatchObject({ id, read: true })

      // Endpoints c and d.
      const fetched = await fetch(host.url + body.email.raw_url, { headers: { 'X-API-Key': await newKey() } })
      expect(fetched.status).toBe(200)
      expect(fetched.headers.get('content-type')).toBe('message/rfc822')
      expect(Buffer.from(await fetched.arrayBuffer()).toString()).toContain('X-Twice: one\r\nX-Twice: two')
      const pdf = await fetch(host.url + body.email.attachments[0].url, {
        headers: { 'X-API-Key': await newKey() },
      })
      expect(await pdf.text()).toBe('%PDF-')
      expect(pdf.headers.get('content-disposition')).toMatch(/^attachment; filename="r\.pdf"/)
      expect(pdf.headers.get('content-type')).toBe('application/pdf')
      problem(await asBot(`${path}/attachments/2`), 404, 'attachment_not_found')
      problem(await asBot(`${path}/attachments/x`), 404, 'attachment_not_found')
    })

    test('the raw message has exactly the bytes that were sent', async () => {
      const address = freshAddress(host.domain)
      const raw = Buffer.concat([
        Buffer.from(plain('Bytes', '.leading dot\r\n..two\r\nlast')),
        Buffer.from([0xff, 0xfe, 0x80, 0x0d, 0x0a]),
      ])
      const { id } = await deliver(address, raw)
      const answer = await fetch(host.url + at(address, `/${id}/raw`), {
        headers: { 'X-API-Key': await newKey() },
      })
      expect(Buffer.from(await answer.arrayBuffer()).equals(raw)).toBe(true)
      expect(answer.headers.get('Content-Disposition')).toContain(`attachment; filename="${id}.eml"`)
    })

    test('a text beyond 16 KiB is cut in lists at a character boundary, and complete in the single email', async () => {
      const address = freshAddress(host.domain)
      const text = 'ä😀'.repeat(5000)
      const email = await deliver(address, plain('Long', text))
      expect(email.body_text_truncated).toBe(true)
      expect(Buffer.byteLength(email.body_text)).toBeLessThanOrEqual(16 * 1024)
      expect(Buffer.byteLength(email.body_text)).toBeGreaterThan(16 * 1024 - 8)
      expect(text.startsWith(email.body_text)).toBe(true)
      expect(email.body_text.isWellFormed()).toBe(true)
      const whole = (await (await caller())(at(address, `/${email.id}`))).body.email
      expect(whole.body_text.trim()).toBe(text)
      expect(whole.body_text_truncated).toBe(false)
    })

    test('the text of an email without a text part is generated from its HTML', async () => {
      const address = freshAddress(host.domain)
      const raw = plain('H', '').replace('text/plain', 'text/html').trimEnd()
      const email = await deliver(address, `${raw}${CRLF}${CRLF}<p>Your code is <b>771204</b></p>${CRLF}`)
      expect(email.body_text).toContain('Your code is 771204')
      expect(email.codes).toEqual(['771204'])
    })

    test('mail that cannot be parsed is stored', async () => {
      const address = freshAddress(host.domain)
      const email = await deliver(address, Buffer.from('\u0000\u0001 not a mail at all\r\n\r\n\u0000'))
      expect(email).toMatchObject({ address, subject: '' })
      expect((await (await caller())(at(address, `/${email.id}`))).status).toBe(200)
    })

    test('every envelope recipient, also a blind one, has an email that can be read and deleted separately', async () => {
      const [one, two] = [freshAddress(host.domain), freshAddress(host.domain)]
      await host.deliver(plain('To both', 'x'), [one, two])
      let first: Json
      let second: Json
      while (first === undefined || second === undefined) {
        first = (await inbox(one))[0]
        second = (await inbox(two))[0]
        await sleep(20)
      }
      expect(first.id).not.toBe(second.id)
      const asBot = await caller()
      expect((await asBot(at(one, `/${first.id}`), { method: 'DELETE' })).status).toBe(200)
      problem(await asBot(at(one, `/${first.id}`)), 404, 'email_not_found')
      problem(await asBot(at(one, `/${second.id}`)), 404, 'email_not_found')
      expect((await asBot(at(two, `/${second.id}/raw`))).status).toBeLessThan(400)
      expect((await asBot(at(two, `/${second.id}`))).body.email.read).toBe(true)
    })

    test('an address with a +tag is a separate inbox; case does not matter', async () => {
      const [local, domain] = freshAddress(host.domain).split('@')
      const tagged = `${local}+x@${domain}`
      const email = await deliver(tagged, plain('Tagged', 'x'))
      expect(email.address).toBe(tagged)
      expect(await inbox(`${local}@${domain}`)).toEqual([])
      expect(
        (await call(`/api/public/emails/${local!.toUpperCase()}+X@${domain!.toUpperCase()}`)).body,
      ).toMatchObject({
        address: tagged,
        emails: [{ id: email.id }],
      })
      expect((await call(`/api/public/emails/${local}%2Bx%40${domain}`)).body.emails).toHaveLength(1)
      // The path is decoded once: a doubly encoded @ stays encoded.
      problem(await call(`/api/public/emails/${local}%2540${domain}`), 400, 'invalid_address')
    })

    test('an invalid address is rejected', async () => {
      const bad = [
        'nobody',
        'a@b',
        '@mayfly.test',
        'a b@mayfly.test',
        '.a@mayfly.test',
        'a..b@mayfly.test',
        `${'x'.repeat(65)}@mayfly.test`,
        'a@-x.test',
        'ü@mayfly.test',
        '"a"@mayfly.test',
        'a@b@mayfly.test',
      ]
      for (const address of bad) {
        problem(await call(`/api/public/emails/${encodeURIComponent(address)}`), 400, 'invalid_address')
      }
      problem(await call('/api/public/emails/%zz@mayfly.test'), 400, 'invalid_address')
      problem(await call('/api/public/emails/%ff@mayfly.test'), 400, 'invalid_address')
      problem(await call('/api/domain/verify/%zz'), 400, 'invalid_domain')
      const asBot = await caller()
      problem(await asBot('/api/webhooks/%zz', { method: 'DELETE' }), 400, 'invalid_query')
      problem(await call('/api/public/emails/a@unknown.example'), 404, 'domain_not_found')
    })

    test('pages with the newest email first, and limit', async () => {
      const address = freshAddress(host.domain)
      const ids: string[] = []
      for (let i = 0; i < 7; i++) ids.unshift((await deliver(address, plain(`n${i}`, 'x'))).id)
      expect([...ids].sort().reverse()).toEqual(ids)
      const seen: string[] = []
      let cursor: string | null = ''
      let pages = 0
      while (cursor !== null) {
        const query: string = cursor === '' ? '' : `&cursor=${cursor}`
        const { body }: Answer = await call(`/api/public/emails/${address}?limit=3${query}`)
        expect(body.emails.length).toBeLessThanOrEqual(3)
        seen.push(...body.emails.map((email: Json) => email.id))
        cursor = body.next_cursor
        pages++
      }
      expect(seen).toEqual(ids)
      expect(pages).toBe(3)
      expect((await call(`/api/public/emails/${address}?since=${ids[2]}`)).body.emails).toHaveLength(2)
    })

    test('text_limit cuts the texts of a list, and a long list is compressed', async () => {
      const address = freshAddress(host.domain)
      const text = 'ä'.repeat(150) + Array.from({ length: 2000 }, (_, n) => `word${n}`).join(' ')
      const raw = plain('Long', text).replace('utf-8', 'utf-8\r\nContent-Transfer-Encoding: 8bit')
      await deliver(address, raw)
      const list = async (query: string) =>
        (await call(`/api/public/emails/${address}?${query}`)).body.emails[0]
      expect(await list('text_limit=0')).toMatchObject({ body_text: '', body_text_truncated: true })
      expect(await list('text_limit=5')).toMatchObject({ body_text: 'ää', body_text_truncated: true })
      const whole = await list('text_limit=16384')
      expect(await list('')).toEqual(whole)
      expect(whole.body_text.length).toBeGreaterThan(10_000)

      const others = Array.from({ length: 99 }, () => host.deliver(raw, [address]))
      await Promise.all(others)
      const url = `${host.url}/api/public/emails/${address}?limit=100&text_limit=200`
      while (((await (await fetch(url)).json()) as Json).emails.length < 100) await sleep(50)
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
        const page = await fetch(`${host.url}/api/public/emails/${address}?limit=100${cursor}`)
        const body = await page.text()
        expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1024 * 1024 + 4096)
        const { emails: part, next_cursor: next } = JSON.parse(body) as Json
        ids.push(...part.map(({ id }: Json) => id))
        if (next === null) break
        expect(part.length).toBeLessThan(100)
        cursor = `&cursor=${next}`
      }
      expect(ids).toEqual(emails.map(({ id }: Json) => id))
    }, 60_000)

    test('small responses, raw messages and problems are not compressed', async () => {
      const address = freshAddress(host.domain)
      const { id } = await deliver(address, plain('Raw', 'a'.repeat(5000)))
      const asked = { headers: { 'Accept-Encoding': 'gzip', 'X-API-Key': await newKey() } }
      for (const path of ['/api/random-username', at(address, `/${id}/raw`), '/api/nothing']) {
        expect((await fetch(host.url + path, asked)).headers.get('content-encoding')).toBeNull()
      }
      const single = await fetch(host.url + at(address, `/${id}`), asked)
      expect(single.headers.get('content-encoding')).toBe('gzip')
      expect(((await single.json()) as Json).email.body_text).toBe(`${'a'.repeat(5000)}\n`)
    })

    test('j: the information that a client needs', async () => {
      const { status, body } = await call('/api/info')
      expect(status).toBe(200)
      expect(body).toEqual({
        success: true,
        version: manifest.version,
        base_url: expect.stringMatching(/^https?:\/\/[^/]+$/),
        smtp: host.smtp,
        mx: host.mxHost,
        retention_hours: 24,
        max_message_bytes: 41_943_040,
      })
    })

    test('since, from, subject and has', async () => {
      const address = freshAddress(host.domain)
      const code = await deliver(address, plain('Sign in', 'Your code is 112233'))
      await sleep(20)
      const link = await deliver(
        address,
        plain('Ünïcode WELCOME', 'see https://example.org/x').replace('Shop <shop@', 'Bank <NoReply@'),
      )
      const find = async (query: string) =>
        (await call(`/api/public/emails/${address}?${query}`)).body.emails.map((email: Json) => email.id)
      expect(await find('has=code')).toEqual([code.id])
      expect(await find('has=link')).toEqual([link.id])
      expect(await find('has=attachment')).toEqual([])
      expect(await find('has=action_link')).toEqual([])
      const action = await deliver(address, plain('Welcome', 'Confirm: https://example.org/y/8fk29d'))
      expect(await find('has=action_link')).toEqual([action.id])
      expect(
        (await (await caller())(at(address, '/latest?has=action_link'))).body.email.action_link.kind,
      ).toBe('confirm')
      await (await caller())(at(address, `/${action.id}`), { method: 'DELETE' })
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
      const asBot = await caller()
      expect((await asBot(at(address, '/latest?has=code'))).body.email.id).toBe(code.id)
      expect((await asBot(at(address, `/latest?since=${link.id}`))).body.email).toBeNull()
    })

    test('an invalid query is rejected, never ignored', async () => {
      const address = freshAddress(host.domain)
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
        'has=codes',
        'has=',
        'from=',
        `subject=${'x'.repeat(201)}`,
      ]
      for (const query of bad)
        problem(await call(`/api/public/emails/${address}?${query}`), 400, 'invalid_query')
      expect((await call(`/api/public/emails/${address}?limit=100`)).status).toBe(200)
      expect((await call(`/api/public/emails/${address}?limit=1`)).status).toBe(200)
    })

    test('12 and b: an email and a whole inbox can be deleted', async () => {
      const address = freshAddress(host.domain)
      const first = await deliver(address, plain('1', 'x'))
      await deliver(address, plain('2', 'x'))
      await deliver(address, plain('3', 'x'))
      const asBot = await caller()
      const path = at(address, `/${first.id}`)
      expect((await asBot(path, { method: 'DELETE' })).body).toEqual({ success: true, id: first.id })
      problem(await asBot(path, { method: 'DELETE' }), 404, 'email_not_found')
      problem(await asBot(path), 404, 'email_not_found')
      problem(await asBot(`${path}/raw`), 404, 'email_not_found')
      expect(await inbox(address)).toHaveLength(2)
      expect((await asBot(at(address), { method: 'DELETE' })).body).toEqual({ success: true, deleted: 2 })
      expect((await asBot(at(address), { method: 'DELETE' })).body).toEqual({ success: true, deleted: 0 })
      expect(await inbox(address)).toEqual([])
      problem(await asBot(at(address, '/not-an-id')), 404, 'email_not_found')
    })

    // ── Who may call ──────────────────────────────────────────────────────────────────────────────────

    test('9 to 12 and a to d need an API key', async () => {
      const address = freshAddress(host.domain)
      const paths = ['', '/latest', '/wait', '/x', '/x/raw', '/x/attachments/0']
      for (const path of paths) {
        const missing = await call(at(address, path))
        problem(missing, 401, 'api_key_missing')
        expect(missing.headers.get('www-authenticate')).toBeTruthy()
      }
      problem(await call(at(address, '/x'), { method: 'DELETE' }), 401, 'api_key_missing')
      problem(await call(at(address), { method: 'DELETE' }), 401, 'api_key_missing')
      const key = await newKey()
      const mistyped = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`
      for (const bad of ['x', mistyped, `mf_${'a'.repeat(38)}`]) {
        const answer = await call(at(address), { headers: { 'X-API-Key': bad } })
        problem(answer, 401, 'api_key_invalid')
        expect(JSON.stringify(answer.body)).not.toContain(bad.slice(4, 30) || 'mf_')
      }
    })

    test('a private domain requires its key, also at the endpoints with an API key', async () => {
      const address = freshAddress(host.privateDomains[0])
      const asBot = await caller()
      problem(await asBot(at(address)), 401, 'domain_key_missing')
      problem(await asBot(at(address, '/latest')), 401, 'domain_key_missing')
      // Only the endpoints that the specification lists accept the key in the query.
      problem(await asBot(at(address, `?key=${host.domainKey}`)), 401, 'domain_key_missing')
      problem(await (await caller({ 'X-Domain-Key': 'no' }))(at(address)), 403, 'domain_key_invalid')
      expect((await (await caller({ 'X-Domain-Key': host.domainKey }))(at(address))).status).toBe(200)
      problem(await call(`/api/public/emails/${address}`), 401, 'domain_key_missing')
      problem(await call(`/api/public/emails/${address}?key=no`), 403, 'domain_key_invalid')
      expect(
        (await call(`/api/public/emails/${address}?key=${encodeURIComponent(host.domainKey)}`)).status,
      ).toBe(200)
      expect(
        (await call(`/api/public/emails/${address}`, { headers: { 'X-Domain-Key': host.domainKey } })).status,
      ).toBe(200)
      problem(await call(`/api/sse/${address}`), 401, 'domain_key_missing')
      // A stream accepts the key only in the query, as its specification says.
      const keyed = { headers: { 'X-Domain-Key': host.domainKey } }
      problem(await call(`/api/sse/${address}`, keyed), 401, 'domain_key_missing')
      problem(await call(`/api/sse/${address}?key=no`), 403, 'domain_key_invalid')
      problem(await call('/api/user-dashboard/sse'), 401, 'domain_key_missing')
      problem(await call('/api/user-dashboard/sse?key=no'), 403, 'domain_key_invalid')
    })

    // ── Keys and limits ───────────────────────────────────────────────────────────────────────────────

    test('e, f, g: keys are created, described and revoked', async () => {
      const ip = host.from(freshIp())
      expect((await call('/api/keys', { headers: ip })).body).toEqual({
        success: true,
        limit: 5,
        remaining: 5,
        resets_at: expect.stringMatching(TIME),
      })
      const before = Date.now()
      const issued = await call('/api/keys', {
        method: 'POST',
        headers: { ...ip, 'Content-Type': 'application/json' },
        body: JSON.stringify({ purpose: 'CI ✓' }),
      })
      expect(issued.status).toBe(201)
      expect(issued.body).toEqual({
        success: true,
        key: expect.stringMatching(/^mf_[0-9A-Za-z]{38}$/),
        purpose: 'CI ✓',
        created_at: expect.stringMatching(TIME),
        expires_at: expect.stringMatching(TIME),
        rate_limit: { limit: 120, window_seconds: 60 },
        remaining: 4,
      })
      const { key, purpose, created_at: createdAt, expires_at: expiresAt } = issued.body
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 86_400_000)
      const quota = (await call('/api/keys', { headers: ip })).body
      expect(quota.remaining).toBe(4)
      expect(Date.parse(quota.resets_at)).toBeGreaterThan(before + 86_000_000)

      const headers = { 'X-API-Key': key }
      const current = await call('/api/keys/current', { headers })
      expect(current.body).toEqual({ success: true, purpose, created_at: createdAt, expires_at: expiresAt })
      expect(current.headers.get('ratelimit-limit')).toBe('120')
      expect(current.headers.get('ratelimit-remaining')).toBe('119')
      expect(Number(current.headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60)
      expect((await call('/api/keys/current', { method: 'DELETE', headers })).body).toEqual({ success: true })
      problem(await call('/api/keys/current', { headers }), 401, 'api_key_invalid')
      problem(await call('/api/keys/current'), 401, 'api_key_missing')
    })

    test('f: 5 keys for a client; an IPv6 /64 counts as one client, and a forged header changes nothing', async () => {
      for (const addresses of [
        ['203.0.113.7'],
        ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', '2001:0db8:0001:0002:0:0:0:3'],
      ]) {
        const answers: Answer[] = []
        for (let i = 0; i < 6; i++) {
          const ip = addresses[i % addresses.length]!
          answers.push(await call('/api/keys', { method: 'POST', headers: host.from(ip) }))
        }
        expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 201, 201, 429])
        problem(answers[5]!, 429, 'key_quota_exceeded')
        expect(Number(answers[5]!.headers.get('retry-after'))).toBeGreaterThan(80_000)
      }
    })

    test('f: invalid bodies are rejected', async () => {
      const post = (body: string) =>
        call('/api/keys', { method: 'POST', headers: host.from(freshIp()), body })
      for (const body of [
        '{',
        '[]',
        'null',
        '"x"',
        '{"purpose":1}',
        JSON.stringify({ purpose: 'x'.repeat(101) }),
      ]) {
        problem(await post(body), 400, 'invalid_body')
      }
      problem(await post(JSON.stringify({ purpose: 'x'.repeat(20_000) })), 413, 'body_too_large')
      expect((await post(JSON.stringify({ purpose: '😀'.repeat(100) }))).status).toBe(201)
      expect((await post('{}')).status).toBe(201)
    })

    test('the 121st request in a clock minute is 429', async () => {
      // The requests must not span the end of a minute.
      const left = 60_000 - (Date.now() % 60_000)
      if (left < 15_000) await sleep(left + 100)
      const headers = { 'X-API-Key': await newKey() }
      const answers = await Promise.all(
        Array.from({ length: 200 }, () => call('/api/keys/current', { headers })),
      )
      const accepted = answers.filter((answer) => answer.status === 200)
      const refused = answers.filter((answer) => answer.status === 429)
      expect([accepted.length, refused.length]).toEqual([120, 80])
      problem(refused[0]!, 429, 'rate_limited')
      expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(refused[0]!.headers.get('ratelimit-remaining')).toBe('0')
      expect(
        accepted.map((answer) => Number(answer.headers.get('ratelimit-remaining'))).sort((a, b) => a - b),
      ).toEqual(Array.from({ length: 120 }, (_, i) => i))
    }, 90_000)

    // ── Every answer ──────────────────────────────────────────────────────────────────────────────────

    test('headers of every response, CORS, unknown paths and methods', async () => {
      for (const path of ['/api/domains', '/api/nothing', '/api/public/emails/x', '/api/openapi.json']) {
        const { headers } = await call(path)
        expect(headers.get('x-request-id')).toBeTruthy()
        expect(headers.get('cache-control')).toBe('no-store')
        expect(headers.get('access-control-allow-origin')).toBe('*')
        for (const name of ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After']) {
          expect(headers.get('access-control-expose-headers')).toContain(name)
        }
      }
      const preflight = await call('/api/emails/a%40b.example', {
        method: 'OPTIONS',
        headers: {
          Origin: 'https://app.example',
          'Access-Control-Request-Method': 'DELETE',
          'Access-Control-Request-Headers': 'x-api-key,x-domain-key',
        },
      })
      expect(preflight.status).toBe(204)
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
      expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('x-domain-key')
      expect(preflight.headers.get('access-control-allow-methods')).toContain('DELETE')
      problem(await call('/api/nothing'), 404, 'not_found')
      problem(await call('/API/domains'), 404, 'not_found')
      const wrong = await call('/api/domains', { method: 'POST' })
      problem(wrong, 405, 'method_not_allowed')
      expect(wrong.headers.get('allow')).toContain('GET')
      const put = await call('/api/emails/a%40b.example/x', { method: 'PUT' })
      problem(put, 405, 'method_not_allowed')
      expect(put.headers.get('allow')?.split(/, */)).toEqual(expect.arrayContaining(['GET', 'DELETE']))
    })

    test('h and i: health and the OpenAPI document', async () => {
      const health = await call('/api/health')
      expect([health.status, health.body]).toEqual([200, { success: true, status: 'ok' }])
      const { status, body } = await call('/api/openapi.json')
      expect(status).toBe(200)
      expect(body.openapi).toMatch(/^3\.1\./)
      // The one-machine service has additional operations: it can send itself a mail, and lists
      // rejected senders.
      const own = ['/api/test-mail', '/api/activity/{address}']
      const paths = Object.keys(body.paths).filter((path) => !own.includes(path))
      expect(paths.sort()).toEqual([
        '/api/domain/verify/{domain}',
        '/api/domains',
        '/api/domains/random',
        '/api/emails/{address}',
        '/api/emails/{address}/latest',
        '/api/emails/{address}/read',
        '/api/emails/{address}/wait',
        '/api/emails/{address}/{id}',
        '/api/emails/{address}/{id}/attachments/{n}',
        '/api/emails/{address}/{id}/raw',
        '/api/health',
        '/api/info',
        '/api/keys',
        '/api/keys/current',
        '/api/openapi.json',
        '/api/public/emails/{address}',
        '/api/random-username',
        '/api/session',
        '/api/sse/{address}',
        '/api/user-dashboard/sse',
        '/api/webhooks',
        '/api/webhooks/{id}',
        '/api/webhooks/{id}/deliveries',
        '/api/webhooks/{id}/test',
        '/mcp',
      ])
      for (const operation of Object.values<Json>(body.paths).flatMap((methods) =>
        Object.values<Json>(methods),
      )) {
        for (const { name, description } of operation.parameters) {
          expect([operation.operationId, name, description]).toEqual([
            operation.operationId,
            name,
            expect.any(String),
          ])
        }
      }
    })

    pageSessionContract(new Requests(() => host))

    // ── Live ──────────────────────────────────────────────────────────────────────────────────────────

    test('6: a stream starts with a comment, and sends an event for an email', async () => {
      const address = freshAddress(host.domain)
      const controller = new AbortController()
      const response = await fetch(`${host.url}/api/sse/${address}`, { signal: controller.signal })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('x-request-id')).toBeTruthy()
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      while (!text.includes('\n\n')) text += (await reader.read()).value
      expect(text).toMatch(/^retry: 2000\n/)
      expect(text).toMatch(/^: /m)
      const email = await deliver(address, plain('Live', 'Your code is 909090'))
      while (!/data: .*\n\n/.test(text)) text += (await reader.read()).value
      const event = text.slice(text.indexOf('\n\n') + 2).replace(/^(:.*\n\n)+/, '')
      expect(event).toBe(
        `id: ${email.id}\ndata: ${JSON.stringify({ type: 'new-email', domain: host.domain, email })}\n\n`,
      )
      controller.abort()
      await reader.cancel().catch(() => {})
    })

    test('6, 7, 8: a stream gets only the events of its address or of the domains of its key', async () => {
      const mine = freshAddress(host.privateDomains[0])
      const other = freshAddress(host.privateDomains[1])
      const key = encodeURIComponent(host.domainKey)
      const own = await stream(`/api/sse/${encodeURIComponent(mine)}?key=${key}`)
      const all = await stream(`/api/user-dashboard/sse?key=${key}`)
      const elsewhere = await stream(`/api/sse/${freshAddress(host.domain)}`)
      await host.deliver(plain('one', 'x'), [mine])
      await own.until(1)
      await host.deliver(plain('two', 'x'), [other])
      const seen = await all.until(2)
      expect(seen.map(({ type, data }) => [type, data.type, data.domain, data.email!.subject])).toEqual([
        ['message', 'new-email', host.privateDomains[0], 'one'],
        ['message', 'new-email', host.privateDomains[1], 'two'],
      ])
      expect(own.events).toHaveLength(1)
      expect(own.events[0]!.id).toBe(own.events[0]!.data.email!.id)
      expect(elsewhere.events).toEqual([])
    })

    test('6, 7, 8: streams that request them get events without an id when emails are read, deleted or cleared', async () => {
      const [domain] = host.privateDomains
      const address = freshAddress(domain)
      const key = encodeURIComponent(host.domainKey)
      const changes = await stream(
        `/api/user-dashboard/sse?key=${key}&events=email-read,email-deleted,inbox-cleared`,
      )
      const everything = await stream(
        `/api/sse/${address}?key=${key}&events=new-email,email-read,email-deleted,inbox-cleared`,
      )
      const usual = await stream(`/api/sse/${address}?key=${key}`)
      const as = await caller({ 'X-Domain-Key': host.domainKey })
      const [one, two] = [
        await deliver(address, plain('one', 'x')),
        await deliver(address, plain('two', 'x')),
      ]
      for (let n = 0; n < 2; n++) await as(at(address, `/${one.id}`))
      await as(at(address, `/${one.id}`), { method: 'DELETE' })
      await as(at(address), { method: 'DELETE' })
      const expected = [
        { type: 'email-read', domain, address, id: one.id },
        { type: 'email-deleted', domain, address, id: one.id },
        { type: 'inbox-cleared', domain, address },
      ]
      expect((await changes.until(3)).map(({ type, data }) => [type, data])).toEqual(
        expected.map((data) => ['message', data]),
      )
      // An email and a change of another email may arrive in either order.
      await everything.until(5)
      const three = await deliver(address, plain('three', 'x'))
      const seen = await everything.until(6)
      expect(seen.map(({ data }) => data.email?.id ?? data)).toEqual([one.id, two.id, ...expected, three.id])
      expect(seen.map(({ id }) => id).filter(Boolean)).toEqual([one.id, two.id, three.id])
      expect((await usual.until(3)).map(({ data }) => data.email?.id)).toEqual([one.id, two.id, three.id])
      expect(changes.events).toHaveLength(3)

      const resumed = await stream(
        `/api/sse/${address}?key=${key}&events=email-read&last_event_id=${'0'.repeat(26)}`,
      )
      await as(at(address, `/${three.id}`))
      expect((await resumed.until(1)).map(({ data }) => data.type)).toEqual(['email-read'])
      for (const bad of ['', 'new-email,', 'new-email,read', 'NEW-EMAIL', 'new-email email-read', 'gap']) {
        const path = `/api/sse/${freshAddress(host.domain)}?events=${encodeURIComponent(bad)}`
        problem(await call(path), 400, 'invalid_query')
      }
    })

    test('one stream follows several addresses, each checked as if it were alone', async () => {
      const [one, two, three] = [
        freshAddress(host.domain),
        freshAddress(host.domain),
        freshAddress(host.domain),
      ]
      const path = (first: string, ...also: string[]) =>
        `/api/sse/${encodeURIComponent(first)}?${also.map((other) => `also=${encodeURIComponent(other)}`).join('&')}`
      const both = await stream(path(one, two, two.toUpperCase()))
      const ids: string[] = []
      for (const address of [one, three, two, one]) {
        const { id } = await deliver(address, plain('to several', 'x'))
        if (address !== three) ids.push(id)
      }
      const events = await both.until(3)
      expect(events.map(({ id }) => id)).toEqual(ids)
      expect(events.map(({ data }) => data.email!.address)).toEqual([one, two, one])
      const resumed = await stream(path(two, one), { 'Last-Event-ID': ids[0]! })
      await resumed.until(2)
      expect(resumed.events.map(({ id }) => id)).toEqual(expect.arrayContaining(ids.slice(1)))

      const secret = freshAddress(host.privateDomains[0])
      problem(await call(path(one, secret)), 401, 'domain_key_missing')
      problem(await call(`${path(one, secret)}&key=wrong`), 403, 'domain_key_invalid')
      problem(await call(path(one, 'bot@nowhere.example')), 404, 'domain_not_found')
      problem(await call(path(one, 'no address')), 400, 'invalid_address')
      const opened = await stream(`${path(one, secret)}&key=${encodeURIComponent(host.domainKey)}`)
      const { id } = await deliver(secret, plain('to the private one', 'x'))
      expect((await opened.until(1))[0]!.id).toBe(id)
    })

    test('a stream follows at most 20 addresses', async () => {
      const also = (count: number) =>
        Array.from({ length: count }, (_, n) => `also=bot${n}%40${host.domain}`).join('&')
      const first = freshAddress(host.domain)
      const most = await stream(`/api/sse/${encodeURIComponent(first)}?${also(19)}`)
      const { id } = await deliver(first, plain('to one of twenty', 'x'))
      expect((await most.until(1))[0]!.id).toBe(id)
      problem(await call(`/api/sse/${encodeURIComponent(first)}?${also(20)}`), 400, 'invalid_query')
    })

    test('a stream resumes after its last id without gaps or duplicates', async () => {
      const address = freshAddress(host.domain)
      const path = `/api/sse/${encodeURIComponent(address)}`
      const ids: string[] = []
      for (let i = 0; i < 5; i++) ids.push((await deliver(address, plain(`${i}`, 'x'))).id)
      const byHeader = await stream(path, { 'Last-Event-ID': ids[1]! })
      const byQuery = await stream(`${path}?last_event_id=${ids[3]}`)
      ids.push((await deliver(address, plain('5', 'x'))).id)
      await Promise.all([byHeader.until(4), byQuery.until(2)])
      await sleep(50)
      expect(byHeader.events.map((event) => event.id)).toEqual(ids.slice(2))
      expect(byQuery.events.map((event) => event.id)).toEqual(ids.slice(4))
      problem(await call(path, { headers: { 'Last-Event-ID': 'nonsense' } }), 400, 'invalid_query')
      problem(await call(`${path}?last_event_id=nonsense`), 400, 'invalid_query')
    })

    test('mail that arrives while streams open and close reaches each open stream once', async () => {
      const address = freshAddress(host.domain)
      const path = `/api/sse/${encodeURIComponent(address)}`
      const first = await stream(path)
      const total = 20
      const sending = (async () => {
        for (let i = 0; i < total; i++) await host.deliver(plain(`${i}`, 'x'), [address])
      })()
      const [start] = await first.until(1)
      // Each stream starts somewhere in the middle and requests all events after the first.
      const joiners: OpenStream[] = []
      for (let i = 0; i < 5; i++) {
        joiners.push(await stream(path, { 'Last-Event-ID': start!.id }))
        await sleep(20)
      }
      await sending
      const all = (await first.until(total)).map((event) => event.id)
      expect(new Set(all).size).toBe(total)
      for (const joiner of joiners) {
        await joiner.until(total - 1)
        expect(joiner.events.map((event) => event.id)).toEqual(all.slice(1))
      }
    }, 60_000)

    test('a: wait returns at once, when mail arrives, or null', async () => {
      const address = freshAddress(host.domain)
      const asBot = await caller()
      const began = Date.now()
      expect((await asBot(at(address, '/wait?timeout=1'))).body).toEqual({ success: true, email: null })
      expect(Date.now() - began).toBeGreaterThanOrEqual(900)
      const waiting = asBot(at(address, '/wait?has=code&timeout=20'))
      await sleep(100)
      await deliver(address, plain('Nothing', 'no number here'))
      const email = await deliver(address, plain('Code', 'Your code is 445566'))
      expect((await waiting).body.email).toEqual(email)
      expect((await asBot(at(address, '/wait?has=code&timeout=20'))).body.email.id).toBe(email.id)
      expect((await asBot(at(address, `/wait?since=${email.id}&timeout=1`))).body.email).toBeNull()
      for (const query of ['timeout=0', 'timeout=26', 'timeout=x', 'has=x']) {
        problem(await asBot(at(address, `/wait?${query}`)), 400, 'invalid_query')
      }
    }, 60_000)

    test('when the key of a domain changes, its streams end and the old key is rejected', async () => {
      const name = `turn-${Date.now().toString(36)}.example`
      const ip = host.from(freshIp())
      const verify = async () => (await call(`/api/domain/verify/${name}`, { headers: ip })).body
      host.dns.set('MX', name, [`10 ${host.mxHost}`])
      host.dns.set('TXT', `_mayfly.${name}`, ['key=first'])
      await verify()
      // The key record alone does not open a stream of all domains of the key.
      problem(await call('/api/user-dashboard/sse?key=first'), 403, 'domain_key_invalid')
      const old = await stream(`/api/sse/a%40${name}?key=first`)
      const dashboard = await stream('/api/user-dashboard/sse?key=first')
      host.dns.set('TXT', `_mayfly.${name}`, ['key=second'])
      await verify()
      expect(await old.refused).toBe(403)
      expect(await dashboard.refused).toBe(403)
      expect((await call(`/api/public/emails/a%40${name}?key=second`)).status).toBe(200)
    }, 60_000)
  })
}
