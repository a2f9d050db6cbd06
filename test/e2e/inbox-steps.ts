import type { Locator, Page } from 'playwright-core'
import { UNDO_MS } from '../../web/inbox/deletions.ts'

/** Locators and actions for tests of the inbox. */
export const WIDE = { viewport: { width: 1440, height: 900 } }
export const LAPTOP = { viewport: { width: 1024, height: 768 } }
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

export const rows = (page: Page): Locator => page.locator('.row')
export const row = (page: Page, text: string): Locator => rows(page).filter({ hasText: text })
export const live = (page: Page): Promise<void> => page.locator('[data-state="live"]').waitFor()
export const title = (page: Page, text: string): Promise<void> =>
  page.getByRole('heading', { name: text, exact: true }).waitFor()
export const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

/** Opens the email with this subject from the list. */
export async function openMail(page: Page, subject: string): Promise<void> {
  await row(page, subject).locator('.subject').click()
  await title(page, subject)
}

/** The document of the open email, inside its two frames. */
export function mailDocument(page: Page) {
  return page.frameLocator('iframe.mail-frame').frameLocator('iframe')
}

/**
 * Gives a page that was loaded all the time of a test to undo a deletion, which otherwise ends after six seconds.
 * @returns a function that ends that
 */
export async function holdUndo(page: Page): Promise<() => Promise<void>> {
  await page.evaluate((undoMs) => {
    const start = window.setTimeout
    const held = (run: () => void, ms?: number) => start(run, ms === undoMs ? 600_000 : ms)
    Object.assign(window, { setTimeout: held, startTimer: start })
  }, UNDO_MS)
  return () =>
    page.evaluate(() => void Object.assign(window, { setTimeout: Reflect.get(window, 'startTimer') }))
}

/** The emails of a public address, as the API lists them. */
export async function emailsOf(
  http: string,
  address: string,
): Promise<{ id: string; subject: string; read: boolean }[]> {
  const answer = await fetch(`${http}/api/public/emails/${address}?limit=100`)
  return ((await answer.json()) as { emails: { id: string; subject: string; read: boolean }[] }).emails
}
