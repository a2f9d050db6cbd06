import { expect, test } from '@jest/globals'
import { plain, withoutAccents, withoutEncodings } from '../../reading/lexicon/plain.ts'

test.each([
  ['a digit of another script', '٣', '3'],
  ['a styled digit, of two code units', '𝟕', '7'],
  ['a full-width colon', '：', ':'],
  ['a space that does not break', '\u00a0', ' '],
  ['an invisible character', '\u200b', ''],
  ['an invisible character that joins', '\u034f', ''],
  ['a full-width comma', '，', ', '],
  ['a character of two code units', '😀', '😀'],
  ['half a character', '\ud83d', '\ud83d'],
  ['a number that is no character', '\ufdd0', '\ufdd0'],
  ['a letter and its accent', 'e\u0301', 'é'],
  ['a letter that grows in lower case', '\u0130', 'I'],
  ['the same letter as two characters', 'I\u0307', 'I'],
  ['a carriage return', '\r', ''],
  ['an apostrophe', '\u2019', "'"],
  ['a full-width comma', '，', ', '],
  ['a full-width stop', '．', '. '],
  ['a dash', '\u2013', '-'],
  ['a minus sign', '\u2212', '-'],
  ['a horizontal bar', '\u2015', '-'],
  ['a wide space', '\u3000', ' '],
  ['a full-width letter', 'Ａ', 'A'],
])('%s becomes plain at the beginning, in the middle and at the end of a text', (_what, char, made) => {
  expect([plain(`${char}ab`), plain(`a${char}b`), plain(`ab${char}`)]).toEqual([
    `${made}ab`,
    `a${made}b`,
    `ab${made}`,
  ])
})

test.each([
  ['číslo', 'cislo'],
  ['κωδικός', 'κωδικοσ'],
  ['ёлка 12', 'елка 12'],
  ['ßæøœđðþłıħ', 'saooddtlih'],
  ['ةکىی', 'هكيي'],
  ['code', 'code'],
])('%s without accents is %s', (text, bare) => {
  expect(withoutAccents(text)).toBe(bare)
})

test.each([
  ['644', ''],
  ['0644', ''],
  ['64', 'left'],
  ['00644', 'left'],
  ['684', 'left'],
])('a uuencoded file with the mode %s is blanked: %s', (mode, left) => {
  const text = `Hello\nbegin ${mode} a.txt\n#86)C\n\`\nend\nBye`
  const made = withoutEncodings(text)
  expect(made).toHaveLength(text.length)
  expect([made.startsWith('Hello\n'), made.endsWith('Bye'), made.includes('86)C')]).toEqual([
    true,
    true,
    left === 'left',
  ])
})
