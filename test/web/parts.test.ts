import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Email } from '../../packages/client/src/wire.ts'
import { linkified } from '../../web/inbox/linkify.ts'
import { after } from '../../web/inbox/mail-api.ts'
import { mergePage, newestFirst } from '../../web/inbox/merge.ts'
import { ago, bytes, person, until } from '../../web/lib/format.ts'
import { placeHash, readPlace } from '../../web/lib/place.ts'
import { sha256, sha256Bytes } from '../../web/lib/sha256.ts'

const email = (id: string, more: Partial<Email> = {}) =>
  ({
    id,
    from: { name: null, address: null },
    subject: '',
    body_text: '',
    codes: [],
    ...more,
  }) as unknown as Email
const ids = (emails: Email[]) => emails.map(({ id }) => id)

describe('what the pages are made of', () => {
  test('nothing of the service but its types reaches a browser', async () => {
    const web = new URL('../../web/', import.meta.url)
    // These run when the pages are built.
    const builders = ['build.ts', 'problems/list.ts']
    const files = await readdir(web, { recursive: true })
    for (const file of files.filter((name) => /\.tsx?$/.test(name) && !builders.includes(name))) {
      const text = await readFile(new URL(file, web), 'utf8')
      expect({ file, imports: text.match(/^import (?!type ).*(?:core|adapters)\/.*$/gm) }).toEqual({
        file,
        imports: null,
      })
    }
  })
})

describe('SHA-256', () => {
  test('is that of Node, by WebCrypto and without it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
        const expected = createHash('sha256').update(text).digest('hex')
        expect(await sha256(text)).toBe(expected)
        expect(Buffer.from(sha256Bytes(new TextEncoder().encode(text))).toString('hex')).toBe(expected)
      }),
    )
  })
})

describe('the place in the URL', () => {
  test('every address comes back out of it', () => {
    const local = fc.stringMatching(/^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}$/)
    fc.assert(
      fc.property(local, fc.option(fc.stringMatching(/^[0-9A-Z]{26}$/)), (name, id) => {
        const place = { address: `${name}@example.com`, id: id ?? undefined }
        expect(readPlace(placeHash(place))).toEqual(place)
      }),
    )
  })

  test('is readable, and forgiving', () => {
    expect(placeHash({ address: 'bot+1@example.com' })).toBe('#bot+1@example.com')
    expect(readPlace('#Bot@Example.com')).toEqual({ address: 'bot@example.com', id: undefined })
    expect(readPlace('#nothing')).toBeUndefined()
    expect(readPlace('#%E0%A4%A@x')).toBeUndefined()
    expect(readPlace('')).toBeUndefined()
  })
})

describe('the list of an inbox', () => {
  test('the newest page is the truth for what it covers', () => {
    const known = [email('5'), email('4'), email('3')]
    const page = { emails: [email('5'), email('3')], next_cursor: null }
    expect(ids(mergePage(known, new Set(ids(known)), page))).toEqual(['5', '3'])
  })

  test('what arrived while it was fetched stays, and so does what lies beyond it', () => {
    const before = new Set(['5', '4', '1'])
    const known = [email('6'), email('5'), email('4'), email('1')]
    const page = { emails: [email('5'), email('4')], next_cursor: '4' }
    expect(ids(mergePage(known, before, page))).toEqual(['6', '5', '4', '1'])
  })

  test('nothing stands twice, and the newest is first', () => {
    expect(ids(newestFirst([email('2'), email('3'), email('1'), email('2')]))).toEqual(['3', '2', '1'])
  })

  test('the id after an id is the next one', () => {
    expect(after('01M809KJ0N3ZAQJSRD7X9883AJ')).toBe('01M809KJ0N3ZAQJSRD7X9883AK')
    expect(after('01M809KJ0N3ZAQJSRD7X9883ZZ')).toBe('01M809KJ0N3ZAQJSRD7X988400')
  })
})

describe('links in a text', () => {
  const urls = (text: string) =>
    linkified(text).flatMap((part) =>
      typeof part === 'string' ? [] : [(part as { props: { href: string } }).props.href],
    )

  test.each([
    ['See https://a.example/x.', ['https://a.example/x']],
    [
      '(https://a.example/x), and <https://b.example/?q=1&r=2>',
      ['https://a.example/x', 'https://b.example/?q=1&r=2'],
    ],
    ['https://en.example/wiki/Mayfly_(insect) is one', ['https://en.example/wiki/Mayfly_(insect)']],
    ['javascript:alert(1) http:// nothing', []],
  ])('%s', (text, expected) => {
    expect(urls(text)).toEqual(expected)
  })

  test('lose nothing of the text', () => {
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
  test('times from now, by clocks that differ', () => {
    const now = Date.parse('2026-11-21T10:00:00.000Z')
    expect(ago('2026-11-21T09:59:30.000Z', now)).toBe('just now')
    expect(ago('2026-11-21T10:05:00.000Z', now)).toBe('just now')
    expect(ago('2026-11-21T09:48:00.000Z', now)).toBe('12 min. ago')
    expect(until('2026-11-22T09:59:58.000Z', now)).toBe('in 24 hr.')
    expect(until('2026-11-21T10:00:20.000Z', now)).toBe('in a minute')
    expect(until('2026-11-28T10:00:00.000Z', now)).toBe('in 7 days')
  })

  test('sizes and people', () => {
    expect([bytes(12), bytes(1234), bytes(45_678), bytes(40_000_000)]).toEqual([
      '12 B',
      '1.2 kB',
      '46 kB',
      '40.0 MB',
    ])
    expect(person({ name: 'Ann', address: 'ann@x.org' })).toBe('Ann <ann@x.org>')
    expect(person({ name: null, address: null })).toBe('Unknown sender')
  })
})
