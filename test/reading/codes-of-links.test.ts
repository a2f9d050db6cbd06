import { describe, expect, test } from '@jest/globals'
import { codesBelow, findCodes } from './find-codes.ts'

const VALUE = '214!8NMHRX9GDSduucdOSloLj2wip1qXvv1FQc'

describe('a value of any form, alone below a sentence about a code, is one if a link has it too', () => {
  const mail = (value: string, link: string, lead = 'Use this activation code to restore your password:') =>
    `${lead}\n\n    ${value}\n\nOr follow this link:\n${link}\n`

  test.each([
    [VALUE, `https://a.example/reset?reset=${VALUE}`],
    [VALUE, `https://a.example/reset/${VALUE}`],
    ['yT7gBCK.BQ4j', 'https://a.example/reset/?code=yT7gBCK.BQ4j&user=ines'],
  ])('%s', (value, link) => {
    expect(codesBelow('Password reset', mail(value, link))).toEqual([value])
  })

  test('in HTML, whose link is not shown', () => {
    const html = `<p>Use this activation code to restore your password:</p><p>${VALUE}</p><a href="https://a.example/?c=${VALUE}">Restore</a>`
    expect(findCodes({ subject: 'Password reset', text: '', html, isTextOfHtml: true })).toEqual([VALUE])
  })

  test.each([
    ['no link', mail(VALUE, 'https://a.example/reset')],
    ['another value in the link', mail(VALUE, `https://a.example/reset?r=x${VALUE}`)],
    ['no code', mail(VALUE, `https://a.example/?c=${VALUE}`, 'Your order:')],
    [
      'no colon',
      mail(VALUE, `https://a.example/?c=${VALUE}`, 'Use this activation code to restore your password.'),
    ],
  ])('but not with %s', (_name, text) => {
    expect(codesBelow('Password reset', text)).toEqual([])
  })
})
