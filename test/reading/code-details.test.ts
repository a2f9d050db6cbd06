import { expect, test } from '@jest/globals'
import { findCodeDetails } from '../../reading/codes.ts'

const details = (text: string, subject = '') => findCodeDetails({ subject, text, html: null })

test.each([
  [
    'Hello,\n\nYour verification code is 482913. It expires soon.',
    'one_time',
    'Your verification code is 482913',
  ],
  ['Your verification code is:\n\n482913\n', 'one_time', 'Your verification code is: 482913'],
  ['482913 is your Harbour code.', 'one_time', '482913 is your Harbour code'],
  // The first qualifier decides where the noun ends: the noun itself, then words before and after it.
  ['482913 is your access code to confirm the order.', 'one_time', '482913 is your access code'],
  ['482913 is your code to confirm the access.', 'one_time', '482913 is your code to confirm'],
  ['482913 estas via konfirmkodo por aliro.', 'one_time', '482913 estas via konfirmkodo'],
  ['Login: ines\nPassword: 482913', 'password', 'Password: 482913'],
  ['You are invited. Your invitation code: 482913', 'invitation', 'Your invitation code: 482913'],
  ['@harbour.example #482913', 'one_time', '#482913'],
])('%j', (text, kind, reason) => {
  expect(details(text)).toEqual([{ value: '482913', kind, reason }])
})

test('recovery codes', () => {
  const values = ['8f3k-29dm', 'k29s-xm31', 'p0e2-8dka']
  const found = details(`Your recovery codes:\n\n${values.join('\n')}\n`)
  expect(found.map(({ value, kind }) => [value, kind])).toEqual(values.map((value) => [value, 'recovery']))
  expect(found[0]?.reason).toBe('Your recovery codes: 8f3k-29dm')
  expect(found[2]?.reason).toBe('Your recovery codes: … p0e2-8dka')
})

test('a reason begins with a sentence, or with a word', () => {
  const reasonOf = (text: string) => details(text)[0]?.reason
  expect(reasonOf('You asked for a new password. Your code is 482913')).toBe('Your code is 482913')
  const long =
    'Afin de pouvoir choisir un nouveau mot de passe pour votre compte Harbour, veuillez saisir le code'
  expect(reasonOf(`${long} : 482913`)).toBe(
    'mot de passe pour votre compte Harbour, veuillez saisir le code : 482913',
  )
})

test('a long reason ends with the code', () => {
  const [found] = details(
    `Your verification code ${'(it is for you and for no other reader) '.repeat(3)}is: 482913`,
  )
  expect(found?.reason).toMatch(/482913$/)
  expect(found?.reason.length).toBeLessThanOrEqual(160)
})

test('a code of letters with its words', () => {
  expect(details('Hello,\n\nVerification code: kxqzpv\nIt expires soon.')).toEqual([
    { value: 'kxqzpv', kind: 'one_time', reason: 'Verification code: kxqzpv' },
  ])
})
