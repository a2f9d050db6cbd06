import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { CHROMIUM_ARGUMENTS, type TestedBrowser } from './browser.ts'

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const FOLDER = root('test/e2e/pictures')
/** Where the picture and what differs are written when they are not as expected. */
const REPORTS = root('reports/pictures')
const CACHE = root('.ci/cache/chromium-153.0.0')

/** The version that has drawn the pictures in test/e2e/pictures. */
export const PICTURES_BY = '153.0.8010.0'
/** Whether to write the pictures instead of comparing them. */
const IS_WRITING = process.env.MAYFLY_PICTURES === 'write'

/** The browser of .ci/chromium, whose pictures depend neither on fonts nor on updates of the machine. */
export const PINNED: TestedBrowser = {
  path: existsSync(join(CACHE, 'chromium')) ? join(CACHE, 'chromium') : undefined,
  install: 'Run .ci/chromium',
  args: [
    ...CHROMIUM_ARGUMENTS,
    '--hide-scrollbars',
    '--font-render-hinting=none',
    '--disable-lcd-text',
    '--force-color-profile=srgb',
  ],
  env: { PATH: process.env.PATH ?? '', FONTCONFIG_FILE: join(CACHE, 'fonts.conf') },
}

/** Colour values, of 255, by which a pixel may differ: rounding, which other processors do differently. */
const TOLERANCE = 8
/** The pixels that may differ by more. A word that moves by a pixel changes about 100. */
const DIFFERENT_MAX = 20

/**
 * Compares the page with its picture in test/e2e/pictures; with MAYFLY_PICTURES=write, writes that picture.
 * @returns what differs, in a sentence; undefined if nothing does
 */
export async function differenceOf(page: Page, name: string): Promise<string | undefined> {
  await page.evaluate(withoutPorts)
  const actual = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  const file = join(FOLDER, `${name}.png`)
  if (IS_WRITING) {
    await mkdir(FOLDER, { recursive: true })
    await writeFile(file, actual)
    return undefined
  }
  const expected = await readFile(file)
  if (actual.equals(expected)) return undefined
  const { count, picture } = await compared(page, expected, actual)
  if (count <= DIFFERENT_MAX) return undefined
  await mkdir(REPORTS, { recursive: true })
  await writeFile(join(REPORTS, `${name}.png`), actual)
  await writeFile(join(REPORTS, `${name}-difference.png`), Buffer.from(picture, 'base64'))
  return `${count} pixels differ: see reports/pictures/${name}-difference.png. After an intended change, MAYFLY_PICTURES=write writes the pictures.`
}

/** Replaces the ports of the service, which are others in each run, in every text of the page. */
function withoutPorts(): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    text.textContent =
      text.textContent?.replaceAll(location.port, '8025').replaceAll(/\b\d{5}\.key/g, '8025.key') ?? ''
  }
}

/** Counts the pixels that differ, and draws them red on a pale picture. The browser itself decodes the pictures. */
async function compared(
  page: Page,
  expected: Buffer,
  actual: Buffer,
): Promise<{ count: number; picture: string }> {
  const decoder = await page.context().newPage()
  const urls = [expected, actual].map((picture) => `data:image/png;base64,${picture.toString('base64')}`)
  const found = await decoder.evaluate(
    async ([sources, tolerance]) => {
      const images = await Promise.all(
        sources.map(async (src) => {
          const image = new Image()
          image.src = src
          await image.decode()
          return image
        }),
      )
      const width = Math.max(...images.map((image) => image.width))
      const height = Math.max(...images.map((image) => image.height))
      const [before, after] = images.map((image) => {
        const context = new OffscreenCanvas(width, height).getContext('2d')
        context?.drawImage(image, 0, 0)
        return context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray()
      }) as [Uint8ClampedArray, Uint8ClampedArray]
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width, height })
      const context = canvas.getContext('2d')
      const drawn = context?.createImageData(width, height)
      let count = 0
      for (let i = 0; i < before.length; i += 4) {
        const isDifferent = [0, 1, 2, 3].some(
          (part) => Math.abs((before[i + part] ?? 0) - (after[i + part] ?? 0)) > tolerance,
        )
        if (isDifferent) count++
        const pale = 200 + (after[i + 1] ?? 0) / 5
        drawn?.data.set(isDifferent ? [220, 0, 0, 255] : [pale, pale, pale, 255], i)
      }
      if (drawn !== undefined) context?.putImageData(drawn, 0, 0)
      return { count, picture: canvas.toDataURL().split(',')[1] ?? '' }
    },
    [urls, TOLERANCE] as const,
  )
  await decoder.close()
  return found
}
