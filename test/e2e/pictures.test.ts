import { expect, test } from '@jest/globals'
import { inBrowser, PATIENCE_MS } from './browser.ts'
import { PICTURED } from './pictured.ts'
import { differenceOf, PICTURES_BY, PINNED } from './pictures.ts'
import { openState } from './states.ts'

const HEIGHTS: Record<number, number> = { 390: 844, 820: 1180, 1280: 800 }

inBrowser(
  'the pages look as in test/e2e/pictures',
  {},
  (stage) => {
    test('the browser is the one that has drawn them', () => {
      expect(stage().browser.version()).toBe(PICTURES_BY)
    })

    for (const [name, { path, width, height, colorScheme, answers, reach }] of Object.entries(PICTURED)) {
      test(
        name,
        async () => {
          const viewport = { width, height: height ?? HEIGHTS[width] ?? 800 }
          const { page } = await openState(stage(), path, answers, {
            viewport,
            colorScheme,
            hasTouch: width < 1000,
          })
          await reach(page)
          await page.mouse.move(0, 0)
          // The page measures the email after the first drawing.
          await page.evaluate(
            () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
          )
          expect(await differenceOf(page, name)).toBeUndefined()
        },
        PATIENCE_MS,
      )
    }
  },
  [],
  PINNED,
)
