import { READING_LIMITS } from '../../../core/limits.ts'
import { htmlText } from '../../../reading/html/text.ts'
import type { ActionLink } from '../../../reading/message.ts'
import { findIn } from '../../../reading/read.ts'
import { type WrittenMail, writeMail } from './mails.ts'
import type { Recipe } from './recipes.ts'

/** What the reader finds in a mail. */
export function actionOf({ subject, text, html }: WrittenMail): ActionLink | null {
  const isTextOfHtml = text === '' && html !== null
  const read = isTextOfHtml ? htmlText(html) : text
  return findIn({ subject, text: read, html, isTextOfHtml }, READING_LIMITS).actionLink
}

/** Whether the reader finds another action in the mail of a recipe than a person. */
export function isMisread(recipe: Recipe): boolean {
  const mail = writeMail(recipe)
  const found = actionOf(mail)
  if (mail.kind === null) return found !== null
  return found === null || found.kind !== mail.kind || !mail.right.includes(found.url)
}

/** The mail of a recipe, what a person finds in it, and what the reader finds. */
export function describeFault(recipe: Recipe): string {
  const mail = writeMail(recipe)
  const found = actionOf(mail)
  const right = mail.kind === null ? 'no action' : `${mail.kind} ${mail.right.join(' or ')}`
  const [, body] = mail.html?.split('<body>') ?? []
  return [
    `${recipe.language}, ${recipe.kind ?? `notice (${recipe.notice})`}`,
    `expected: ${right}`,
    `found: ${found === null ? 'no action' : `${found.kind} ${found.url}`}`,
    `Subject: ${mail.subject}`,
    mail.text,
    body ?? '',
  ]
    .filter((line) => line !== '')
    .join('\n')
}
