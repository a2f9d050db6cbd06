import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Email } from '../../packages/client/src/wire.ts'
import { seconds } from '../../web/inbox/activity.ts'
import { linkified } from '../../web/inbox/linkify.ts'
import { idAfter } from '../../web/inbox/mail-api.ts'
import { mergePage, newestFirst, withArrival } from '../../web/inbox/merge.ts'
import { age, ago, bytes, date, dateTime, hostOf, person, plural, until, wait } from '../../web/lib/format.ts'
import { placeHash, readPlace } from '../../web/lib/place.ts'
import { email } from './email.ts'

const ids = (emails: Email[]) => emails.map(({ id }) => id)

describe('the source of the pages', () => {
  test('imports of the core only types, filters, addresses, edit distances and decoding, except at build time', async () => {
    const web = new URL('../../web/', import.meta.url)
    const builders = ['build.ts', 'problems/list.ts', 'docs/reference.ts', 'html-check/update.ts']
    const files = await readdir(web, { recursive: true })
    for (const file of files.filter((name) => /\.tsx?$/.test(name) && !builders.includes(name))) {
      const text = await readFile(new URL(file, web), 'utf8')
      expect({
        file,
        imports: text.match(
          /^import (?!type ).*(?:core|adapters)\/(?!inbox\/filter|address|nearest|decoded|access\/loopback).*$/gm,
        ),
      }).toEqual({
        file,
        imports: null,
      })
    }
  })
})

describe('the place in the URL', () => {
  test('every address survives a round trip through the URL', () => {
    const local = fc.stringMatching(/^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}$/)
    fc.assert(
      fc.property(local, fc.option(fc.stringMatching(/^[0-9A-Z]{26}$/)), (name, id) => {
        const place = { address: `${name}@example.com`, id: id ?? undefined }
        expect(readPlace(placeHash(place))).toEqual(place)
      }),
    )
  })

  test('is readable, and tolerates unusual spellings', () => {
    expect(placeHash({ address: 'bot+1@example.com' })).toBe('#bot+1@example.com')
    expect(readPlace('#Bot@Example.com')).toEqual({ address: 'bot@example.com', id: undefined })
    expect(readPlace('#%20bot@example.com%20/')).toEqual({ address: 'bot@example.com', id: undefined })
    expect(readPlace('#bot@example.com/1/other')).toEqual({ address: 'bot@example.com', id: '1' })
    expect(readPlace('#nothing')).toBeUndefined()
    expect(readPlace('#%E0%A4%A@x')).toBeUndefined()
    expect(readPlace('')).toBeUndefined()
  })
})

describe('the list of an inbox', () => {
  test('the newest page replaces the emails of the time that it covers', () => {
    const known = [email('5'), email('4'), email('3')]
    const page = { emails: [email('5'), email('3')], next_cursor: null }
    expect(ids(mergePage(known, new Set(ids(known)), page))).toEqual(['5', '3'])
  })

  test('emails that arrived in the meantime stay, and so do older ones', () => {
    const before = new Set(['5', '4', '1'])
    const known = [email('6'), email('5'), email('4'), email('1')]
    const page = { emails: [email('5'), email('4')], next_cursor: '4' }
    expect(ids(mergePage(known, before, page))).toEqual(['6', '5', '4', '1'])
  })

  test('a new email is inserted at its place, once', () => {
    const known = [email('5'), email('3')]
    expect(ids(withArrival(known, email('6')))).toEqual(['6', '5', '3'])
    expect(ids(withArrival(known, email('4')))).toEqual(['5', '4', '3'])
    expect(ids(withArrival(known, email('1')))).toEqual(['5', '3', '1'])
    expect(withArrival(known, email('3'))).toBe(known)
  })

  test('has no duplicates, and the newest email is first', () => {
    expect(ids(newestFirst([email('2'), email('3'), email('1'), email('2')]))).toEqual(['3', '2', '1'])
  })

  test('the id after an id is the next possible one', () => {
    expect(idAfter('01M809KJ0N3ZAQJSRD7X9883AJ')).toBe('01M809KJ0N3ZAQJSRD7X9883AK')
    expect(['AH', 'AK', 'AN', 'AT', 'A9'].map(idAfter)).toEqual(['AJ', 'AM', 'AP', 'AV', 'AA'])
    expect(idAfter('01M809KJ0N3ZAQJSRD7X9883ZZ')).toBe('01M809KJ0N3ZAQJSRD7X988400')
  })
})

