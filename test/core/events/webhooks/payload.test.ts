import { describe, expect, test } from '@jest/globals'
import { concerns, deliveryId, fitted } from '../../../../core/events/webhooks/payload.ts'
import type { Webhook, WebhookTarget } from '../../../../core/events/webhooks/ports.ts'
import type { Email } from '../../../../core/inbox/email.ts'

const NAME = 'x'.repeat(60)
const email = (more: Partial<Email>) =>
  ({ subject: 'Hi', bodyText: '', bodyTextTruncated: false, links: [], to: [], cc: [], ...more }) as Email
const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const many = (n: number, of: string) => Array.from({ length: n }, (_, i) => `${of}${i}`)
const people = (n: number) => many(n, NAME).map((name) => ({ name, address: `${name}@example.org` }))

describe('the email of a webhook', () => {
  test('is unchanged if it is small', () => {
    const small = email({ bodyText: 'Your code is 482913', links: ['https://example.org/'] })
    expect(fitted(small)).toEqual(small)
  })

  test('has at most 4 KB of text, cut between characters and marked as cut', () => {
    const { bodyText, bodyTextTruncated } = fitted(email({ bodyText: `x${'é'.repeat(4000)}` }))
    expect(bodyText).toBe(`x${'é'.repeat(2047)}`)
    expect(bodyTextTruncated).toBe(true)
  })

  /** An email of 18 KiB of JSON and this many bytes more, of which 5 KB are links and 6 KB recipients. */
  function emailOf18KiB(more: number) {
    const one = email({ links: many(16, 'x'.repeat(300)), to: people(22), cc: people(22), bodyText: 'x' })
    const missing = 18 * 1024 + more - size(one)
    return { ...one, subject: one.subject + 's'.repeat(missing) }
  }

  test('is unchanged if it has 18 KiB, however many links and recipients it has', () => {
    const whole = emailOf18KiB(0)
    expect([size(whole.links) > 4096, size(whole.to) > 2048, size(whole.cc) > 1024]).toEqual([
      true,
      true,
      true,
    ])
    expect(fitted(whole)).toBe(whole)
    const { links, to } = fitted(emailOf18KiB(1))
    expect([links, to]).toEqual([whole.links.slice(0, 13), whole.to])
  })

  test.each(['links', 'to', 'text'] as const)('that has 18 KiB without its last %s loses no more', (lost) => {
    const of = {
      links: email({
        links: many(40, 'x'.repeat(300)),
        to: people(22),
        cc: people(22),
        bodyText: 'x'.repeat(2000),
      }),
      to: email({ to: people(40), cc: people(40), bodyText: 'x'.repeat(2000) }),
      text: email({ bodyText: '\u0001'.repeat(4096) }),
    }[lost]
    const cutTo = fitted({ ...of, subject: 's'.repeat(18 * 1024) })
    // With this subject, exactly what is left without the lost field fits.
    const left = {
      links: { ...of, links: cutTo.links },
      to: { ...of, to: cutTo.to, cc: cutTo.cc },
      text: { ...of, bodyText: cutTo.bodyText, bodyTextTruncated: true },
    }[lost]
    const subject = 's'.repeat(18 * 1024 - size({ ...left, subject: '' }))
    expect(fitted({ ...of, subject })).toEqual({ ...left, subject })
  })

  test('loses its last links first if it is too large', () => {
    const large = email({ bodyText: 'x'.repeat(4000), links: many(100, 'x'.repeat(300)), to: people(10) })
    const { links, to, bodyText } = fitted(large)
    expect(links).toEqual(large.links.slice(0, 13))
    expect(to).toEqual(large.to)
    expect(bodyText).toBe(large.bodyText)
  })

  test('loses its last recipients next', () => {
    const large = email({ bodyText: 'x'.repeat(4000), to: people(200), cc: people(200) })
    const { to, cc, bodyText } = fitted(large)
    // With one more each, they would have more than 2 KiB and 1 KiB.
    expect([to, cc]).toEqual([large.to.slice(0, 12), large.cc.slice(0, 6)])
    expect(bodyText).toBe(large.bodyText)
  })

  test('has its text cut again if its JSON is many times as large', () => {
    const { bodyText } = fitted(email({ bodyText: '\u0001'.repeat(4096) }))
    expect(bodyText).toBe('\u0001'.repeat(512))
  })
})

test.each<[WebhookTarget, string, boolean]>([
  [{ address: 'a@x.test' }, 'Hi', true],
  [{ address: 'b@x.test' }, 'Hi', false],
  [{ domain: 'x.test' }, 'Hi', true],
  [{ domain: 'y.test' }, 'Hi', false],
  [{ domain: 'x.test' }, 'Bill', false],
])(
  'a webhook for %j receives the emails that are sent there and match its filter',
  (target, subject, expected) => {
    const one = email({ address: 'a@x.test', from: { name: null, address: null } })
    expect(concerns({ target, filter: { subject } } as Webhook, one)).toBe(expected)
  },
)

test('the id of a delivery names its webhook and its email', () => {
  expect(deliveryId('wh_1', '01A')).toBe('msg_wh_1_01A')
})
