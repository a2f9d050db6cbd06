import { beforeEach, describe, expect, test } from '@jest/globals'
import type { Rest } from '../../../adapters/mcp/rest.ts'
import { TOOLS } from '../../../adapters/mcp/tools.ts'

/** Ids of emails. */
const [E0, E1, E5, E7, E9] = ['0', '1', '5', '7', '9'].map((digit) => `01M84WAZT3ZZZZZZZZZZZZZZZ${digit}`)
const ADDRESS = 'bot@x.test'
const EMAIL = {
  id: E1,
  from: { name: null, address: 'shop@example.org' },
  subject: 'Hello',
  body_text: 'text',
  codes: ['111111', '222222'],
  // As long as links of a mail service, which count clicks.
  action_link: { url: `https://a.example/verify/${'x'.repeat(2000)}`, kind: 'confirm' },
  links: ['https://a.example/1', 'https://a.example/2'],
  attachment_count: 1,
  received_at: '2026-11-21T00:00:00.000Z',
  attachments: [{ filename: null, content_type: 'text/plain', size: 3 }],
}

/** A text of the sender on one line, between its markers. */
const line = (text: string) => expect.stringMatching(new RegExp(`^<<<UNTRUSTED \\w{16}>>> ${text} <<<END OF`))

describe('the tool', () => {
  let calls: unknown[][]
  let answers: Record<string, unknown>

  beforeEach(() => {
    calls = []
    answers = {
      '/api/random-username': { username: 'bot' },
      '/api/domains/random': { domain: 'x.test' },
      '/api/emails': { emails: [{ ...EMAIL, address: ADDRESS }], next_cursor: null },
      '/api/emails/:address': { emails: [EMAIL], next_cursor: E0 },
      '/api/emails/:address/latest': { email: null },
      '/api/emails/:address/wait': { email: null },
      '/api/emails/:address/:id': { email: EMAIL },
    }
  })

  const rest: Rest = async (...call) => {
    calls.push(call)
    return answers[call[1]]
  }
  const run = (name: string, input: object) =>
    TOOLS.find((tool) => tool.name === name)!.run(rest, input as never)

  test('create_inbox takes a random public domain or the given one, and reads the new inbox', async () => {
    expect(await run('create_inbox', {})).toEqual({ address: 'bot@x.test' })
    expect(await run('create_inbox', { domain: 'y.test' })).toEqual({ address: 'bot@y.test' })
    const [name, domain] = [
      ['GET', '/api/random-username'],
      ['GET', '/api/domains/random'],
    ]
    const inboxOf = (address: string) => ['GET', '/api/emails/:address', { address }, { limit: 1 }]
    expect(calls).toEqual([name, domain, inboxOf('bot@x.test'), name, inboxOf('bot@y.test')])
  })

  test.each([
    ['wait_for_code', { code: null, codes: [], email_id: null }],
    ['wait_for_link', { link: null, kind: null, email_id: null }],
    ['wait_for_email', { email: null }],
  ])('%s that finds nothing says how to go on', async (name, nothing) => {
    const input = { address: ADDRESS, timeout: 7, from: 'shop', subject: 'hi' }
    const next = (how: string, others = '') =>
      `Nothing yet after 7 s.${others} To go on, call again with ${how}.`
    answers['/api/emails/:address'] = { emails: [] }
    const none = { found: false, ...nothing }
    expect(await run(name, input)).toEqual({ ...none, since: null, next: next('the same arguments') })
    answers['/api/emails/:address/latest'] = { email: { id: E9 } }
    expect(await run(name, input)).toEqual({ ...none, since: E9, next: next(`since: "${E9}"`) })
    calls = []
    expect(await run(name, { ...input, since: E5 })).toEqual({
      ...none,
      since: E5,
      next: next(`since: "${E5}"`),
    })
    const has = { wait_for_code: 'code', wait_for_link: 'action_link' }[name]
    const query = { timeout: 7, from: 'shop', subject: 'hi', since: E5, has }
    const list = { since: E5, limit: 20, text_limit: 0 }
    expect(calls).toEqual([
      ['GET', '/api/emails/:address/wait', { address: ADDRESS }, query],
      ['GET', '/api/emails/:address', { address: ADDRESS }, list],
    ])
    // Emails that do not match show that the filter may be wrong.
    for (const [n, count] of [
      [1, '1 e-mail is there that does'],
      [19, '19 e-mails are there that do'],
      [20, '20 or more e-mails are there that do'],
    ] as const) {
      answers['/api/emails/:address'] = { emails: Array(n).fill(EMAIL) }
      const others = ` ${count} not match; list_emails lists what has arrived.`
      expect(await run(name, { ...input, since: E5 })).toMatchObject({ next: next(`since: "${E5}"`, others) })
    }
  })

  test('wait_for_email without a filter looks for no email that does not match', async () => {
    await run('wait_for_email', { address: ADDRESS, timeout: 7, since: E5 })
    expect(calls).toHaveLength(1)
  })

  test.each([
    ['wait_for_code', { code: '111111', codes: EMAIL.codes, email_id: E1 }],
    ['wait_for_link', { link: line(EMAIL.action_link.url), kind: 'confirm', email_id: E1 }],
    [
      'wait_for_email',
      {
        email: {
          id: E1,
          from: line('shop@example.org'),
          subject: line('Hello'),
          received_at: EMAIL.received_at,
          codes: EMAIL.codes,
          action_link: line(EMAIL.action_link.url),
          attachment_count: 1,
        },
      },
    ],
  ])('%s returns what it found, and continues after it', async (name, found) => {
    answers['/api/emails/:address/wait'] = { email: EMAIL }
    expect(await run(name, { address: ADDRESS })).toEqual({ found: true, ...found, since: E1, next: null })
  })

  test('list_emails passes its filter on, and shows names with addresses', async () => {
    const named = { ...EMAIL, from: { name: 'Shop', address: null }, action_link: null }
    answers['/api/emails/:address'] = { emails: [named], next_cursor: E0 }
    const query = { limit: 5, cursor: E7, from: 'shop' }
    expect(await run('list_emails', { address: ADDRESS, ...query })).toMatchObject({
      emails: [{ id: E1, from: line('Shop <>'), action_link: null }],
      next_cursor: E0,
    })
    expect(calls).toEqual([['GET', '/api/emails/:address', { address: ADDRESS }, query]])
  })

  test('read_email returns the text, links and attachments between markers', async () => {
    const { content, links, ...rest } = await run('read_email', { address: ADDRESS, id: E1 })
    expect(content).toMatch(/^<<<UNTRUSTED EMAIL CONTENT \w{16}>>>\ntext\n<<<END OF/)
    expect(links).toMatch(/>>>\nhttps:\/\/a\.example\/1\nhttps:\/\/a\.example\/2\n<<<END OF/)
    expect(rest).toMatchObject({
      id: E1,
      attachments: [{ filename: line(''), content_type: line('text/plain'), size: 3 }],
    })
  })

  test('delete_email deletes that email', async () => {
    const parameters = { address: ADDRESS, id: E1 }
    expect(await run('delete_email', parameters)).toEqual({ deleted: true, id: E1 })
    expect(calls).toEqual([['DELETE', '/api/emails/:address/:id', parameters]])
  })

  test('list_emails without an address lists all mail, each with its recipient as text of the sender', async () => {
    expect(await run('list_emails', { to: 'bot', limit: 5 })).toMatchObject({
      emails: [{ id: E1, address: line('bot@x\\.test') }],
      next_cursor: null,
    })
    expect(calls).toEqual([['GET', '/api/emails', {}, { to: 'bot', limit: 5 }]])
  })
})
