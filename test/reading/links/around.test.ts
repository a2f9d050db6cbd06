import { describe, expect, test } from '@jest/globals'
import { CODE_AS_WORDS, isGeneric, QUOTED, sentencesOf, TICKET } from '../../../reading/links/action-words.ts'
import { sentenceAt, withoutLinks } from '../../../reading/links/intent.ts'
import { SENTENCE_BREAK, sentenceAround, sentencesBefore, urlsIn } from '../../../reading/links/text.ts'

const U = 'https://a.example/b'
const urls = (text: string, most = 9) => urlsIn(text, 40, most).map(({ url }) => url)

describe('where a URL begins and ends in a text', () => {
  test.each([
    [U, [U]],
    [`See ${U} now`, [U]],
    ['HTTP://A.example', ['HTTP://A.example']],
    ['xhttps://a.example', ['https://a.example']],
    ['ftp://a.example', []],
    ['ftp://a.example http://b', ['http://b']],
    [`${U}${U}`, [`${U}${U}`]],
    ...[...' <>"`{}|\\^\n\t\u2018\u2019\u201c\u201d\u201f\u2026は。（字！\x7f\x00'].map(
      (end): [string, string[]] => [`${U}${end}c`, [U]],
    ),
    [`${U}é`, [`${U}é`]],
    [`${U}д`, [`${U}д`]],
    [`${U}\u2017`, [`${U}\u2017`]],
    [`${U}\u2020`, [`${U}\u2020`]],
    ...[...".,;:!?'*«»"].map((mark): [string, string[]] => [`${U}${mark}`, [U]]),
    [`${U}.,!`, [U]],
    [`${U}.c.`, [`${U}.c`]],
    [`${U})`, [U]],
    [`${U}(c)`, [`${U}(c)`]],
    [`${U}(c))`, [`${U}(c)`]],
    [`${U}(c)).`, [`${U}(c)`]],
    [`${U}]`, [U]],
    [`${U}[c]`, [`${U}[c]`]],
    [`${U}/`, [`${U}/`]],
    [`${U}[1]`, [U]],
    [`${U}[12][3]`, [U]],
    [`${U}[123]`, [`${U}[123]`]],
    [`(${U})c`, [U]],
    [`[${U}]it`, [U]],
    [`[${U}[c]d]it`, [`${U}[c]d`]],
    [`(${U}c`, [`${U}c`]],
    [`https://${'a'.repeat(72)}`, [`https://${'a'.repeat(72)}`]],
    [`https://${'a'.repeat(73)} ${U}`, [U]],
    [`a:// ${U}`, [U]],
  ])('%j', (text, expected) => {
    expect(urls(text)).toEqual(expected)
  })
  test('at most so many, of those that are wanted', () => {
    expect(urls(`${U} ${U} ${U}`, 2)).toEqual([U, U])
    expect(urlsIn(`${U} https://c`, 40, 9, (url) => url !== U).map(({ url }) => url)).toEqual(['https://c'])
  })
})

describe('the words around a URL in a text', () => {
  const around = (text: string) => urlsIn(text, 2048, 9).at(-1)!.around
  const LONG = 'a'.repeat(49)
  test.each([
    [`Hello.\nConfirm here: ${U} Bye`, 'Hello.\nConfirm here:'],
    [`Confirm at ${U} to go on. Bye`, 'Confirm at   to go on'],
    [`Confirm at ${U} to go on\nBye`, 'Confirm at   to go on'],
    [`Hello. Confirm at ${U}`, `Hello.${SENTENCE_BREAK}Confirm at`],
    [`Bye. Hello. Confirm at ${U}`, `Hello.${SENTENCE_BREAK}Confirm at`],
    [`Hello. Confirm here: ${U}`, `Hello.${SENTENCE_BREAK}Confirm here:`],
    [`--. Confirm at ${U}`, 'Confirm at'],
    [`Hello! Confirm at ${U}`, `Hello!${SENTENCE_BREAK}Confirm at`],
    [`Hello? Confirm at ${U}`, 'Hello? Confirm at'],
    [`こんにちは。確認 ${U}`, `こんにちは。${SENTENCE_BREAK}確認`],
    [`Hello\nConfirm below\n\n${U}`, 'Hello\nConfirm below'],
    [`One\nHello\nConfirm below\n\n---\n${U}`, 'Hello\nConfirm below'],
    [`Hello\nTo confirm. Follow this. ${U}`, 'Hello\nTo confirm\nFollow this'],
    [`${LONG}a\nand more\n${U}`, `${LONG}a and more`],
    [`${LONG}\nand more\n${U}`, `${LONG}\nand more`],
    [`${LONG}.\nand more\n${U}`, `${LONG}.\nand more`],
    [`${LONG}:\nand more\n${U}`, `${LONG}:\nand more`],
    [`${'字'.repeat(25)}\n字\n${U}`, '字'.repeat(26)],
    [`${'字'.repeat(24)}\n字\n${U}`, `${'字'.repeat(24)}\n字`],
    [`${U} Confirm ${U}`, 'Confirm'],
    [`Confirm at ${U} or https://c`, 'or'],
    [`Confirm at ${U} now http:x`, 'Confirm at   now'],
    [`${'x '.repeat(300)}${U}`, 'x '.repeat(100).trim()],
    [U, ''],
  ])('%j', (text, expected) => {
    expect(around(text)).toBe(expected)
  })
})

