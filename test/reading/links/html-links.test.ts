import { describe, expect, test } from '@jest/globals'
import { htmlLinks } from '../../../reading/links/html.ts'
import { SENTENCE_BREAK } from '../../../reading/links/text.ts'

const U = 'https://a.example/b'
const read = (html: string) => htmlLinks(html, 2048)
/** The words of the last link of an HTML, and the sentence around it. */
const last = (html: string) => {
  const link = read(html).links.at(-1)!
  return [link.words.trim(), link.around]
}
const A = (words: string, url = U) => `<a href="${url}">${words}</a>`

describe('the words of a link in HTML', () => {
  test.each([
    [A('Confirm <b>it</b> now'), 'Confirm it now'],
    [A('R&amp;D'), 'R&D'],
    [A('<img src="x" alt="Confirm it">'), 'Confirm it'],
    [A('<img src="x">'), ''],
    [`<a href="${U}" aria-label="Confirm it"></a>`, 'Confirm it'],
    [`<a href="${U}" title="Confirm it">Now</a>`, 'Confirm it Now'],
    [`<a href="${U}">Confirm`, 'Confirm'],
    [`<map><area href="${U}" title="Confirm"></map>`, 'Confirm'],
    [`<a href="${U}">One</a> two`, 'One'],
    [A('a'.repeat(300)), 'a'.repeat(199)],
    [`${A('One')}<a>two</a>`, 'One'],
  ])('%s', (html, words) => {
    expect((last(html)[0] ?? '').replace(/ +/g, ' ')).toBe(words.replace(/ +/g, ' '))
  })
})

describe('the sentence around a link in HTML', () => {
  test.each([
    [`<p>To confirm, ${A('click here')} now. Bye</p>`, 'To confirm, now'],
    [`<p>Hello.  To\n confirm, ${A('click here')}</p>`, `Hello.${SENTENCE_BREAK}To confirm,`],
    [`<p>Hello</p><p>To confirm</p>${A('here')}`, 'Hello\nTo confirm'],
    [`<p>One</p><p>Hello</p><p>--</p><p>To confirm</p>${A('here')}`, 'Hello\nTo confirm'],
    [`<p>To confirm</p><p>${A('here')}</p><p>${A('there')}</p>`, 'To confirm'],
    [`<p>To confirm</p>${A('<img src="x">')}`, ''],
    [`<p>To confirm</p><p>${A(U)} below</p>`, 'To confirm'],
    [`<p>To confirm</p><p>Follow ${A(U)} below</p>`, 'Follow below'],
    [
      `<p>To go on.</p><p>Follow this link to confirm. ${A(U)} It expires.</p>`,
      'To go on.\nFollow this link to confirm It expires',
    ],
    [`<p>To confirm: ${A('here')} or ${A('there')}</p>`, 'To confirm: or'],
    [`<p>To confirm: ${A('here')}.</p><p>Else ${A('there')}</p>`, 'Else'],
    [`<p>R&amp;D ${A('here')}</p>`, 'R&D'],
    [`<p> Hello </p><p>\n To  confirm \n</p>${A('here')}`, 'Hello\nTo confirm'],
    [`<p>${'a'.repeat(500)}</p>${A('here')}`, 'a'.repeat(400)],
    [`<p>To confirm</p>${'<p>--</p>'.repeat(15)}${A('here')}`, 'To confirm'],
    [`<p>To confirm</p>${'<p>--</p>'.repeat(16)}${A('here')}`, ''],
    [`<p>To confirm, see ${U} now</p>`, 'To confirm, see   now'],
    [`<p>To confirm</p><p>${U}</p>`, 'To confirm'],
    [`<p>${'a '.repeat(1000)}To confirm, ${A('here')}</p>`, 'a '.repeat(100).trim()],
  ])('%#: %s', (html, around) => {
    expect((last(html)[1] ?? '').replace(/ +/g, ' ')).toBe(around.replace(/ +/g, ' '))
  })
})

test.each([
  [`<a href="https:&#x2F;&#x2F;a.example">b</a>`, ['https://a.example']],
  [`<a href="https:&#47;&#47;a.example">b</a>`, ['https://a.example']],
  ['<a href="mailto:x">b</a>', []],
  ['<a name="x">b</a>', []],
  [`${A('b')}${A('c')}`, [U, U]],
  [`<p>${U} ${A('c', 'https://c')}</p>`, [U, 'https://c']],
  [`<script>"${U}"</script>`, []],
])('the links of %s', (html, urls) => {
  expect(read(html).links.map(({ url }) => url)).toEqual(urls)
})

test('the pictures of an HTML', () => {
  expect([...read(`<img src="${U}"><img alt="x"><img src="b//">`).images]).toEqual([U, 'b//'])
})

test('at most 100 links and 4000 tags are read', () => {
  expect(read(A('b').repeat(99)).links).toHaveLength(99)
  expect(read(A('b').repeat(101)).links).toHaveLength(100)
  expect(read(`${'<br>'.repeat(3999)}${A('b')}`).links).toHaveLength(1)
  expect(read(`${'<br>'.repeat(4000)}${A('b')}`).links).toHaveLength(0)
})
