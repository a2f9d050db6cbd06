import { expect, test } from '@jest/globals'
import { behindSentenceBefore, urlsIn } from '../../../reading/links/text.ts'
import { findLinks } from '../../../reading/links.ts'

const TOKEN = 'a81f9c2e77b04d15'
const S = 'https://harbour.example'
const A = (words: string, rest: string) => `<p><a href="${S}${rest}">${words}</a></p>`
/** So many links that lead nowhere. */
const maps = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    A('Map', `/m${String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))}`),
  ).join('')
const action = (subject: string, html: string, text = '') =>
  findLinks({ subject, text, html, isTextOfHtml: false }, { links: 100, linkBytes: 2048 }).actionLink
const around = (text: string) => urlsIn(text, 2048, 9).at(-1)!.around

/** Each rule holds up to a number, and not for one more. */
test.each<[rule: string, most: number, holds: (count: number) => boolean]>([
  [
    'links among which an action is',
    14,
    (n) => action('Harbour', maps(n - 1) + A('Confirm your email', `/x/${TOKEN}`)) !== null,
  ],
  [
    'links of a mail that asks to sign in, though its subject does not',
    12,
    (n) => action('Harbour', A('Sign in', `/login/${TOKEN}`) + maps(n - 1)) !== null,
  ],
  [
    'places among which that of the action is',
    24,
    (n) =>
      action(
        'Harbour',
        Array.from({ length: Math.ceil((n - 1) / 4) }, (_, k) =>
          A('Map', `/m${k}x`).repeat(Math.min(4, n - 1 - 4 * k)),
        ).join('') + A('Confirm your email', `/x/${TOKEN}`),
      ) !== null,
  ],
  [
    'places of one link',
    4,
    (n) =>
      action('Harbour', A('Map', `/x/${TOKEN}`).repeat(n - 1) + A('Confirm your email', `/x/${TOKEN}`)) !==
      null,
  ],
  [
    'a short request',
    30,
    (n) =>
      action(
        'Harbour',
        `<p>Confirm${' it'.repeat(20)}`.slice(0, n + 2).concat(':') +
          `</p>${A('here', `/x/${TOKEN}`)}${A('Map', `/y/${TOKEN}x`)}`,
      ) !== null,
  ],
  [
    'characters of a subject',
    500,
    (n) => action(`${' '.repeat(n - 7)}Sign in`, A('here', `/x/${TOKEN}`)) !== null,
  ],
  [
    'characters of an address',
    320,
    (n) =>
      action('Harbour', A('Go to it', `/${'p/'.repeat(140)}${'p'.repeat(n - 319)}/verify?token=${TOKEN}`)) !==
      null,
  ],
  [
    'text before a URL',
    500,
    (n) =>
      around(`${['Confirm it', ...Array(300).fill('-')].join('\n').slice(0, n)}${S}/x`).includes('Confirm'),
  ],
  [
    'a sentence to which the one before it belongs',
    199,
    (n) => behindSentenceBefore(`Confirm it. ${'a'.repeat(n - 1)}`, 'x') !== 'x',
  ],
  [
    'characters of the sentence before it',
    200,
    (n) => behindSentenceBefore(`B${'b'.repeat(n - 1)}. ${'a'.repeat(190)}`, 'x').startsWith('B'),
  ],
  ['text behind a URL', 120, (n) => around(`Go to ${S}/x ${'a'.repeat(n - 2)}b.`).endsWith('b')],
])('%s: up to %d', (_rule, most, holds) => {
  expect([holds(most), holds(most + 1)]).toEqual([true, false])
})