test.each([
  ['Hello. Confirm ', ' now. Bye', 'Confirm   now'],
  ['Confirm here: ', ' Unsubscribe', 'Confirm here:'],
  ['Confirm here： ', ' Unsubscribe', 'Confirm here：'],
  ['Confirm ', ' 今。 Bye', 'Confirm   今'],
  ['Confirm ', ' a.b now? Bye', 'Confirm   a.b now'],
  ['3.5 Confirm ', '', '3.5 Confirm'],
  ['', `${'a'.repeat(210)}`, 'a'.repeat(200)],
])('the sentence around %j and %j', (before, after, sentence) => {
  expect(sentenceAround(before, after)).toBe(sentence)
})

test.each([
  ['Follow this. ', 'Follow this'],
  ['To confirm! Follow this. ', 'To confirm\nFollow this'],
  ['Hello. To confirm. Follow this. ', 'To confirm\nFollow this'],
  ['確認。これ。', '確認\nこれ'],
  ['Confirm', 'Confirm'],
  ['1. Confirm', 'Confirm'],
])('the last sentences before a link: %j', (before, sentences) => {
  expect(sentencesBefore(before)).toBe(sentences)
})

test.each([
  ['One. Two! Three', 5, ' Two'],
  ['One. Two! Three', 1, 'One'],
  ['One? Two', 6, ' Two'],
  ['一。二।三\n四', 2, '二'],
  ['一。二।三\n四', 4, '三'],
  ['一。二।三\n四', 6, '四'],
])('the sentence of %j at %d is %j', (text, place, sentence) => {
  expect(sentenceAt(text, place)).toBe(sentence)
})

test('a text without its links', () => {
  expect(withoutLinks(`a ${U}?c=d b [HTTP://c] (https:e) <http://f>`)).toBe('a   b [ ] ( ) < >')
})

test.each([
  ['One. Two', ['One.', 'Two']],
  ['One.Two', ['One.Two']],
  ['One! Two? Three', ['One!', 'Two?', 'Three']],
  ['一。二！三？四', ['一。', '二！', '三？', '四']],
])('the sentences of %j', (line, sentences) => {
  expect(sentencesOf(line)).toEqual(sentences)
})

test.each([
  ['', true],
  ['click here', true],
  ['click here!', true],
  ['»', true],
  ['here', true],
  ['continue', true],
  ['hereafter', false],
  ['click here to confirm', false],
  ['confirm', false],
])('"%s" says only that this is a link: %s', (words, generic) => {
  expect(isGeneric(words)).toBe(generic)
})

test.each([
  ['482913', true],
  ['xk42-99qp', true],
  ['ab-cd-ef-g7', true],
  ['ab-cd-ef-gh', false],
  ['ab-cd-ef-77', true],
  ['ab-cd-ef-77-88', false],
  ['48291', false],
  ['abcdef', false],
  ['a1b2c3d4e5f6', true],
  ['a1b2c3d4e5f67', false],
  ['xk42 99qp', false],
])('"%s" is a code as the words of a link: %s', (words, isCode) => {
  expect(CODE_AS_WORDS.test(words)).toBe(isCode)
})

test.each([
  ['[heron #482] login is slow', true],
  ['[#14:open] login', true],
  ['(bug 7) login', true],
  ['[issue 7]', true],
  ['[ticket 7]', true],
  ['[case 7]', true],
  ['[request 7]', true],
  ['[pr 7]', true],
  ['[abc-12] login', true],
  ['abc-12 login', true],
  ['abc-12: login', true],
  ['[heron] 482 login', false],
  ['abc-12', false],
  ['a-12 login', false],
  ['[heron 482] login', false],
  ['see abc-12 login', false],
  ['[#1234567890]', false],
])('"%s" is about a ticket: %s', (subject, isTicket) => {
  expect(TICKET.test(subject)).toBe(isTicket)
})

test.each([
  ['new comment on "login page is slow" today', 'new comment on _ today'],
  ['“login page is slow”', '_'],
  ['„login page is slow"', '_'],
  ['«login page is slow»', '_'],
  ['「login page is slow」', '_'],
  ["\"login page is slow''", '_'],
  ['"login p"', '"login p"'],
  ['"login pa"', '_'],
])('%s without the title in it is %s', (subject, rest) => {
  expect(subject.replace(QUOTED, '_')).toBe(rest)
})
