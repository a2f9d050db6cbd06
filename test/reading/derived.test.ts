import { describe, expect, test } from '@jest/globals'
import { READING_LIMITS } from '../../core/limits.ts'
import { Allowance } from '../../reading/derived.ts'

/** An allowance of this many bytes. */
const allowance = (derivedBytes: number) => new Allowance({ ...READING_LIMITS, derivedBytes }, 0, [])
const bytesOf = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2
/** Longer than what is measured at once. */
const REPEATED = 5001

describe.each(['x', 'é', '\u07ff', '\u0800', '€', '😀', '\x01', '"', '\\', '\ud800'])(
  'a text of %j',
  (character) => {
    const text = character.repeat(REPEATED)
    const bytes = bytesOf(text)
    const shorter = text.slice(character.length)

    test('is kept to the last byte that is left, and loses one character for one byte less', () => {
      const whole = allowance(bytes)
      expect(whole.contents({ headers: [], text, html: null })).toEqual({ headers: [], text, html: null })
      expect(whole.fault).toBeUndefined()
      const cut = allowance(bytes - 1)
      expect(cut.contents({ headers: [], text, html: null }).text).toBe(shorter)
      expect(cut.fault).toMatch(/text is cut/)
    })

    test('leaves the HTML what it did not take', () => {
      const contents = { headers: [], text, html: text }
      expect(allowance(2 * bytes).contents(contents).html).toBe(text)
      expect(allowance(2 * bytes - 1).contents(contents)).toEqual({ ...contents, html: shorter })
    })

    test('that is generated is kept to the last byte', () => {
      expect([allowance(bytes).generated(text), allowance(bytes - 1).generated(text)]).toEqual([
        text,
        shorter,
      ])
    })
  },
)

test('a generated text may take what the estimate of the rest took too much', () => {
  const headers = [{ name: 'X', value: 'é' }]
  const text = 'x'.repeat(REPEATED)
  const html = `<p>${text}</p>`
  const others = bytesOf('X') + bytesOf('é') + 24 + bytesOf(html)
  const whole = allowance(2 * bytesOf(html) + 100)
  expect(whole.contents({ headers, text: '', html })).toEqual({ headers, text: '', html })
  expect(whole.generated(text)).toBe(text)
  expect(whole.fault).toBeUndefined()
  const long = 'x'.repeat(20_000)
  const cut = allowance(2 * bytesOf(html) + 100)
  cut.contents({ headers, text: '', html })
  expect(cut.generated(long)).toHaveLength(2 * bytesOf(html) + 100 - others)
  expect(cut.fault).toMatch(/text that is made of the HTML is cut/)
})

test('header fields are kept to the last byte, before the text', () => {
  const headers = Array.from({ length: 10 }, (_, n) => ({ name: `X-${n}`, value: 'é'.repeat(50) }))
  const OTHER_BYTES = 24
  const bytes = headers.reduce(
    (sum, { name, value }) => sum + bytesOf(name) + bytesOf(value) + OTHER_BYTES,
    0,
  )
  const whole = allowance(bytes)
  expect([whole.contents({ headers, text: 'x', html: null }).headers, whole.fault]).toEqual([
    headers,
    expect.stringMatching(/text is cut/),
  ])
  const cut = allowance(bytes - 1)
  expect(cut.contents({ headers, text: 'x', html: null }).headers).toEqual(headers.slice(0, -1))
  expect(cut.fault).toMatch(/header is cut/)
})
