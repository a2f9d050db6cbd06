import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { freshAddress, sendMail } from '../support/mail.ts'
import { accessibilityFaults, inBrowser, PATIENCE_MS } from './browser.ts'
import { mailDocument, openMail, WIDE } from './inbox-steps.ts'

const RED = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
)
const HTML = `<style>h1{color:rgb(200,0,0)} @media screen{.card{border-radius:9px}} p:{gap:1px}</style>
<body style="background:#ffffff"><h1>Title</h1>
<div style="display:flex;gap:9px"><p class="card">Beside</p><img src="https://x.example/far.png" width="60" height="40"></div>
<img src="cid:red@x" width="120" height="80"></body>`

inBrowser('an email as others show it', {}, (stage) => {
  const choose = (page: Page, label: string) => page.getByLabel('Show the email as').selectOption(label)
  const colour = (page: Page) =>
    mailDocument(page)
      .getByText('Title')
      .evaluate((title) => getComputedStyle(title).color)

  test(
    'as it is, without images, without styles, inverted and narrow; what is lost is marked in its place',
    async () => {
      const address = freshAddress()
      const picture = { filename: 'red.png', content: RED, cid: 'red@x' }
      await sendMail(stage().service.smtp, {
        to: address,
        subject: 'Styled',
        text: 'x',
        html: HTML,
        attachments: [picture],
      })
      const page = await stage().open(`/#${address}`, WIDE)
      await page
        .context()
        .route('https://x.example/**', (route) => route.fulfill({ body: RED, contentType: 'image/png' }))
      await openMail(page, 'Styled')
      await page.getByRole('button', { name: 'Always' }).click()
      await mailDocument(page).locator('img[src="https://x.example/far.png"]').waitFor()
      expect(await colour(page)).toBe('rgb(200, 0, 0)')

      await choose(page, 'Without remote images')
      await mailDocument(page).locator('img[src^="data:image/svg"]').waitFor()
      expect(await mailDocument(page).locator('img[src^="https:"]').count()).toBe(0)

      await choose(page, 'Without <style>')
      await page
        .getByText('An approximation of Gmail with accounts of other providers', { exact: false })
        .waitFor()
      await page.waitForFunction(() => document.querySelector('iframe') !== null)
      await mailDocument(page).locator('img[src="https://x.example/far.png"]').waitFor()
      expect(await colour(page)).not.toBe('rgb(200, 0, 0)')

      await choose(page, 'Without remote images')
      await page.getByLabel(/^Mark \d+ features? that/).check()
      const lost = mailDocument(page).locator('[data-lost]')
      await lost.first().waitFor()
      expect(await lost.first().getAttribute('data-lost')).toContain(
        'display:flex: not in Outlook for Windows',
      )
      expect(await mailDocument(page).locator('.card').getAttribute('data-lost')).toContain(
        'border-radius: not in Outlook for Windows',
      )
      expect(await accessibilityFaults(page)).toEqual([])

      await choose(page, 'At 375 px')
      await page.waitForFunction(() => (document.querySelector('.mail-frame')?.clientWidth ?? 999) <= 375)
      expect(await mailDocument(page).locator('[data-lost]').count()).toBe(0)
    },
    PATIENCE_MS,
  )

  test(
    'what a client does not show is marked on each element, by its tag, its style and every rule for it',
    async () => {
      const address = freshAddress()
      const html = `<style>@layer x; #a{gap:1px} /* #b{gap:1px} */ #b > i{border-radius:1px}
        p:has(i){gap:1px} #${'c'.repeat(100)},#d{gap:1px} ]{gap:1px}</style>
        <style>${'#x{gap:1px}'.repeat(194)} #e{gap:1px} #f{gap:1px}</style>
        <p id="a" style="display:flex">a</p><p id="b"><i id="i">b</i></p><p id="d">d</p><p id="e">of the 200th rule</p>
        <p id="f">f</p><video id="v"></video>`
      await sendMail(stage().service.smtp, { to: address, subject: 'Marked', text: 'x', html })
      const page = await stage().open(`/#${address}`, WIDE)
      await openMail(page, 'Marked')
      await choose(page, 'Without remote images')
      await page.getByLabel(/^Mark \d+ features that are lost$/).check()
      const lost = mailDocument(page).locator('[data-lost]')
      await lost.first().waitFor()
      const marks = await lost.evaluateAll((all) =>
        all.map(({ id, dataset, attributes }) => [
          id,
          dataset.lost,
          dataset.lost === attributes.getNamedItem('title')?.value,
        ]),
      )
      expect(marks).toEqual([
        [
          'a',
          'display:flex: not in Outlook for Windows; gap, column-gap, row-gap: not in Outlook for Windows',
          true,
        ],
        [
          'i',
          'Child combinator: not in Outlook for Windows; border-radius: not in Outlook for Windows',
          true,
        ],
        ['e', 'gap, column-gap, row-gap: not in Outlook for Windows', true],
        ['v', '<video> element: not in Outlook for Windows, Outlook.com', true],
      ])
    },
    PATIENCE_MS,
  )

  test(
    'inverted, light backgrounds are dark and images keep their colours',
    async () => {
      const address = freshAddress()
      const picture = { filename: 'red.png', content: RED, cid: 'red@x' }
      await sendMail(stage().service.smtp, {
        to: address,
        subject: 'Light',
        text: 'x',
        html: HTML,
        attachments: [picture],
      })
      const page = await stage().open(`/#${address}`, WIDE)
      await openMail(page, 'Light')
      await mailDocument(page).locator('img[src^="data:image/png"]').waitFor()
      const pixels = () => pixelsOf(page)
      const [ground, image] = await pixels()
      expect([ground, image]).toEqual([[255, 255, 255], expect.arrayContaining([expect.any(Number)])])
      await choose(page, 'In the dark, inverted')
      await page.getByText('An approximation of dark clients that invert colours', { exact: false }).waitFor()
      await mailDocument(page).locator('img[src^="data:image/png"]').waitFor()
      await mailDocument(page).locator('html[data-inverted][style]').waitFor()
      const [dark, same] = await pixels()
      expect(Math.max(...(dark ?? []))).toBeLessThan(40)
      const difference = (same ?? []).map((value, i) => Math.abs(value - (image?.[i] ?? 0)))
      expect(Math.max(...difference)).toBe(0)
    },
    PATIENCE_MS,
  )

  test(
    'a single feature that a client does not show is offered as one',
    async () => {
      const address = freshAddress()
      const html = '<p style="display:flex">a</p>'
      await sendMail(stage().service.smtp, { to: address, subject: 'Single', text: 'x', html })
      const page = await stage().open(`/#${address}`, WIDE)
      await openMail(page, 'Single')
      await choose(page, 'Without remote images')
      await page.getByLabel('Mark 1 feature that is lost', { exact: true }).check()
      expect(await mailDocument(page).locator('[data-lost]').allInnerTexts()).toEqual(['a'])
    },
    PATIENCE_MS,
  )

  test(
    'a finding of the HTML check leads to its line of the source',
    async () => {
      const address = freshAddress()
      await sendMail(stage().service.smtp, { to: address, subject: 'Checked', text: 'x', html: HTML })
      const page = await stage().open(`/#${address}`, WIDE)
      await openMail(page, 'Checked')
      await page.getByRole('tab', { name: 'HTML check' }).click()
      const flex = page.getByRole('row').filter({ hasText: 'display:flex' })
      expect(await flex.getByRole('cell').nth(1).innerText()).toContain('1×')
      await flex.getByRole('button', { name: 'Show line 3' }).click()
      expect(await page.locator('mark').textContent()).toContain('display:flex;gap:9px')
      expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Source')
      await page.getByRole('tab', { name: 'Text' }).click()
      await page.getByRole('tab', { name: 'Source' }).click()
      await page.getByText('Subject: Checked').waitFor()
      expect(await page.locator('mark').count()).toBe(0)
    },
    PATIENCE_MS,
  )
})

/** The colour of the background and of the image, as they are on screen: the page itself decodes its screenshot. */
async function pixelsOf(page: Page): Promise<number[][]> {
  const frame = await page.locator('.mail-frame').boundingBox()
  const image = await mailDocument(page).locator('img[src^="data:image/png"]').boundingBox()
  const points = [
    [(frame?.x ?? 0) + (frame?.width ?? 0) - 40, (frame?.y ?? 0) + 30],
    [(image?.x ?? 0) + 60, (image?.y ?? 0) + 40],
  ]
  const shots = await Promise.all(
    points.map(([x = 0, y = 0]) => page.screenshot({ clip: { x, y, width: 1, height: 1 } })),
  )
  const decoder = await page.context().newPage()
  const colours = await decoder.evaluate(
    async (urls) =>
      Promise.all(
        urls.map(async (url) => {
          const image = new Image()
          image.src = url
          await image.decode()
          const context = new OffscreenCanvas(1, 1).getContext('2d')
          context?.drawImage(image, 0, 0)
          return [...(context?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3)
        }),
      ),
    shots.map((shot) => `data:image/png;base64,${shot.toString('base64')}`),
  )
  await decoder.close()
  return colours
}
