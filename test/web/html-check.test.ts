import { describe, expect, test } from '@jest/globals'
import { checkHtml } from '../../web/html-check/check.ts'
import { signsIn } from '../../web/html-check/usage.ts'

describe('the features of an email', () => {
  test.each([
    ['<video src="x"></video>', 'element:video'],
    ['<TABLE ALIGN=center>', 'attribute:align'],
    ['<p style="display: flex !important; gap:4px">', 'value:display:flex'],
    ["<p style='width:calc(1rem + 2vw)'>", 'function:calc'],
    ['<p style="margin:1rem">', 'unit:rem'],
    ['<style>a:hover{color:red}</style>', 'pseudo:hover'],
    [
      '<style>@media (max-width:1px) and (prefers-color-scheme:dark){a{top:0}}</style>',
      'media:prefers-color-scheme',
    ],
    ['<style>@media print{a{position:fixed}}</style>', 'property:position'],
    ['<img src="data:image/webp;base64,x">', 'image:data'],
    ['<img src="https://x.example/a.WEBP?b=1">', 'image:webp'],
    ['<a title="a > b" dir=rtl>', 'attribute:dir'],
  ])('%s: %s', (html, sign) => {
    expect([...signsIn(html)]).toContain(sign)
  })

  test('comments and scripts are not features', () => {
    const signs = signsIn('<!-- <video> --><script>"<audio>"</script><style>/* gap:1px */</style>')
    expect([...signs]).toEqual(['element:script', 'element:style'])
  })

  test('broken and huge HTML is examined up to a limit', () => {
    for (const html of ['<', '<a', '<a b="', '<style>a{b', '<!--', '< <<>>'])
      expect(() => signsIn(html)).not.toThrow()
    expect(signsIn(`${'<p>'.repeat(60_000)}<video>`).has('element:video')).toBe(false)
    expect(signsIn(`<a b="${'x'.repeat(5_000_000)}"><video>`).has('element:video')).toBe(true)
    expect(signsIn(`<style>${'a{b:c}'.repeat(500_000)}</style><video>`).has('element:video')).toBe(true)
  })
})

describe('the HTML check', () => {
  test('names the clients that do not support a feature, the worst feature first', () => {
    const { findings, clients, score, features } = checkHtml(
      '<p style="display:flex;gap:4px;color:red">x</p><video src="x"></video>',
    )
    const flex = findings.find(({ title }) => title === 'display:flex')
    expect(flex?.unsupported).toContain('Outlook for Windows')
    expect(flex?.url).toBe('https://www.caniemail.com/features/css-display-flex/')
    expect(features).toBeGreaterThanOrEqual(3)
    expect(score).toBeGreaterThan(0)
    expect(score).toBeLessThan(100)
    const counts = findings.map(({ unsupported }) => unsupported.length)
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    const outlook = clients.find(({ name }) => name === 'Outlook for Windows')
    expect(outlook?.score).toBeLessThan(clients.find(({ name }) => name === 'Apple Mail')?.score ?? 0)
  })

  test('plain HTML is supported by every client', () => {
    expect(checkHtml('Hello')).toMatchObject({ features: 0, score: 100, findings: [] })
  })
})
