import { describe, expect, test } from '@jest/globals'
import { findLinks } from '../../../reading/links.ts'

const LIMITS = { links: 50, linkBytes: 100 }
const S = 'https://a.example'
const find = (text: string, html: string | null = null, rest = {}, limits = LIMITS) =>
  findLinks({ subject: 'Harbour', text, html, ...rest }, limits).links
const A = (words: string, url: string) => `<p><a href="${url}">${words}</a></p>`

describe('links that confirm come first, then those to sign in, others, and those of the footer', () => {
  const ORDER = ['first', 'second', 'third', 'last']
  /** Where a link is among one of each grade, which are given in the other order. */
  const grade = (words: string, url: string) => {
    const html = [
      A('Map', `${S}/last/unsubscribe`),
      A('Map', `${S}/third`),
      A('Map', `${S}/second/login`),
      A('Map', `${S}/first/verify`),
    ]
    const before = find('', html.join('') + A(words, url))
    const place = before.indexOf(url)
    return place === -1 ? 'missing' : ORDER[place - 1]
  }
  test.each([
    ['Map', '/confirm', 'first'],
    ['Map', '/activation', 'first'],
    ['Map', '/validate', 'first'],
    ['Map', '/magic', 'first'],
    ['Map', '/set-password', 'first'],
    ['Map', '/reset', 'first'],
    ['Map', '/preset', 'third'],
    ['Map', '/invite', 'first'],
    ['Map', '/accept', 'first'],
    ['Map', '/otp', 'first'],
    ['Map', '/x?token=1', 'first'],
    ['Map', '/x?my_token=1', 'first'],
    ['Map', '/x?my-token=1', 'first'],
    ['Map', '/x?code=1', 'first'],
    ['Map', '/x?oobcode=1', 'first'],
    ['Map', '/x#key=1', 'first'],
    ['Map', '/x?a=1&hash=1', 'first'],
    ['Map', '/x?a=1;nonce=1', 'first'],
    ['Map', '/x/otp=1', 'first'],
    ['Map', '/x?zipcode=1', 'third'],
    ['Map', '/x?tokens=1', 'third'],
    ['Confirm your email', '/x', 'first'],
    ['Reset your password', '/x', 'first'],
    ['Join now', '/x', 'first'],
    ['Sign in', '/x', 'second'],
    ['Approve', '/x', 'second'],
    ['Map', '/login', 'second'],
    ['Map', '/sign-in', 'second'],
    ['Map', '/sso', 'second'],
    ['Map', '/auth', 'second'],
    ['Map', '/author', 'third'],
    ['Map', '/session', 'second'],
    ['Map', '/account/login', 'second'],
    ['Map', '/blogin', 'third'],
    ['Map', '/x', 'third'],
    ['Unsubscribe', '/confirm', 'last'],
    ['Privacy policy', '/x', 'last'],
    ['Privacy policy', '/confirm', 'first'],
    ['Map', '/privacy', 'last'],
    ['Confirm your email', '/unsubscribe', 'last'],
  ])('%s at %s is %s', (words, rest, expected) => {
    expect(grade(words, `${S}${rest}`)).toBe(expected)
  })
  test('a social network is last, unless the link confirms there', () => {
    expect(grade('Map', 'https://x.com/a')).toBe('last')
    expect(grade('Map', 'https://x.com/confirm')).toBe('first')
    expect(grade('Sign in', 'https://x.com/a')).toBe('second')
  })
  test('the words of the first 25 links count', () => {
    const html = (count: number) =>
      Array.from({ length: count }, (_, n) => A('Map', `${S}/${String.fromCharCode(97 + n)}`)).join('') +
      A('Sign in', `${S}/zz`)
    expect([find('', html(24))[0], find('', html(25))[0]]).toEqual([`${S}/zz`, `${S}/a`])
  })
})

describe('which URLs are links of a mail', () => {
  test.each([
    [`${S}/a ${S}/b ${S}/a`, [`${S}/a`, `${S}/b`]],
    [`${S} ${S}/`, [S]],
    [`${S}/a HTTPS://A.example/a`, [`${S}/a`]],
    [`${S}/a.png ${S}/a.jpeg ${S}/a.css?x ${S}/a.woff2#x`, []],
    [`${S}/a.pngx ${S}/png`, [`${S}/a.pngx`, `${S}/png`]],
    ['http://www.w3.org/1999/xhtml https://w3.org/TR/html http://www.w3.org/2000/svg', []],
    ['https://w3.org/people', ['https://w3.org/people']],
    ['http://[bad', []],
    [`${S}/${'a'.repeat(82)}`, [`${S}/${'a'.repeat(82)}`]],
    [`${S}/${'a'.repeat(83)}`, []],
    [`${S}/${'é'.repeat(14)}`, []],
    [`${S}/${'é'.repeat(13)}`, [`${S}/${'é'.repeat(13)}`]],
  ])('%s', (text, links) => {
    expect(find(text)).toEqual(links)
  })
  test('those of the HTML come before those of the text', () => {
    expect(find(`${S}/t ${S}/h`, A('Map', `${S}/h`))).toEqual([`${S}/h`, `${S}/t`])
  })
  test('pictures of the HTML are none, and a text of it has at most 20 of its own', () => {
    expect(find(`${S}/p`, `<img src="${S}/p"><a href="${S}/h">x</a>`)).toEqual([`${S}/h`])
    const text = Array.from({ length: 30 }, (_, n) => `${S}/t${n}x`).join(' ')
    expect(find(text, '<p>x</p>', { isTextOfHtml: true })).toHaveLength(20)
    expect(find(text, '<p>x</p>')).toHaveLength(30)
  })
  test('at most so many', () => {
    const text = Array.from({ length: 9 }, (_, n) => `${S}/t${n}x`).join(' ')
    expect(find(text, null, {}, { links: 3, linkBytes: 100 })).toHaveLength(3)
  })
  test('a line break inside of an address is left out, another unprintable character is encoded', () => {
    expect(find('', A('Map', `${S}/a\nb`))).toEqual([`${S}/ab`])
    expect(find('', A('Map', ` ${S}/a b `))).toEqual([`${S}/a%20b`])
    expect(find('', A('Map', `${S}/a\u0085b`))).toEqual([`${S}/a%C2%85b`])
  })
})
