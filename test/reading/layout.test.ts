import { expect, test } from '@jest/globals'
import { valueBetween } from '../../reading/codes/layout.ts'
import { codesBelow } from './find-codes.ts'

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

test('a value on its own line is a code below a noun in the subject, however far, or near below one in the text', () => {
  const far = 'The forest is quiet in the morning and the birds begin to sing. '.repeat(14)
  const codes = (subject: string, text: string) => codesBelow(subject, `${text}\n\n48XK29\n\nKestrel`)
  const noun = 'Here is your verification code:'
  expect(codes('Your verification code', `Hello,\n\n${far}`)).toEqual(['48XK29'])
  expect(codes('Kestrel', `${noun}\n\n${far.slice(0, 600)}`)).toEqual(['48XK29'])
  expect(codes('Kestrel', `${noun}\n\n${far}`)).toEqual([])
})
