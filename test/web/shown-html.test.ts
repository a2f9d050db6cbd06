import { expect, test } from '@jest/globals'
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
