import { describe, expect, test } from '@jest/globals'
import { isNameInSubject } from '../../../reading/codes/names.ts'
import { accepted, isRandomLetters } from '../../../reading/codes/word-value.ts'
import { mailText } from './mail-text.ts'

/** Whether a value that stands alone below a colon is taken as a code. */
const isCode = (value: string, rest = '', lead = 'Type this:\n\n') => {
  const mail = mailText(`${lead}${value}${rest}`)
  const start = mail.text.indexOf(value, lead.length)
  const found = accepted(mail, { value, start })
  if (found !== null) expect(found).toEqual({ value, start })
  return found !== null
}

describe('what a value of words or letters has to look like', () => {
  test.each([
    'copper-lantern-drift',
    'copper-lantern',
    'copper.lantern.drift',
    'copper.lantern.drifts',
    'copper_lantern_drift',
    'copper·lantern',
    'copper+lantern',
    'copper~lantern',
    'ab-cd',
    `${'abcdefghijklmn-'.repeat(7)}abcdefghijklmn`,
    'медный-фонарь',
    'copper lantern drift',
    `${'abcdefghijklmn '.repeat(7)}abcdefghijklmn`,
    'ab12',
    'abc ef',
    'a1b2c3d4e5f6',
    'ab1-cd2',
    'ab1_cd2',
    `a1${'b'.repeat(62)}`,
    'kxqzpv',
    'ZUvwsFBq',
    'KXQZPV',
    'abcdefab',
    'qaiou',
    '2026-11',
    '2026-11_27',
    '1BvBMSEYstWetqTFn5Au4m4GF',
    '0x52908400098527886E0F7030069857D2E4169EE',
  ])('%s', (value) => {
    expect(isCode(value)).toBe(true)
  })

  test.each([
    'acme.com',
    'acme.lantern',
    'x.y.cloud',
    'x.y.online',
    'mail.acme.co',
    'mail.acme.info',
    'www.acme.nowhere',
    'a.b.example',
    'a-bc',
    `${'abcdefghijklmn-'.repeat(8)}abcdefghijklmn`,
    'abcdefghijklmno-abc',
    'Copper lantern',
    `${'abcdefghijklmn '.repeat(8)}abcdefghijklmn`,
    'abcdefghijklmno abc',
    'a12',
    'a1b2.c3d4',
    'a1b2.c3d4.e5f6',
    'a b c',
    'ab c',
    'ab',
    '12.34',
    '123.456',
    'ab1--cd2',
    '-ab1',
    `a1${'b'.repeat(63)}`,
    '1Password',
    '2026-11-27',
    '1999-1-1',
    '20261127.1',
    '2026_11_27',
    '27-11-2026',
    '1-1-1999',
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    'kxqz',
    'lantern',
    'kxqzpvkxqzpvk',
    'Kxqzpv',
    'CoopCycle',
    'iNaturalist',
    'OpenAI',
    'Ab_cdxq',
  ])('but not %s', (value) => {
    expect(isCode(value)).toBe(false)
  })
})

describe('words with blanks between them stand alone at the top, or below a colon', () => {
  const VALUE = 'copper lantern drift'
  test.each([
    ['', ''],
    ['Type this:\n', ''],
    ['Type this:\n\n', '\n\nThanks'],
    ...['"', "'", '“', '„', '«', '\t'].map((mark) => [`Type this:\n ${mark}`, '\n']),
    ['Type this:\n', '\n  '],
  ])('%j before and %j behind', (lead, rest) => {
    expect(isCode(VALUE, rest, lead)).toBe(true)
  })
  test.each([
    ['Type this\n', ''],
    ['Type this: ', ''],
    ['Type this:\n', '\nand more'],
    ['Hello\n', ''],
  ])('but not %j before and %j behind', (lead, rest) => {
    expect(isCode(VALUE, rest, lead)).toBe(false)
  })
  test('and have no word of a sentence', () => {
    const texts = ['your copper lantern', 'enter copper lantern', 'copper password drift', 'copper is drift']
    expect(texts.map((text) => isCode(text))).toEqual([false, false, false, false])
  })
})

test('a compound that the mail has twice is a word, unless it has three parts', () => {
  expect(isCode('log-in', '\n\nLog-In')).toBe(false)
  expect(isCode('log-in', '\n\nLog in')).toBe(true)
  expect(isCode('copper-lantern-drift', '\n\ncopper-lantern-drift')).toBe(true)
})

test('but not one that ends its line each time, as "gavuk-tilse" does in the subject and below it', () => {
  expect(isCode('gavuk-tilse', '\n\ngavuk-tilse\nHarbour')).toBe(true)
  expect(isCode('gavuk-tilse', '\n\nYour code: gavuk-tilse')).toBe(true)
  expect(isCode('gavuk-tilse', '\n\nThe gavuk-tilse')).toBe(false)
  expect(isCode('gavuk-tilse', '\n\ngavuk-tilse is here')).toBe(false)
})

test('letters that the mail writes otherwise too are a name', () => {
  expect([isCode('KXQZPV', '\n\nKxqzpv'), isCode('KXQZPV', '\n\nKXQZPV')]).toEqual([false, true])
})

describe('random letters', () => {
  test.each([
    ['kxqzp', true],
    ['kxqz', false],
    ['kxqzpvkxqzpv', true],
    ['kxqzpvkxqzpvk', false],
    ['Kxqzpv', false],
    ['kx.zpv', false],
    ['kx_zpv', false],
    ['banana', false],
    ['strap', true],
    ['qatar', true],
    ['quest', false],
    ['javbo', true],
    ['taxbo', true],
    ['tawbo', true],
    ['tazbo', true],
    ['tajbo', true],
    ['talbo', false],
    ['7lantern', true],
    ['queue', true],
    ['decade', false],
    ['defaced', false],
    ['acceeded', true],
    ['BANANA', true],
    ['CoopCycle', false],
    ['CoopStrap', true],
    ['OpenAI', false],
    ['banaNA', true],
    ['baNAna', true],
  ])('%s: %s', (value, isRandom) => {
    expect(isRandomLetters(value)).toBe(isRandom)
  })
})

test.each([
  ['CodeTriage', 'CodeTriage auth failure', true],
  ['codeTriage', 'codeTriage auth failure', true],
  ['OpenAI', 'OpenAI login', true],
  ['CodeTriage', 'Auth failure', false],
  ['XKQZPV', 'XKQZPV login', false],
  ['Codetriage', 'Codetriage login', false],
])('%s is a name in the subject "%s": %s', (value, subject, isName) => {
  expect(isNameInSubject(mailText(value, subject), value)).toBe(isName)
})
