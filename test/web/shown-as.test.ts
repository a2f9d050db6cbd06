import { expect, test } from '@jest/globals'
import { checkHtml } from '../../web/html-check/check.ts'
import { lostIn, SHOWN_AS } from '../../web/inbox/shown-as.ts'

const HTML = `<style>@media (prefers-color-scheme: dark) { a:hover { color: red } } a:focus-visible { top: 0 }
@font-face { font-family: x } @supports (gap: 1px) { p { gap: 1px } } .a > .b { width: calc(1vmin + 2ch) }</style>
<video src="x"></video><img src="https://x.example/a.webp" loading="lazy"><p style="display: grid; gap: 1em">x</p>`

test.each(SHOWN_AS)('what $id loses is named at places of the email alone', async (shownAs) => {
  const lost = (html: string) =>
    checkHtml(html).findings.filter(({ unsupported }) =>
      unsupported.some((client) => shownAs.clients.includes(client)),
    )
  const signs = new Set(lost(HTML).flatMap((finding) => finding.signs))
  const placed = [...signs].filter((sign) =>
    /^(?:element|attribute|property|value|function|unit|selector):/.test(sign),
  )
  const marked = (await lostIn(HTML, { ...shownAs, unstyled: false })).map(({ sign }) => sign)
  expect(new Set(marked)).toEqual(new Set(placed))
  // The sample has features that are at no place, too.
  if (shownAs.clients.length > 0)
    expect([placed.length > 0, signs.size > placed.length]).toEqual([true, true])
})

test('without its styles an email loses only what is outside of them', async () => {
  const shownAs = SHOWN_AS.find(({ unstyled }) => unstyled)!
  const marked = async (unstyled: boolean) =>
    (await lostIn(HTML, { ...shownAs, unstyled })).map(({ sign }) => sign)
  expect(await marked(false)).toEqual(expect.arrayContaining(await marked(true)))
  expect((await marked(true)).length).toBeLessThan((await marked(false)).length)
})

test.each([
  '<style>p{display:grid}</style>',
  '<STYLE media="all">p{display:grid}</STYLE\n>',
  '<style>p{display:grid}',
])('%j is left out with the styles', async (styles) => {
  const shownAs = { ...SHOWN_AS.find(({ unstyled }) => unstyled)!, clients: ['Outlook for Windows'] }
  const html = '<p style="gap:1em">x</p>'
  const lost = await lostIn(html, shownAs)
  expect(lost.length).toBeGreaterThan(0)
  expect(await lostIn(html + styles, shownAs)).toEqual(lost)
  expect(await lostIn(html + styles, { ...shownAs, unstyled: false })).not.toEqual(lost)
})
