import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Stage } from './browser.ts'

/** The time of every page of these tests, so that ages and dates are the same in each run. */
export const NOW = '2026-11-21T10:00:00.000Z'

/**
 * What the service answers to requests whose `METHOD /path` matches; requests of other paths reach the service. A
 * function returns the answer, now or later; a text is an event stream.
 */
export type Answers = [request: RegExp, answer: unknown, status?: number][]

/** Opens a page whose requests get these answers. `sent` are those requests, with their bodies. */
export async function openState(
  stage: Stage,
  path: string,
  answers: Answers,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; sent: string[] }> {
  const page = await stage.open('/problems/', { locale: 'en', timezoneId: 'UTC', ...options })
  await page.clock.setFixedTime(NOW)
  const sent = await answer(page, answers)
  await page.goto(stage.service.http + path)
  return { page, sent }
}

/** Answers the requests of a page. Returns those requests, with their bodies, as they come. */
export async function answer(page: Page, answers: Answers): Promise<string[]> {
  const sent: string[] = []
  await page.route('**/api/**', async (route) => {
    const request = route.request()
    const { pathname, search } = new URL(request.url())
    const line = `${request.method()} ${decodeURIComponent(pathname + search)}`
    const found = answers.find(([wanted]) => wanted.test(line))
    if (found === undefined) return route.continue()
    sent.push([line, request.postData()].filter(Boolean).join(' '))
    const [, given, status = 200] = found
    const body = typeof given === 'function' ? await given() : given
    if (typeof body === 'string') return route.fulfill({ contentType: 'text/event-stream', body })
    if (Buffer.isBuffer(body)) return route.fulfill({ contentType: 'image/gif', body })
    const contentType = status < 400 ? 'application/json' : 'application/problem+json'
    await route.fulfill({ status, contentType, body: JSON.stringify(body) })
  })
  return sent
}

/** The classes of texts and buttons that stand out. */
const TONES = ['good', 'bad', 'warn', 'primary', 'danger']

/**
 * What a person perceives of the page: its accessibility tree, the texts and buttons that stand out, the texts
 * that only a screen reader says, the hints under the pointer, the times for programs, links to other sites that do not
 * open safely, icons that draw nothing, then what browsers do with each field.
 */
export async function perceived(page: Page, part = 'main'): Promise<string> {
  const tree = await page.locator(part).ariaSnapshot()
  const fields = await page
    .locator(part)
    .locator('input:not([type="checkbox"], [type="radio"]), select')
    .evaluateAll((all) =>
      (all as HTMLInputElement[])
        .filter((field) => field.checkVisibility())
        .map((field) => {
          const name = field.ariaLabel ?? field.labels?.[0]?.textContent ?? ''
          const facts = [
            field.type,
            field.required && 'required',
            field.placeholder && `empty: ${field.placeholder}`,
            field.autocomplete && `autocomplete ${field.autocomplete}`,
            field.spellcheck ? '' : 'no spelling check',
            field.autocapitalize && `autocapitalize ${field.autocapitalize}`,
            field.maxLength > 0 && `at most ${field.maxLength} characters`,
            field.ariaInvalid === 'true' && 'invalid',
            field.getAttribute('aria-describedby') &&
              `described by “${document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent}”`,
          ]
          return `${name}: ${facts.filter(Boolean).join(', ')}`
        }),
    )
  const tones = await page
    .locator(part)
    .locator(TONES.map((name) => `.${name}`).join(', '))
    .evaluateAll(
      (all, names) =>
        all
          .filter((element) => element.checkVisibility())
          .map((element) => {
            const tone = names.filter((name) => element.classList.contains(name)).join(' ')
            return `${tone}: ${element.textContent}`
          }),
      TONES,
    )
  const rest = await page
    .locator(part)
    .locator('*')
    .evaluateAll((all) =>
      (all as HTMLElement[])
        .filter((element) => element.checkVisibility())
        .flatMap((element) => {
          const { width, height } = element.getBoundingClientRect()
          const text = element.innerText?.trim() ?? ''
          const isDrawn =
            !element.matches('svg') || (element.querySelector('path')?.getTotalLength() ?? 0) > 0
          return [
            width <= 1 && height <= 1 && text && `only said: ${text}`,
            element.title && element.title !== text && `hint: ${element.title}`,
            element instanceof HTMLMeterElement &&
              `meter: ${element.value} of ${element.max}, low below ${element.low}`,
            element instanceof HTMLTimeElement && `time: ${element.dateTime}`,
            element instanceof HTMLAnchorElement &&
              element.origin !== location.origin &&
              !(element.target === '_blank' && /(?=.*noopener)(?=.*noreferrer)/.test(element.rel)) &&
              `a link that replaces the page, or tells it to the other site: ${element.outerHTML}`,
            !isDrawn && `an empty icon: ${element.parentElement?.outerHTML}`,
          ]
        })
        .filter(Boolean),
    )
  const base = new URL(page.url()).origin
  return [
    tree,
    ...tones,
    ...(await looks(page, part)),
    ...new Set(rest),
    ...(await touching(page)),
    ...fields,
  ]
    .join('\n')
    .replaceAll(base, 'http://service')
    .replaceAll(new URL(base).host, 'service')
    .replaceAll(`/${new URL(base).port}.key`, '/port.key')
}

/** What is in a box or on a ground of its own, and what is in small print: the beginning of each text. */
function looks(page: Page, part: string): Promise<string[]> {
  return page.locator(part).evaluate((root) => {
    const CLEAR = 'rgba(0, 0, 0, 0)'
    const shown = [...root.querySelectorAll<HTMLElement>('*')].filter((element) => element.checkVisibility())
    const isBoxed = (element: Element) => {
      const { borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(element)
      return backgroundColor !== CLEAR || (borderTopWidth !== '0px' && borderTopColor !== CLEAR)
    }
    const isSmall = (element: Element | null) =>
      element !== null && Number.parseFloat(getComputedStyle(element).fontSize) < 14
    const beginnings = (found: HTMLElement[]) => {
      const texts = found.map((element) => (element.innerText || element.ariaLabel || '').trim())
      const short = texts.map((text) => text.slice(0, 24).replaceAll(/\s+/g, ' '))
      return [...new Set(short)].filter(Boolean).join(' | ')
    }
    return [
      `boxes: ${beginnings(shown.filter(isBoxed))}`,
      `small: ${beginnings(shown.filter((element) => isSmall(element) && !isSmall(element.parentElement)))}`,
    ]
  })
}

/** Buttons and fields with an edge that touch the one before them. */
export function touching(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const CLEAR = 'rgba(0, 0, 0, 0)'
    const hasEdge = (element: Element | null): element is HTMLElement => {
      if (!element?.matches('button:not([role="tab"]), a.button, input, select')) return false
      const { backgroundColor, borderTopColor } = getComputedStyle(element)
      return element.checkVisibility() && (backgroundColor !== CLEAR || borderTopColor !== CLEAR)
    }
    return [...document.querySelectorAll('main *')]
      .filter((element) => {
        const before = element.previousElementSibling
        if (!hasEdge(element) || !hasEdge(before)) return false
        const [a, b] = [before.getBoundingClientRect(), element.getBoundingClientRect()]
        return Math.max(b.left - a.right, b.top - a.bottom) < 3
      })
      .map((element) => `no gap before ${element.outerHTML.slice(0, 120)}`)
  })
}
