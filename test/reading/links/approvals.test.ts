import { describe, expect, test } from '@jest/globals'
import { findLinks } from '../../../reading/links.ts'

const TOKEN = 'dHw7LLAoS4MapXmoEMq4BFIE'
const actionOf = (subject: string, text: string) =>
  findLinks({ subject, text: `Hello,\n\n${text}\n`, html: null }, { links: 50, linkBytes: 2048 }).actionLink

test.each([
  ['sv', 'Inbjudan till Kestrel', 'Acceptera eller avböj inbjudan'],
  ['sk', 'Pozvánka do Kestrel', 'Prijať alebo odmietnuť pozvánku'],
  ['uk', 'Запрошення до Kestrel', 'Прийняти або відхилити запрошення'],
  ['vi', 'Lời mời tham gia Kestrel', 'Chấp nhận hoặc từ chối lời mời'],
])('"accept or decline" is an invitation: %s', (_language, subject, words) => {
  const html = `<p>Ann</p><p><a href="https://kestrel.example/x/${TOKEN}">${words}</a></p>`
  expect(findLinks({ subject, text: '', html }, { links: 50, linkBytes: 2048 }).actionLink?.kind).toBe(
    'invite',
  )
})

describe('the words of a button may go on behind what the subject asks', () => {
  const kindOf = (subject: string, words: string, path = 'x') =>
    findLinks(
      {
        subject,
        text: '',
        html: `<p>Ann</p><p><a href="https://kestrel.example/${path}/${TOKEN}">${words}</a></p>`,
      },
      { links: 50, linkBytes: 2048 },
    ).actionLink?.kind
  test.each([
    ['Verify your email', 'Verify & continue to payment'],
    ['Bestätigen Sie Ihre E-Mail-Adresse', 'Bestätigen + Rabatt sichern'],
    ['Activez votre compte', "Accepter les conditions d'utilisation et activer mon compte"],
  ])('%s: %s', (subject, words) => {
    expect(kindOf(subject, words)).toBe('confirm')
    expect(kindOf(subject, words, 'verify')).toBe('confirm')
  })
  test.each([
    ['Verify your email', 'Continue & verify payment'],
    ['Please confirm the appointment with your account manager', 'Confirm appointment'],
    ['Confirm your email', 'Terms of use'],
  ])('but not: %s, %s', (subject, words) => {
    expect(kindOf(subject, words)).toBeUndefined()
  })
})

test('an answer to an invitation to a meeting is no action', () => {
  const page = (query: string) => `Please answer: https://kestrel.example/assemblies/31825?${query}=attending`
  expect(actionOf('Invitation to Kestrel', page('rsvp'))).toBeNull()
  expect(actionOf('Invitation to Kestrel', page('from'))?.kind).toBe('invite')
})

test('the page of a social network for a new password is the action', () => {
  const url = `https://www.pinterest.com/pw/ines88/?od=${TOKEN}`
  expect(actionOf('Reset your password', `Reset password ${url}`)).toMatchObject({ url, kind: 'reset' })
  expect(actionOf('Reset your password', `Reset password ${url.replace('/pw/', '/pin/')}`)).toBeNull()
})
