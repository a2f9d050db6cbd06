import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { inBrowser, PATIENCE_MS } from './browser.ts'
import { PICTURED } from './pictured.ts'
import { openState, perceived, touching } from './states.ts'
import { overlappingTexts } from './text-overlap.ts'

/** The states of which nothing else tests what a person perceives of them. */
const PERCEIVED = new Set(['all-mail', 'list', 'compare', 'time-line'])
const WIDTHS = [320, 390, 820, 1280, 1920]

inBrowser('the pages, with always the same content', {}, (stage) => {
  for (const [name, { path, width, answers, reach }] of Object.entries(PICTURED)) {
    test(
      `${name}: Tab reaches every control and shows where it is, and at any width no text covers another or is cut off, and no control touches another`,
      async () => {
        const viewport = { width, height: 900 }
        const { page } = await openState(stage(), path, answers, { viewport, hasTouch: width < 1000 })
        await reach(page)
        if (PERCEIVED.has(name)) {
          const place = (await page.locator('dialog').count()) > 0 ? 'dialog' : 'main'
          expect(await perceived(page, place)).toMatchSnapshot()
        }
        expect(await unreached(page)).toEqual([])
        for (const each of WIDTHS) {
          await page.setViewportSize({ width: each, height: 900 })
          expect([each, await overlappingTexts(page)]).toEqual([each, []])
          expect([each, await touching(page)]).toEqual([each, []])
          const wide = await page.evaluate(() => document.documentElement.scrollWidth)
          expect(wide).toBeLessThanOrEqual(each)
        }
      },
      PATIENCE_MS,
    )
  }
})

/**
 * The controls that Tab does not reach, or that look the same with the focus. Of a group of tabs or radio buttons Tab
 * reaches one, from which the arrow keys lead to the others.
 */
async function unreached(page: Page): Promise<string[]> {
  const wanted = await page.evaluate(() => {
    const place = document.querySelector('dialog[open]') ?? document
    const controls = [
      ...place.querySelectorAll<HTMLElement>('a[href], button:enabled, input:enabled, select, summary'),
    ].filter(
      (control) =>
        control.checkVisibility() &&
        !control.matches('[role="tab"][aria-selected="false"], [type="radio"]:not(:checked)'),
    )
    for (const [i, control] of controls.entries()) control.dataset.control = String(i)
    return controls.map((control) => control.outerHTML.slice(0, 120))
  })
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  const seen = new Set<number>()
  // The frames of an email, and areas that scroll, are stops of Tab, too.
  for (let i = 0; i < wanted.length * 2 + 20 && seen.size < wanted.length; i++) {
    await page.keyboard.press('Tab')
    const found = await page.evaluate(() => {
      const control = document.activeElement as HTMLElement | null
      if (control?.dataset.control === undefined) return undefined
      const styles = [getComputedStyle(control), getComputedStyle(control, '::after')]
      const isShown = styles.some(
        ({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && outlineWidth !== '0px',
      )
      return isShown ? Number(control.dataset.control) : undefined
    })
    if (found !== undefined) seen.add(found)
  }
  return wanted.filter((_, i) => !seen.has(i))
}
