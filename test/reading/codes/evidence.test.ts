import { describe, expect, test } from '@jest/globals'
import { evidenceOf } from '../../../reading/codes/evidence.ts'
import { mailText } from './mail-text.ts'

const evidence = (text: string, { subject = '', isListed = false } = {}) => {
  const mail = mailText(text, subject)
  const start = mail.text.indexOf('482913')
  return evidenceOf(mail, '482913', { start, end: start + 6 }, isListed)
}
const FAR = (length: number) => `\n${'a'.repeat(length - 2)}\n`

describe('the kind of a code is that of the noun before it, or else behind it', () => {
  test.each([
    ['Your verification code: 482913', 'one_time'],
    ['Your password: 482913', 'password'],
    ['Your invitation code: 482913', 'invitation'],
    ['482913', 'one_time'],
    ['Your password: 482913, your verification code', 'password'],
    ['482913 is your password', 'password'],
    [`Your password${FAR(400)}482913`, 'password'],
    [`Your password${FAR(401)}482913`, 'one_time'],
    [`482913${FAR(400)}password`, 'password'],
    [`482913${FAR(401)}password`, 'one_time'],
    [`Your verification code${FAR(401)}482913 is your password`, 'password'],
  ])('%#', (text, kind) => {
    expect(evidence(text)).toMatchObject({ value: '482913', kind })
  })
  test('one of a list is for recovery', () => {
    expect(evidence('Your password: 482913', { isListed: true }).kind).toBe('recovery')
  })
  test('without a place it is that of the mark for a site', () => {
    expect(evidenceOf(mailText(''), '482913', undefined, false)).toEqual({
      value: '482913',
      kind: 'one_time',
      reason: '#482913',
    })
  })
})

describe('the reason is the text from the noun to the code, with the beginning of its sentence', () => {
  test.each([
    ['Hello\nYour password:\n\n 482913 more', 'Your password: 482913'],
    ['Your\tpassword:  482913', 'Your password: 482913'],
    ['Your password:  482913', 'Your password: 482913'],
    ['Your password:\n482913', 'Your password: 482913'],
    ['Hello\nPassword: 482913', 'Password: 482913'],
    ['Hello\n482913', '482913'],
    ['Hello\nit is 482913, your password. Bye', 'it is 482913, your password'],
    ['Hello\nit is 482913 here', 'it is 482913'],
    [`${'a'.repeat(80)} password 482913`, 'password 482913'],
    [`${'a'.repeat(59)} password 482913`, `${'a'.repeat(59)} password 482913`],
    [`password ${'a'.repeat(144)} 482913`, `password ${'a'.repeat(144)} 482913`],
    [`password ${'a'.repeat(145)} 482913`, `… ${`password ${'a'.repeat(145)} 482913`.slice(-158)}`],
    [`482913 ${'a'.repeat(145)} password`, `482913 ${'a'.repeat(145)} passwor`.slice(0, 160)],
    [`482913 ${'a'.repeat(144)} password`, `482913 ${'a'.repeat(144)} password`],
  ])('%#', (text, reason) => {
    expect(evidence(text).reason).toBe(reason)
  })
})
