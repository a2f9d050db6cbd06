import { expect, test } from '@jest/globals'
import { decodeHTML } from 'entities'
import { htmlText } from '../../reading/html/text.ts'

test.each([
  '&amp;',
  '&auml;',
  '&Auml;',
  '&nGt;',
  '&fjlig;',
  '&semi;',
  '&hellip;',
  '&CounterClockwiseContourIntegral;',
  '&ampere;',
  '&ltx;',
  '&notit;',
  '&amp',
  '&copy2026',
  '&unknown;',
  '&zzz;',
  '&zzz',
  '&é;',
  '&a;',
  '&;',
  '&&lt;',
  '&#65;',
  '&#65',
  '&#x4a;',
  '&#X4A',
  '&#65a',
  '&#128;',
  '&#0;',
  '&#55357;',
  '&#128512;',
  '&#1114112;',
  '&#99999999999999999999;',
  '&#000000000000000000000000000000000065;',
  '&#;',
  '&#x;',
  '&#xg;',
  '&#é',
])('%s is decoded as browsers do, at once and again', (reference) => {
  for (const html of [`a${reference}b`, `a${reference}`, `a${reference}${reference}b`])
    expect(htmlText(html)).toBe(decodeHTML(html))
})

test('white space that is written as a reference is white space', () => {
  expect(htmlText('a&nbsp;&nbsp;b&#32; c&#160;d')).toBe('a b c d')
  expect(htmlText('a&#10;b&NewLine;&Tab;c&nbspd')).toBe('a\nb\nc d')
})

test('a character of two code units behind a blank stays whole', () => {
  expect(htmlText('a &#128512; b')).toBe('a 😀 b')
})

test.each(['http://a.example/b', 'HTTPS://a.example/b', 'mailto:ann@a.example', 'tel:+4930901820'])(
  'a link is followed by its address: %s',
  (url) => {
    expect(htmlText(`See <a href="${url}">this</a>.`)).toBe(`See this [${url}].`)
    expect(htmlText(`See <a href="${url}"> ${url} </a>.`)).toBe(`See ${url} .`)
  },
)

test.each(['#top', '/b', 'javascript:go()', 'ftp://a.example/b', ' ', 'a.example/http://'])(
  'only the words of a link with another address remain: %s',
  (url) => {
    expect(htmlText(`See <a href="${url}">this</a>.`)).toBe('See this.')
  },
)
