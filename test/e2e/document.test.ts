import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { attachment, email, wholeEmail } from '../web/email.ts'
import { inBrowser, PATIENCE_MS } from './browser.ts'
import { mailDocument, openMail, PHONE, WIDE } from './inbox-steps.ts'
import { type Answers, openState } from './states.ts'

const ADDRESS = 'bot@mayfly.test'
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** Everything that the frame of an email changes in its HTML. */
const HTML = `<html dir="RTL" lang="he" class="x"><head><title>t</title><meta name="a"><link rel="preconnect" href="https://x.example">
<base href="https://x.example"><style>p{color:red;background:URL("CID:c0@x")}</style></head><body onclick="a()" bgcolor="white">
<script>a()</script><iframe src="x"></iframe><object data="x"></object><embed src="x"><applet></applet>
<p onmouseover="a()" ping="x" rel="y" target="z" title="kept">text</p>
<a href="https://x.example/1" ping="x" target="_top">1</a><a href=" HTTP://x.example/2">2</a><a href="mailto:a@b.example">3</a>
<a href="tel:1">4</a><a href="#here">5</a><a href="/keys">6</a><a href="data:text/html,x">7</a><a href="java\tscript:a()">8</a>
<form action="\u0001JavaScript:a()"><button formaction="javascript:a()">9</button></form>
<svg><a xlink:href="https://x.example/3"><text>a</text></a><a xlink:href="#x"><animate values="javascript:a()"></animate></a></svg>
<table background="cid:c0@x"><tr><td style="background:url('cid:c%2B1@x') red, url(cid:unknown)"></td></tr></table>
<img src="cid:c0@x"><img src=" CID:c%2B1@x"><img src="cid:c19@x"><img src="cid:unknown">
<img src="data:image/gif;base64,x"><img src="https://x.example/a" srcset="https://x.example/b 2x">
<img src="https://x.example/c" width="100" height="40" alt="A &lt;b&gt; &amp; &quot;c&quot; of more than twelve characters">
<img src="https://x.example/d" style="color:red; width : 90px;height:15px" width="9" height="9" alt="no room">
<img src="https://x.example/e" width="4px" height="4"><img src="https://x.example/f" width="17" height="1">
<img src="https://x.example/g" width="50%" height="40" alt="of unknown width"></body></html>`

