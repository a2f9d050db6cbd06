import { describe, expect, test } from '@jest/globals'
import { staleValues } from '../../../reading/codes/age.ts'
import { mailText } from './mail-text.ts'

/** Which of the values 114902 and 730518 of a text it calls old. */
const stale = (text: string, subject = '') => {
  const mail = mailText(text, subject)
  const values = new Map(
    ['114902', '730518'].flatMap((value) => {
      const places = [...mail.text.matchAll(new RegExp(value, 'g'))].map(({ index }) => ({
        start: index,
        end: index + value.length,
      }))
      return places.length === 0 ? [] : [[value, places] as const]
    }),
  )
  return [...staleValues(mail, values)]
}
const OLD = ['114902']

describe('a word calls the nearest value old', () => {
  test.each([
    'Old code: 114902. New code: 730518',
    'Old 114902, code 730518',
    'Your old code was 114902',
    'Your previous code for the site is 114902',
    '114902 has expired',
    '114902 is expired.',
    'The code 114902 has expired, use 730518',
    '730518 replaces the old code 114902',
    '114902 (old code)',
    '114902 (old)',
    '114902 - old',
    '114902 old\n730518 new',
    '114902. It has expired.',
    '114902. This code has expired.',
    '114902) It has expired.',
    `114902${' a'.repeat(37)} has expired`,
    '114902 was replaced by 730518',
    'Instead of 114902, use 730518',
    'Instead of code 114902 use 730518',
    'código anterior: 114902',
    'Twój kod 114902 został zastąpiony kodem 730518',
    'Der Code 114902 ist abgelaufen',
    'Code 114902 wurde ersetzt',
    '114902 — expired',
    '114902, expired',
    '114902 (expired) and 730518',
    '730518, and 114902 has expired',
    '114902 has expired, 730518 has not',
    '114902 is no longer valid',
    'The code 114902 is no longer valid and so on',
    '114902. It has expired',
    '114902. It has expired\nBye',
    '114902. It has expired! Bye',
    '"114902". It has expired.',
    '[114902] - It has expired.',
    'Do not use 114902',
    'We replaced 114902 by 730518',
  ])('%j', (text) => {
    expect(stale(text)).toEqual(OLD)
  })
  test.each([
    'Your code for your old address: 114902',
    '114902 (old address)',
    '114902. Your old password has expired.',
    '114902. Your code. Whatever else has expired.',
    `114902${' a'.repeat(41)} has expired`,
    '114902! A car. The ticket of the old town has expired.',
    'Your old car. Code: 114902',
    'The old town is beautiful. 114902 is your code',
    'Your code is 114902\n\nOld messages are removed.',
    'It has expired.\n\nYour code is 114902',
    '114902. It has expired for a few of us.',
    '114902. All of this here has expired.',
    '114902. Some code sheets expired.',
    'Use it. 114902',
    '730518 new\n\n114902 is your code',
    'Your old phone. Your code: 114902',
    'Your code for your old phone number: 114902',
    '114902 (old phone)',
    'The code replaces a card. 114902',
  ])('but not %j', (text) => {
    expect(stale(text)).toEqual([])
  })
})

describe('a value that only quoted text has is old, beside one that other text has', () => {
  const RULE = '-----Original Message-----'
  test.each([
    '730518\n\n> 114902',
    '730518\n\n>> 114902',
    '730518\n\n  > 114902',
    '730518\n\n| 114902',
    '730518\n\n| 114902\nBye |',
    '730518\n\n> 114902\n> and more',
    `730518\n\n${RULE}\n114902`,
    '730518\n\n--Weitergeleitete Nachricht--\n114902',
    '730518\n\n---- Mensaje original ----\n114902',
    '730518\n\nOn 23 November 2026 at 10:02, Kestrel <                  > wrote:\n114902',
    '730518\n\nAm 23.11. um 10:02 <                  > :\n114902',
    '730518\n\nOn 23 November 2026, Kestrel <                  >\nwrote:\n114902',
    '730518\n\nKestrel <                  > wrote on 23 November 2026:\n114902',
    '730518\n\nFrom: Kestrel      \nTo: Ines\nDate: today\n\n114902',
    '730518\n\nFrom: Kestrel\nTo: Ines\nSubject: Code\n114902',
    '730518\n\n*From:* Kestrel\n*To:* Ines\n*Subject:* Code\n114902',
    '730518\n\n_____\nFrom: Kestrel\nTo: Ines\nDate: today\n114902',
    '730518\n\nVon : Kestrel\nAn : Ines\nBetreff : Code\n114902',
  ])('%j', (text) => {
    expect(stale(text)).toEqual(OLD)
  })
  test.each([
    '730518\n\n>\n114902',
    '730518\n\n| 114902 |',
    '730518\n\na > 114902',
    '> 730518\n> 114902',
    '730518\n\n> 114902\n\n114902',
    '730518\n\n-Original Message-\n114902',
    '730518\n\nFrom: Kestrel\nPassword: x\nSubject: Code\n114902',
    `730518\n\n--Original${'l'.repeat(62)}--\n114902`,
    '730518\n\nAm 123 <                  > :\n114902',
    '730518\n\n----------\n114902',
    '730518\n\nFrom: Kestrel\nTo: Ines\nDate: today\n114902',
    '730518\n\nFrom: Kestrel\nSubject: Code\n114902',
    '730518\n\nFrom: Kestrel\nHello\nTo: Ines\nSubject: Code\n114902',
    '730518\n\n| 114902 |\nBye',
    '730518\n\n      114902',
    '730518\n\nFrom: Kestrel\nTo: Ines\nHello\nSubject: Code\n114902',
    '730518\n\nKestrel <                  > wrote:\n114902',
    '730518\n\nOn 23 November 2026, Kestrel wrote:\n114902',
    '730518\n\nOn 23 November 2026, Kestrel <                  > wrote\n114902',
    '730518\n\n_____\nHello\nFrom: Kestrel\nTo: Ines\nDate: today\n114902',
    '730518\n\n____\nFrom: Kestrel\nTo: Ines\nDate: today\n114902',
  ])('but not %j', (text) => {
    expect(stale(text)).toEqual([])
  })
  test('the subject quotes nothing', () => {
    expect(stale('730518', '> 114902')).toEqual([])
    expect(stale(`${RULE}\n114902`, '730518')).toEqual(OLD)
  })
})

test.each([
  ['', 48],
  ['This ', 48],
  ['This one ', 48],
])(
  'the next sentence may begin "114902. %s" and have one word of %i letters, as without blanks',
  (lead, most) => {
    const isStale = (letters: number) => stale(`114902. ${lead}${'x'.repeat(letters)} expired.`).length === 1
    expect([isStale(most), isStale(most + 1)]).toEqual([true, false])
  },
)
