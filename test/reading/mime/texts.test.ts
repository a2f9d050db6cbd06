import { describe, expect, test } from '@jest/globals'
import { cut, storable, trimAscii } from '../../../reading/mime/text.ts'

describe('a text that is cut', () => {
  test.each(['', 'abcdef', 'aéb€c😀d', '😀😀😀', '€€€', 'ééé', 'aaa😀', 'a€'])(
    '%j keeps as many whole characters as fit',
    (text) => {
      for (let bytes = 0; bytes <= Buffer.byteLength(text) + 3; bytes++) {
        let expected = ''
        for (const char of text) {
          if (Buffer.byteLength(expected + char) > bytes) break
          expected += char
        }
        expect([bytes, cut(text, bytes)]).toEqual([bytes, expected])
      }
    },
  )
})

test('a text that is stored has no NUL and no half of a character', () => {
  expect(storable('a\0b\0')).toBe('ab')
  expect(storable('a\ud83db\ude00')).toBe('a\ufffdb\ufffd')
  expect(storable('\ud83d\0\ude00')).toBe('😀')
  expect(storable('é😀')).toBe('é😀')
})

test('only the six blanks of ASCII are removed at both ends', () => {
  for (let code = 0; code < 256; code++) {
    const char = String.fromCharCode(code)
    const expected = ' \t\n\v\f\r'.includes(char) ? 'a b' : `${char}a b${char}`
    expect(trimAscii(`${char}a b${char}`)).toBe(expected)
  }
})

test.each([
  ['', ''],
  [' \t ', ''],
  [' a', 'a'],
  ['a ', 'a'],
  ['a', 'a'],
  ['\r\n a\u00a0 ', 'a\u00a0'],
])('%j becomes %j', (text, expected) => {
  expect(trimAscii(text)).toBe(expected)
})
