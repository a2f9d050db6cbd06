import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Browser, chromium, type Page } from 'playwright-core'
import { searchableText } from '../../reading/html/text.ts'
import { Random } from '../hostile/search/random.ts'
import { CHROMIUM, CHROMIUM_ARGUMENTS } from './chromium.ts'

/*
 * Which text of an email is shown is decided by a model of a browser (reading/html/visibility.ts). Here a search
 * compares it with a browser: elements inside of one another, with styles, attributes and style sheets as emails have.
 */

const DECLARATIONS = [
  'display:none',
  'display: none !important',
  'display:block',
  'display:inline-block',
  'visibility:hidden',
  'visibility: visible',
  'opacity:0',
  'opacity: .9',
  'font-size:0',
  'font-size:16px',
  'font-size: 0.9em',
  'font:0/0 a',
  'font: bold 14px/1.5 Arial, sans-serif',
  'border: hidden !important',
  'max-height:0;overflow:hidden',
  'height:0;overflow:hidden',
  'width:0;overflow:hidden',
  'width:100%',
  'min-height:0',
  'left:-9999px',
  'top:-100px',
  'position:absolute;left:-9999px',
  'margin:0 auto',
  'mso-hide:all',
  'color:#333;background-color:#333333',
  'color:transparent',
  'background:#000;color:#fff',
  'text-decoration:none',
  'letter-spacing:6px',
  'font-family:"hidden", Arial',
]
/** Attributes of elements without styles. */
const ATTRIBUTES = [
  'hidden',
  'hidden=""',
  'class="a"',
  'class="b c"',
  'class="first"',
  'title="hidden"',
  "title='what is hidden '",
  'data-style="display:none"',
  'aria-hidden="true"',
  'lang="hidden"',
]
const SHEETS = [
  '',
  '.a{display:none}',
  '.a{margin:0}.b{display:none !important}',
  '@media (max-width:1px){.a{display:none}.first{display:none}}',
  '.c{overflow:hidden;max-height:0}',
  'section.first{display:none}',
  '.a,.b{border:hidden}',
  '.a{mso-hide:all}.first b{display:none}',
]
const TAGS = ['div', 'section', 'center']
const DOCUMENTS = 30
const TREES = 8
const DEPTH = 4

/** Documents of random elements, in which each text has a number: "t17". */
class Documents {
  private texts = 0
  private readonly random: Random

  constructor(seed: string) {
    this.random = new Random(seed)
  }

  next(): string {
    this.texts = 0
    const trees = Array.from({ length: TREES }, () => this.element(0)).join('\n')
    return `<!DOCTYPE html><html><head><style>${this.random.pick(SHEETS)}</style></head><body>${trees}</body></html>`
  }

  private element(depth: number): string {
    const tag = this.random.pick(TAGS)
    const styles = Array.from({ length: this.random.below(3) }, () => this.random.pick(DECLARATIONS))
    const style = styles.length > 0 ? ` style='${styles.join('; ')}'` : ` ${this.random.pick(ATTRIBUTES)}`
    const children = Array.from({ length: 2 }, () =>
      depth < DEPTH && this.random.next() < 0.4 ? `${this.element(depth + 1)} ${this.text()}` : '',
    )
    return `<${tag}${style}>${this.text()}${children.join('')}</${tag}>`
  }

  private text(): string {
    return ` t${++this.texts} `
  }
}

/** The texts of a page that its reader sees. Runs in the browser. */
function seenTexts(): string[] {
  const seen: string[] = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const element = text.parentElement!
    const { fontSize, color } = getComputedStyle(element)
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    if (Number.parseFloat(fontSize) <= 1 || color === 'rgba(0, 0, 0, 0)') continue
    const range = document.createRange()
    range.selectNodeContents(text)
    let { left, top, right, bottom } = range.getBoundingClientRect()
    let background: string | undefined
    for (let around: Element | null = element; around !== null; around = around.parentElement) {
      const style = getComputedStyle(around)
      if (style.backgroundColor !== 'rgba(0, 0, 0, 0)') background ??= style.backgroundColor
      if (style.overflow === 'visible' || around === document.body) continue
      const clip = around.getBoundingClientRect()
      left = Math.max(left, clip.left)
      top = Math.max(top, clip.top)
      right = Math.min(right, clip.right)
      bottom = Math.min(bottom, clip.bottom)
    }
    const isInside = right - left >= 1 && bottom - top >= 1 && right > 0 && bottom > 0
    if (isInside && color !== (background ?? 'rgb(255, 255, 255)'))
      seen.push(...text.textContent!.trim().split(/\s+/))
  }
  return seen.filter((text) => text !== '')
}

/** The style sheet of a document, and the elements around a text. */
function placeOf(html: string, text: string): string {
  const open: string[] = []
  for (const [tag] of html.slice(0, html.indexOf(` ${text} `)).matchAll(/<[^>]*>/g)) {
    if (tag.startsWith('</')) open.pop()
    else if (!tag.startsWith('<!')) open.push(tag)
  }
  return [...html.match(/<style>.*<\/style>/)!, ...open.slice(2), text].join(' ')
}

let browser: Browser | undefined
let page: Page | undefined
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: CHROMIUM!, args: CHROMIUM_ARGUMENTS })
  page = await browser.newPage({ viewport: { width: 1200, height: 4000 } })
}, 60_000)
afterAll(() => browser?.close())

const seed = process.env.MAYFLY_SEED ?? String(Date.now())

test(`the text that is searched is the text that a browser shows (MAYFLY_SEED=${seed})`, async () => {
  const documents = new Documents(seed)
  for (let n = 0; n < DOCUMENTS; n++) {
    const html = documents.next()
    await page!.setContent(html)
    const seen = await page!.evaluate(seenTexts)
    const shown: string[] = searchableText(html).shown.match(/t\d+/g) ?? []
    const onlyInOne = (one: string[], other: string[]) =>
      one.filter((text) => !other.includes(text)).map((text) => placeOf(html, text))
    expect({ hidden: onlyInOne(seen, shown), shown: onlyInOne(shown, seen) }).toEqual({
      hidden: [],
      shown: [],
    })
  }
}, 180_000)
