import { describe, expect, test } from '@jest/globals'
import { LINK_BYTES, LINKS_MAX, READING_LIMITS } from '../../core/limits.ts'
import { findCodeDetails } from '../../reading/codes.ts'
import { Phrases } from '../../reading/links/phrases.ts'
import { findLinks } from '../../reading/links.ts'
import { findIn } from '../../reading/read.ts'
import { findCodes } from './find-codes.ts'

const CODE = 'Your verification code is 482913'
const repeated = (n: number, piece: (i: number) => string) =>
  Array.from({ length: n }, (_, i) => piece(i)).join('')

function hasCode(mail: { subject?: string; text?: string; html?: string }, code = '482913'): boolean {
  return findCodes({ subject: '', text: '', html: null, ...mail }).includes(code)
}

/** Each is expected to be found behind as many things as the number says, and not behind one more. */
describe('a code is found in the part of a mail that is searched', () => {
  test.each<[what: string, most: number, isFound: (n: number) => boolean]>([
    [
      'other numbers',
      23,
      (n) => hasCode({ text: `${repeated(n, (i) => `It was ${412345 + 7 * i}. `)}\n${CODE}` }),
    ],
    [
      'years, if it looks like one',
      19,
      (n) =>
        hasCode(
          { text: `${repeated(n, (i) => `It was ${1950 + (i % 50)}. `)}\nYour verification code is 2019` },
          '2019',
        ),
    ],
    [
      'numbers behind words for other codes',
      9,
      (n) => hasCode({ text: `${repeated(n, (i) => `ZIP code ${12345 + 7 * i}. `)}\n${CODE}` }),
    ],
    [
      'values in quotes',
      5,
      (n) =>
        hasCode(
          {
            text: `${repeated(n, (i) => `We saw "device4${i}x". `)}The temporary password became "803et9646m".`,
          },
          '803et9646m',
        ),
    ],
    ['words for passwords', 15, (n) => hasCode({ text: `${'A password. '.repeat(n)}\n${CODE}` })],
    [
      'numbers behind words for other codes, if it has letters only',
      9,
      (n) =>
        hasCode(
          {
            text: `${repeated(n, (i) => `ZIP code ${12345 + 7 * i}. `)}\nHVXKDR is your verification code.`,
          },
          'HVXKDR',
        ),
    ],
    ['words of HTML beside its text', 100, (n) => hasCode({ html: 'account '.repeat(n), text: CODE })],
    [
      'numbers of HTML beside its text',
      10,
      (n) => hasCode({ html: repeated(n, (i) => `We saw ${412345 + 7 * i}. `), text: CODE }),
    ],
    ['words of the lexicon', 156, (n) => hasCode({ text: `${'account '.repeat(n)}\n${CODE}` })],
    ['numbers that are no codes', 67, (n) => hasCode({ text: `${'12 q. '.repeat(n)}\n${CODE}` })],
    ['elements of HTML', 149, (n) => hasCode({ html: `${'<b>x</b>'.repeat(n)}<p>${CODE}</p>` })],
    [
      'entities without a tag between them',
      2336,
      (n) => hasCode({ html: `<p>${'&nbsp; '.repeat(n)}${CODE}.</p>` }),
    ],
    [
      'hidden characters',
      991,
      (n) => hasCode({ html: `<div style="display:none">${'x'.repeat(n)} ${CODE}</div><p>Hello</p>` }),
    ],
    [
      'blanks before a quote at the end of its line',
      105,
      (n) => hasCode({ text: `Your passphrase:\ncopper lantern${' '.repeat(n)}"` }, 'copper lantern'),
    ],
    ['characters of a subject', 967, (n) => hasCode({ subject: `${'x'.repeat(n)} ${CODE}` })],
  ])('behind %s: %i', (_what, most, isFound) => {
    expect([isFound(most), isFound(most + 1)]).toEqual([true, false])
  })
})

describe('a search for codes takes units of the budget that codes and links share', () => {
  test.each([
    ['sea', 0],
    ['account, account', 2 * 60],
    ['code', 60 + 400],
    ['login code', 2 * 60 + 400],
    ['482913 and 730518', 2 * 200],
    [CODE, 4 * 60 + 400 + 200],
  ])('for words of the lexicon, those for codes and numbers: %s', (text, units) => {
    const budget = { left: 1000 }
    findCodeDetails({ subject: '', text, html: null }, budget)
    expect(1000 - budget.left).toBe(units)
  })
})

const TOKEN = '8f3ab2c9d1e07f46a1b2'