/** As the document is in the browser, without the names that each build gives to its files. */
async function documentOf(page: Page): Promise<string> {
  const html = await mailDocument(page)
    .locator('html')
    .evaluate((root) => root.outerHTML)
  return html
    .replaceAll(/data:image\/svg\+xml,([^"]*)/g, (_, svg) => decodeURIComponent(svg))
    .replaceAll(/http:\/\/[\d.:]+\/assets\/measure-\w+\.js/g, 'MEASURE')
    .replaceAll(/data:image\/gif;base64,R0[\w+/=]*/g, 'PIXEL')
}
const heightOf = (page: Page) => page.locator('.mail-frame').evaluate((frame) => frame.clientHeight)

inBrowser('the document of an email', {}, (stage) => {
  const answersFor = (...bodies: string[]): Answers => [
    [/GET .*info$/, { smtp: null, mx: 'mx.test', retention_hours: 24, link_check: false }],
    [/GET .*activity/, { requests: [], emails: [] }],
    [/GET .*attachments/, PIXEL],
    ...bodies.map((body_html, i): Answers[0] => [
      new RegExp(`GET .*emails/bot@mayfly.test/${i}$`),
      { email: wholeEmail(String(i), { body_html, attachments: i === 0 ? FILES : [] }) },
    ]),
    [/GET .*public\/emails/, { emails: bodies.map((_, i) => email(String(i))), next_cursor: null }],
  ]
  /** More inline images than are loaded, and files that are no images. */
  const image = (id: string, facts: object) =>
    attachment(id, { content_type: 'image/x-icon', content_id: `c${id}@x`, ...facts })
  const FILES = [
    image('0', { size: 5_000_000 }),
    image('1', { content_id: 'c+1@x' }),
    image('50', { size: 5_000_001 }),
    image('51', { content_type: 'text/plain' }),
    image('52', { content_id: null }),
    ...Array.from({ length: 20 }, (_, i) => image(String(i + 2), {})),
    image('53', {}),
  ]
  const NAMED = FILES.filter(({ id }) => id !== '53' && id !== '1').map(({ content_id }) => content_id)

  test(
    'is what the email says, without what could run, navigate or ask other hosts',
    async () => {
      const body = HTML.replace('</body>', `<!-- ${NAMED.map((id) => `cid:${id}`).join(' ')} --></body>`)
      const { page, sent } = await openState(stage(), `/#${ADDRESS}`, answersFor(body), WIDE)
      await page.context().route('https://x.example/**', (route) => route.abort())
      await openMail(page, 'Email 0')
      await mailDocument(page).locator('img[src^="data:image/gif;base64,R0"]').nth(2).waitFor()
      expect(await documentOf(page)).toMatchSnapshot('without remote images')
      const loaded = sent.filter((line) => line.includes('attachments')).map((line) => line.split('/').pop())
      expect(loaded.sort((a, b) => Number(a) - Number(b))).toEqual(
        Array.from({ length: 20 }, (_, i) => `${i}`),
      )
      const frame = () =>
        page
          .frameLocator('iframe.mail-frame')
          .locator('iframe')
          .evaluate(({ title, style, sandbox }: HTMLIFrameElement) => [
            title,
            style.colorScheme,
            sandbox.value,
          ])
      const sandbox = 'allow-scripts allow-popups allow-popups-to-escape-sandbox'
      expect(await frame()).toEqual(['Email', 'light', sandbox])
      expect(await page.locator('iframe.mail-frame').getAttribute('sandbox')).toBe(sandbox)
      await page.getByRole('button', { name: 'Load', exact: true }).click()
      await mailDocument(page).locator('img[src="https://x.example/g"]').waitFor()
      const images = mailDocument(page).locator('img:not([src^="data"])')
      expect(await images.evaluateAll((all) => all.map(({ outerHTML }) => outerHTML))).toMatchSnapshot(
        'images',
      )
      // The browser says in the console what the policy refuses.
      stage().faults.splice(0)
    },
    PATIENCE_MS,
  )

  test(
    'shows an image that is named often as long as it fits into the memory of a tab',
    async () => {
      const [large, small] = [
        '<img src="cid:c0@x" width="1" height="1">',
        '<i style="background:url(cid:c2@x)">x</i>',
      ]
      const answers: Answers = [
        // 4,000,022 characters as a data: URL.
        [/GET .*attachments\/0$/, Buffer.alloc(3_000_000)],
        // One that cannot be loaded keeps none of the others away.
        [/GET .*attachments\/3$/, { code: 'unavailable' }, 503],
        ...answersFor(`${large.repeat(1000)}${small.repeat(1000)}<b style="background:url(cid:c3@x)">`),
      ]
      const { page } = await openState(stage(), `/#${ADDRESS}`, answers, WIDE)
      await openMail(page, 'Email 0')
      const shown = (selector: string) => mailDocument(page).locator(selector).count()
      await mailDocument(page).locator('img[src^="data:"]').first().waitFor({ state: 'attached' })
      expect([await shown('img[src^="data:"]'), await shown('i[style*="data:"]')]).toEqual([3, 1000])
      // Until the images are there, the browser refuses what names them.
      stage().faults.splice(0)
    },
    PATIENCE_MS,
  )

  test(
    'is as wide as its reader wants, scaled if it is wider, and as high as it needs up to a limit',
    async () => {
      const box = (style: string) => `<body style="margin:0"><div style="${style}">x</div>`
      const bodies = [box('height:9px'), box('height:40000px'), box('width:700px;height:200px')]
      const { page } = await openState(stage(), `/#${ADDRESS}`, answersFor(...bodies), WIDE)
      await openMail(page, 'Email 0')
      await page.waitForFunction(() => document.querySelector('.mail-frame')?.clientHeight === 80)
      await openMail(page, 'Email 1')
      await page.waitForFunction(() => document.querySelector('.mail-frame')?.clientHeight === 30_000)
      await openMail(page, 'Email 2')
      await page.waitForFunction(() => document.querySelector('.mail-frame')?.clientHeight === 200)
      const zoom = (wanted: RegExp) =>
        mailDocument(page)
          .locator('html')
          .evaluate(async (root, source) => {
            while (!new RegExp(source).test(root.style.zoom)) await new Promise(requestAnimationFrame)
          }, wanted.source)
      const widths: unknown[] = []
      for (const name of ['At 375 px', 'As it is']) {
        await page.getByLabel('Show the email as').selectOption(name)
        await zoom(name === 'At 375 px' ? /^0\.5/ : /^$/)
        widths.push(await page.locator('.frame-box').evaluate((frame) => frame.style.maxWidth))
      }
      expect(widths).toEqual(['375px', 'none'])
      await page.waitForFunction(() => document.querySelector('.mail-frame')?.clientHeight === 200)

      // A window that is made wide again shows the email as large as before.
      await page.setViewportSize({ width: 500, height: 900 })
      await zoom(/^0\.[5-7]/)
      await page.setViewportSize(WIDE.viewport)
      await zoom(/^$/)

      const tiny = answersFor(box('width:3000px;height:1000px'))
      const phone = await openState(stage(), `/#${ADDRESS}/0`, tiny, PHONE)
      // Smaller text could not be read.
      await phone.page.waitForFunction(() => document.querySelector('.mail-frame')?.clientHeight === 400)
      expect(await heightOf(phone.page)).toBe(400)
      expect(
        await mailDocument(phone.page)
          .locator('html')
          .evaluate((root) => root.style.zoom),
      ).toBe('0.4')
    },
    PATIENCE_MS,
  )
})
