import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import type { OpenStream } from '../support/event-source.ts'
import { eventually } from '../support/eventually.ts'
import { freshAddress } from '../support/mail.ts'
import { at, expectProblem, plain, type Requests } from './requests.ts'

/** Streams of events, and waiting for an email. */
export function streamContract(requests: Requests): void {
  test('6: a stream starts with a comment, and sends an event for an email', async () => {
    const address = freshAddress(requests.host.domain)
    const controller = new AbortController()
    const response = await fetch(`${requests.host.url}/api/sse/${address}`, { signal: controller.signal })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('x-request-id')).toBeTruthy()
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const readUntil = (what: string, pattern: RegExp) =>
      eventually(
        what,
        async () => {
          text += (await reader.read()).value
          return text
        },
        (read) => pattern.test(read),
      )
    await readUntil('the first event or comment', /\n\n/)
    expect(text).toMatch(/^retry: 2000\nevent: connected\nid: [0-9A-Z]{26}\ndata: \{\}\n\n/)
    const email = await requests.deliver(address, plain('Live', 'Your code is 909090'))
    await readUntil('an email', /data: \{".*\n\n/)
    const event = text.slice(text.indexOf('\n\n') + 2).replace(/^(:.*\n\n)+/, '')
    expect(event).toBe(
      `id: ${email.id}\ndata: ${JSON.stringify({ type: 'new-email', domain: requests.host.domain, email })}\n\n`,
    )
    controller.abort()
    await reader.cancel().catch(() => {})
  })

  test('6, 7, 8: a stream gets only the events of its address or of the domains of its key', async () => {
    const mine = freshAddress(requests.host.privateDomains[0])
    const other = freshAddress(requests.host.privateDomains[1])
    const key = encodeURIComponent(requests.host.domainKey)
    const own = await requests.stream(`/api/sse/${encodeURIComponent(mine)}?key=${key}`)
    const all = await requests.stream(`/api/user-dashboard/sse?key=${key}`)
    const elsewhere = await requests.stream(`/api/sse/${freshAddress(requests.host.domain)}`)
    await requests.host.deliver(plain('one', 'x'), [mine])
    await own.until(1)
    await requests.host.deliver(plain('two', 'x'), [other])
    const seen = await all.until(2)
    expect(seen.map(({ type, data }) => [type, data.type, data.domain, data.email!.subject])).toEqual([
      ['message', 'new-email', requests.host.privateDomains[0], 'one'],
      ['message', 'new-email', requests.host.privateDomains[1], 'two'],
    ])
    expect(own.events).toHaveLength(1)
    expect(own.events[0]!.id).toBe(own.events[0]!.data.email!.id)
    expect(elsewhere.events).toEqual([])
  })

  test('6, 7, 8: streams that request them get events without an id when emails are read, deleted or cleared', async () => {
    const [domain] = requests.host.privateDomains
    const address = freshAddress(domain)
    const key = encodeURIComponent(requests.host.domainKey)
    const changes = await requests.stream(
      `/api/user-dashboard/sse?key=${key}&events=email-read,email-deleted,inbox-cleared`,
    )
    const everything = await requests.stream(
      `/api/sse/${address}?key=${key}&events=new-email,email-read,email-deleted,inbox-cleared`,
    )
    const usual = await requests.stream(`/api/sse/${address}?key=${key}`)
    const as = await requests.caller({ 'X-Domain-Key': requests.host.domainKey })
    const [one, two] = [
      await requests.deliver(address, plain('one', 'x')),
      await requests.deliver(address, plain('two', 'x')),
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
    const three = await requests.deliver(address, plain('three', 'x'))
    const seen = await everything.until(6)
    expect(seen.map(({ data }) => data.email?.id ?? data)).toEqual([one.id, two.id, ...expected, three.id])
    expect(seen.map(({ id }) => id).filter(Boolean)).toEqual([one.id, two.id, three.id])
    expect((await usual.until(3)).map(({ data }) => data.email?.id)).toEqual([one.id, two.id, three.id])
    expect(changes.events).toHaveLength(3)

    const resumed = await requests.stream(
      `/api/sse/${address}?key=${key}&events=email-read&last_event_id=${'0'.repeat(26)}`,
    )
    await as(at(address, `/${three.id}`))
    expect((await resumed.until(1)).map(({ data }) => data.type)).toEqual(['email-read'])
    for (const bad of ['', 'new-email,', 'new-email,read', 'NEW-EMAIL', 'new-email email-read', 'gap']) {
      const path = `/api/sse/${freshAddress(requests.host.domain)}?events=${encodeURIComponent(bad)}`
      expectProblem(await requests.call(path), 400, 'invalid_query')
    }
  })

  test('one stream follows several addresses, each checked as if it were alone', async () => {
    const [one, two, three] = [
      freshAddress(requests.host.domain),
      freshAddress(requests.host.domain),
      freshAddress(requests.host.domain),
    ]
    const path = (first: string, ...also: string[]) =>
      `/api/sse/${encodeURIComponent(first)}?${also.map((other) => `also=${encodeURIComponent(other)}`).join('&')}`
    const both = await requests.stream(path(one, two, two.toUpperCase()))
    const ids: string[] = []
    for (const address of [one, three, two, one]) {
      const { id } = await requests.deliver(address, plain('to several', 'x'))
      if (address !== three) ids.push(id)
    }
    const events = await both.until(3)
    expect(events.map(({ id }) => id)).toEqual(ids)
    expect(events.map(({ data }) => data.email!.address)).toEqual([one, two, one])
    const resumed = await requests.stream(path(two, one), { 'Last-Event-ID': ids[0]! })
    // On AWS, such a stream may repeat events of the last minute, under the same ids.
    await eventually('both missed events arrive', () => {
      const arrived = new Set(resumed.events.map(({ id }) => id))
      return ids.slice(1).every((id) => arrived.has(id))
    })

    const secret = freshAddress(requests.host.privateDomains[0])
    expectProblem(await requests.call(path(one, secret)), 401, 'domain_key_missing')
    expectProblem(await requests.call(`${path(one, secret)}&key=wrong`), 403, 'domain_key_invalid')
    expectProblem(await requests.call(path(one, 'bot@nowhere.example')), 404, 'domain_not_found')
    expectProblem(await requests.call(path(one, 'no address')), 400, 'invalid_address')
    const opened = await requests.stream(
      `${path(one, secret)}&key=${encodeURIComponent(requests.host.domainKey)}`,
    )
    const { id } = await requests.deliver(secret, plain('to the private one', 'x'))
    expect((await opened.until(1))[0]!.id).toBe(id)
  })

  test('a stream follows at most 20 addresses', async () => {
    const also = (count: number) =>
      Array.from({ length: count }, (_, n) => `also=bot${n}%40${requests.host.domain}`).join('&')
    const first = freshAddress(requests.host.domain)
    const most = await requests.stream(`/api/sse/${encodeURIComponent(first)}?${also(19)}`)
    const { id } = await requests.deliver(first, plain('to one of twenty', 'x'))
    expect((await most.until(1))[0]!.id).toBe(id)
    expectProblem(
      await requests.call(`/api/sse/${encodeURIComponent(first)}?${also(20)}`),
      400,
      'invalid_query',
    )
  })

  test('a stream resumes after its last id without gaps or duplicates', async () => {
    const address = freshAddress(requests.host.domain)
    const path = `/api/sse/${encodeURIComponent(address)}`
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push((await requests.deliver(address, plain(`${i}`, 'x'))).id)
    const byHeader = await requests.stream(path, { 'Last-Event-ID': ids[1]! })
    const byQuery = await requests.stream(`${path}?last_event_id=${ids[3]}`)
    const byPolyfill = await requests.stream(`${path}?last_event_id=${ids[0]}&lastEventId=${ids[3]}`)
    const withEmptyHeader = await requests.stream(`${path}?last_event_id=${ids[3]}`, { 'Last-Event-ID': '' })
    ids.push((await requests.deliver(address, plain('5', 'x'))).id)
    const byUrl = [byQuery, byPolyfill, withEmptyHeader]
    await Promise.all([byHeader.until(4), ...byUrl.map((stream) => stream.until(2))])
    await sleep(50)
    expect(byHeader.events.map((event) => event.id)).toEqual(ids.slice(2))
    for (const { events } of byUrl) expect(events.map(({ id }) => id)).toEqual(ids.slice(4))
    expectProblem(
      await requests.call(path, { headers: { 'Last-Event-ID': 'nonsense' } }),
      400,
      'invalid_query',
    )
    expectProblem(await requests.call(`${path}?last_event_id=nonsense`), 400, 'invalid_query')
  })

  test('mail that arrives while streams open and close reaches each open stream once', async () => {
    const address = freshAddress(requests.host.domain)
    const path = `/api/sse/${encodeURIComponent(address)}`
    const first = await requests.stream(path)
    const total = 20
    const sending = (async () => {
      for (let i = 0; i < total; i++) await requests.host.deliver(plain(`${i}`, 'x'), [address])
    })()
    const [start] = await first.until(1)
    // Each stream starts somewhere in the middle and requests all events after the first.
    const joiners: OpenStream[] = []
    for (let i = 0; i < 5; i++) {
      joiners.push(await requests.stream(path, { 'Last-Event-ID': start!.id }))
      await sleep(20)
    }
    await sending
    const all = (await first.until(total)).map((event) => event.id)
    expect(new Set(all).size).toBe(total)
    for (const joiner of joiners) {
      await joiner.until(total - 1)
      expect(joiner.events.map((event) => event.id)).toEqual(all.slice(1))
    }
  })

  test('a: wait returns at once, when mail arrives, or null', async () => {
    const address = freshAddress(requests.host.domain)
    const asBot = await requests.caller()
    const began = Date.now()
    expect((await asBot(at(address, '/wait?timeout=1'))).body).toEqual({ success: true, email: null })
    expect(Date.now() - began).toBeGreaterThanOrEqual(900)
    const waiting = asBot(at(address, '/wait?has=code&timeout=20'))
    await sleep(100)
    await requests.deliver(address, plain('Nothing', 'no number here'))
    const email = await requests.deliver(address, plain('Code', 'Your code is 445566'))
    expect((await waiting).body.email).toEqual(email)
    expect((await asBot(at(address, '/wait?has=code&timeout=20'))).body.email.id).toBe(email.id)
    for (const [order, subject] of [
      ['oldest', 'Nothing'],
      ['newest', 'Code'],
    ]) {
      const { body } = await asBot(at(address, `/wait?order=${order}&timeout=20`))
      expect(body).toMatchObject({ success: true, email: { subject }, order })
    }
    expect((await asBot(at(address, `/wait?since=${email.id}&timeout=1`))).body.email).toBeNull()
    for (const query of ['timeout=0', 'timeout=26', 'timeout=x', 'has=x', 'order=x']) {
      expectProblem(await asBot(at(address, `/wait?${query}`)), 400, 'invalid_query')
    }
  })

  test('when the key of a domain changes, its streams end and the old key is rejected', async () => {
    const name = `turn-${Date.now().toString(36)}.example`
    const ip = requests.host.from(requests.freshIp())
    const verify = async () => (await requests.call(`/api/domain/verify/${name}`, { headers: ip })).body
    requests.host.dns.set('MX', name, [`10 ${requests.host.mxHost}`])
    requests.host.dns.set('TXT', `_mayfly.${name}`, ['key=first'])
    await verify()
    // The key record alone does not open a stream of all domains of the key.
    expectProblem(await requests.call('/api/user-dashboard/sse?key=first'), 403, 'domain_key_invalid')
    const old = await requests.stream(`/api/sse/a%40${name}?key=first`)
    const dashboard = await requests.stream('/api/user-dashboard/sse?key=first')
    requests.host.dns.set('TXT', `_mayfly.${name}`, ['key=second'])
    await verify()
    expect(await old.refused).toBe(403)
    expect(await dashboard.refused).toBe(403)
    expect((await requests.call(`/api/public/emails/a%40${name}?key=second`)).status).toBe(200)
  })
}
