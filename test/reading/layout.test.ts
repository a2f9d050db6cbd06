import { expect, test } from '@jest/globals'
import { valueBetween } from '../../reading/codes/layout.ts'

test.each([
  ['Code: "copper-lantern".', 'copper-lantern'],
  ['Code: **kxqzpv**', 'kxqzpv'],
  ['Code: kxq.zpv!,;', 'kxq.zpv'],
  ['Code: “”', null],
  ['Code: .,!', null],
  ['Code: {value', null],
])('the value behind the colon of %s is %s', (text, value) => {
  const found = valueBetween(text, 5, text.length)
  expect(found && text.slice(found.start, found.start + found.value.length)).toBe(value)
  expect(found?.value ?? null).toBe(value)
})
