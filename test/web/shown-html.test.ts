import { describe, expect, test } from '@jest/globals'
import { shownHtml } from '../../web/inbox/shown-html.ts'

test('an ordinary newsletter is shown as a whole', () => {
  const row =
    '<tr><td style="padding:4px"><a href="https://a.example/b"><b>Title</b></a> Some words</td></tr>'
  const picture = `<img src="data:image/png;base64,${'A'.repeat(3_000_000)}">`
  const html = `<style>${'p{margin:0}'.repeat(3000)}</style>${'<table><tr><td>'.repeat(8)}${row.repeat(600)}${picture}`
  expect(shownHtml(html)).toEqual({ html, isWhole: true })
})

test.each([
  ['text', (n: number) => `${n} words `],
  ['tags', () => '<i>'],
  ['blocks with open formats', (n: number) => `<b id=${n}><p>`],
  ['tables in tables', () => '<table><tr><td>'],
  ['attributes', (n: number) => (n === 0 ? '<p ' : `a${n}=1 `)],
  ['styles', (n: number) => (n === 0 ? '<style>' : `a${n} *{b:c}`)],
  ['comments', () => '<!-- x -->'],
  ['quotes', (n: number) => (n === 0 ? '<p a="' : 'x '.repeat(20))],
])('only the beginning of megabytes of %s is shown', (_name, piece) => {
  const html = `<h1>Hello</h1>${Array.from({ length: 300_000 }, (_, n) => piece(n)).join('')}`
  const shown = shownHtml(html)
  expect(shown.isWhole).toBe(false)
  expect(shown.html.startsWith('<h1>Hello</h1>')).toBe(true)
  expect(html.startsWith(shown.html)).toBe(true)
  expect(shown.html.length).toBeLessThan(510_000)
})

test('tables between "<!-->", which is a whole comment, and another comment are counted', () => {
  const html = `<h1>Hello</h1><!-->${'<table><tr><td>'.repeat(20_000)}<!-- x -->`
  expect(shownHtml(html).isWhole).toBe(false)
})

test('a style sheet costs as many steps behind the tags that it is for as before them', () => {
  const tags = '<p>a</p>'.repeat(5000)
  const styles = `<style>${'p{margin:0}'.repeat(5000)}</style>`
  const isWhole = (html: string) => shownHtml(html).isWhole
  expect([tags, styles, tags + styles, styles + tags].map(isWhole)).toEqual([true, true, false, false])
})

describe('of each kind of markup is shown as much as costs the same', () => {
  /** The largest number of pieces with which the HTML is still shown as a whole. */
  function most(html: (count: number) => string): number {
    let [whole, cut] = [0, 600_000]
    while (cut - whole > 1) {
      const count = Math.floor((whole + cut) / 2)
      if (shownHtml(html(count)).isWhole) whole = count
      else cut = count
    }
    return whole
  }

  test.each<[what: string, html: (count: number) => string, most: number]>([
    ['text', (n) => 'x'.repeat(n), 500_000],
    ['a quoted attribute', (n) => `<p a='${'x'.repeat(n)}'>`, 499_995],
    ['tags', (n) => '<p>'.repeat(n), 15_000],
    ['closed formats', (n) => '<b></b>'.repeat(n), 7_462],
    ['ends without a beginning', (n) => '</b>'.repeat(n), 15_000],
    ['comments', (n) => '<!---->'.repeat(n), 15_000],
    ['characters of a comment', (n) => `<!--${'x'.repeat(n)}-->`, 499_993],
    ['signs that begin nothing', (n) => '<'.repeat(n), 15_000],
    ['attributes', (n) => `<p${' a'.repeat(n)}>`, 149_989],
    ['attributes in open formats', (n) => `${'<b>'.repeat(100)}<p${' a'.repeat(n)}>`, 115_154],
    ['characters of a style sheet', (n) => `<style>${'x'.repeat(n)}</style>`, 500_000],
    [
      'tags with a style sheet of 50,000 characters',
      (n) => `<style>${'x'.repeat(50_000)}</style>${'<p>'.repeat(n)}`,
      7_498,
    ],
    ['tags before it', (n) => `${'<p>'.repeat(n)}<style>${'x'.repeat(50_000)}</style>`, 7_498],
  ])('%s', (_, html, count) => {
    expect(most(html)).toBe(count)
  })

  test('formats that stay open, and tables in tables', () => {
    const names = 'a b big code em font i nobr s small strike strong table tt u'.split(' ')
    expect(names.map((name) => `${name} ${most((n) => `<${name}>`.repeat(n))}`)).toEqual(
      names.map((name) => `${name} 164`),
    )
  })
})