describe('a link is judged where a mail with an action has it', () => {
  const html = (n: number, path: string, words: string, named = (i: number) => `Product ${i}`) =>
    repeated(n, (i) => `<p><a href="https://acme.example/p/${i}">${named(i)}</a></p>`) +
    `<p><a href="https://acme.example/${path}/${TOKEN}">${words}</a></p>`
  const text = (n: number, path: string) =>
    `${repeated(n, (i) => `https://acme.example/p/${i}\n`)}https://acme.example/${path}/${TOKEN}`
  const found = (subject: string, mail: { text?: string; html?: string }) =>
    findLinks({ subject, text: '', html: null, ...mail }, { links: LINKS_MAX, linkBytes: LINK_BYTES })
  const isFirst = (mail: { text?: string; html?: string }) => found('Hello', mail).links[0]!.includes(TOKEN)
  const isAction = (subject: string, mail: { text?: string; html?: string }) =>
    found(subject, mail).actionLink !== null

  test.each<[what: string, most: number, isFound: (n: number) => boolean]>([
    [
      'action by its words',
      13,
      (n) => isAction('Hello', { html: html(n, 'c', 'Confirm your email address', () => 'Product') }),
    ],
    [
      'action, links of other words',
      13,
      (n) => isAction('Hello', { html: html(n, 'c', 'Confirm your email address') }),
    ],
    [
      'action, places of other links',
      23,
      (n) =>
        isAction('Hello', {
          html:
            repeated(n, (i) => `<p><a href="https://acme.example/p/${i % 6}">Product</a></p>`) +
            html(0, 'c', 'Confirm your email address'),
        }),
    ],
    ['action of every reader', 11, (n) => isAction('Hello', { html: html(n, 'magic-link', 'Sign in') })],
    [
      'only link of a request',
      29,
      (n) => isAction('Please confirm your email address', { text: text(n, 'c') }),
    ],
    ['first link by its words', 24, (n) => isFirst({ html: html(n, 's', 'Sign in') })],
    [
      'a link, tags',
      3999,
      (n) =>
        found('Hello', { html: `${'<b>x'.repeat(n)}<a href="https://acme.example/">x</a>` }).links.length > 0,
    ],
    ['first link of HTML by its address', 49, (n) => isFirst({ html: html(n, 'verify', 'here') })],
    ['first link of a text by its address', 49, (n) => isFirst({ text: text(n, 'verify') })],
    [
      'first link by the end of its address',
      // "https://acme.example/?q=" and "&confirm" are within 320 characters.
      288,
      (n) =>
        isFirst({ text: `https://acme.example/p\nhttps://acme.example/?q=${'-'.repeat(n)}&confirm${TOKEN}` }),
    ],
  ])('%s: behind %i others', (_what, most, isFound) => {
    expect([isFound(most), isFound(most + 1)]).toEqual([true, false])
  })
})

test.each([
  ['ASCII', 'x', 13],
  ['other letters', 'я', 3],
])('the phrases of links are looked for in %s of 1000 characters: %s, %i times', (_what, letter, most) => {
  const isExhausted = (n: number) => {
    const phrases = new Phrases()
    for (let i = 0; i < n; i++) phrases.fold(`${letter.repeat(996)}${1000 + i}`)
    return phrases.isExhausted
  }
  expect([isExhausted(most), isExhausted(most + 1)]).toEqual([false, true])
})

test('in other scripts, an expression for Latin letters that cannot match costs nothing', () => {
  const phrases = new Phrases()
  let asked = 0
  while (!phrases.isExhausted) phrases.says('signIn', `${'я'.repeat(996)}${1000 + asked++}`)
  expect(asked).toBe(5)
})

test.each([
  ['account '.repeat(150), true],
  [
    `${'code '.repeat(20)}${'account '.repeat(130)}${repeated(24, (i) => `We saw ${412345 + 7 * i}. `)}`,
    false,
  ],
])('links have the searches that those for codes leave: %#', (words, isFound) => {
  const sentence = 'Read everything that our editor in the northern harbour says of the product with number'
  const others = repeated(9, (i) => `${sentence} ${i}: https://acme.example/p/${i}\n`)
  const text = `${others}Confirm your email address: https://acme.example/c/${TOKEN}\n${words}`
  const mail = { subject: 'Hello', text, html: null, isTextOfHtml: false }
  expect(findLinks(mail, READING_LIMITS).actionLink).not.toBeNull()
  expect(findIn(mail, READING_LIMITS).actionLink !== null).toBe(isFound)
})