describe('links in a text', () => {
  const urls = (text: string) =>
    linkified(text).flatMap((part) =>
      typeof part === 'string' ? [] : [(part as { props: { href: string } }).props.href],
    )

  test.each([
    ['See https://a.example/x.', ['https://a.example/x']],
    ['See http://a.example/x.', ['http://a.example/x']],
    [
      '(https://a.example/x), and <https://b.example/?q=1&r=2>',
      ['https://a.example/x', 'https://b.example/?q=1&r=2'],
    ],
    ['https://en.example/wiki/Mayfly_(insect) is one', ['https://en.example/wiki/Mayfly_(insect)']],
    ['javascript:alert(1) http:// nothing', []],
    ['(see https://a.example/x_(y)) “https://b.example/”', ['https://a.example/x_(y)', 'https://b.example/']],
    ['(see https://a.example/(x)y)', ['https://a.example/(x)y']],
    ["https://a.example/'x' https://b.example/`x`", ['https://a.example/', 'https://b.example/']],
  ])('%s', (text, expected) => {
    expect(urls(text)).toEqual(expected)
  })

  test('open in a tab of their own, which knows neither the page nor its address', () => {
    expect(linkified('https://a.example/')[1]).toMatchObject({
      props: { href: 'https://a.example/', target: '_blank', rel: 'noopener noreferrer' },
    })
  })

  test.each([...'.,;:!?)]}»”’'])('end before "%s", which belongs to the sentence', (sign) => {
    expect(urls(`See https://a.example/x${sign} Or https://a.example/y${sign}z${sign}`)).toEqual([
      'https://a.example/x',
      `https://a.example/y${sign}z`,
    ])
  })

  test('keep the whole text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const whole = linkified(`${text} https://a.example/${text}`)
          .map((part) =>
            typeof part === 'string' ? part : (part as { props: { children: string } }).props.children,
          )
          .join('')
        expect(whole).toBe(`${text} https://a.example/${text}`)
      }),
    )
  })
})

describe('texts', () => {
  test('a time to wait is rounded up, in a unit that leaves few digits', () => {
    expect([1, 99, 100, 5999, 6000, 7201].map(wait)).toEqual([
      '1 second',
      '99 seconds',
      '2 minutes',
      '100 minutes',
      '2 hours',
      '3 hours',
    ])
  })

  test('the duration of a request has few digits', () => {
    expect([-1, 999, 1000, 1234, 9999, 10_000].map(seconds)).toEqual([
      '0 ms',
      '999 ms',
      '1 s',
      '1.2 s',
      '10 s',
      '10 s',
    ])
  })

  test('times are relative to now, even if clocks differ', () => {
    const now = Date.parse('2026-11-21T10:00:00.000Z')
    expect(ago('2026-11-21T09:59:30.000Z', now)).toBe('just now')
    expect(ago('2026-11-21T10:05:00.000Z', now)).toBe('just now')
    expect(ago('2026-11-21T09:48:00.000Z', now)).toBe('12 minutes ago')
    expect([59_999, 60_000].map((ms) => ago(new Date(now - ms).toISOString(), now))).toEqual([
      'just now',
      '1 minute ago',
    ])
    expect(until('2026-11-22T09:59:58.000Z', now)).toBe('in 24 hours')
    expect(until('2026-11-21T10:00:20.000Z', now)).toBe('in less than a minute')
    expect(until('2026-11-28T10:00:00.000Z', now)).toBe('in 7 days')
    expect(
      [59, 60, 90, 3569, 3571, 47.4 * 3600, 48 * 3600, 59 * 3600, 60 * 3600].map((seconds) =>
        until(new Date(now + seconds * 1000).toISOString(), now),
      ),
    ).toEqual([
      'in less than a minute',
      'in 1 minute',
      'in 2 minutes',
      'in 59 minutes',
      'in 1 hour',
      'in 47 hours',
      'in 2 days',
      'in 2 days',
      'in 3 days',
    ])
    expect(
      [0, 59_999, 60_000, 3_599_999, 3_600_000, 86_399_999, 86_400_000, 2 * 86_400_000].map((ms) =>
        age(new Date(now - ms).toISOString(), now),
      ),
    ).toEqual(['now', 'now', '1m', '59m', '1h', '23h', '1d', '2d'])
  })

  test('sizes and names', () => {
    expect([0, 999, 1000, 1234, 9949, 10_000, 45_678, 999_499, 1_000_000, 40_000_000].map(bytes)).toEqual([
      '0 B',
      '999 B',
      '1.0 kB',
      '1.2 kB',
      '9.9 kB',
      '10 kB',
      '46 kB',
      '999 kB',
      '1.0 MB',
      '40.0 MB',
    ])
    expect([plural(1, 'match', 'matches'), plural(0, 'email'), plural(2, 'match', 'matches')]).toEqual([
      '1 match',
      '0 emails',
      '2 matches',
    ])
    expect([hostOf('https://a.example:8080/x'), hostOf('mailto:x'), hostOf('no url')]).toEqual([
      'a.example:8080',
      '',
      'no url',
    ])
    expect([dateTime('2026-11-21T12:00:00.000Z'), date('2026-11-21T12:00:00.000Z')]).toEqual([
      expect.stringMatching(/^Nov 2[12], 2026, \d+:\d\d [AP]M$/),
      expect.stringMatching(/^November 2[12], 2026$/),
    ])
    expect(person({ name: null, address: 'ann@x.org' })).toBe('ann@x.org')
    expect(person({ name: 'Ann', address: null })).toBe('Ann')
    expect(person({ name: 'Ann', address: 'ann@x.org' })).toBe('Ann <ann@x.org>')
    expect(person({ name: null, address: null })).toBe('Unknown sender')
  })
})
