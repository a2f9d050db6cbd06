import { expect, test } from '@jest/globals'
import { trimAscii } from '../../../reading/mime/ascii.ts'

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
