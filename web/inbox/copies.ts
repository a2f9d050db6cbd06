import type { Email } from '../lib/api.ts'
import { inboxPath } from '../lib/api.ts'

/** A command that fetches this mail, with the key left to whoever runs it. */
export function curlOf(email: Email): string {
  const url = `${location.origin}${inboxPath(email.address, `/${email.id}`)}`
  return `curl -s -H "X-API-Key: $MAYFLY_API_KEY" ${quoted(url)}`
}

/** What a test would say of such a mail, by the SDK (@mayfly/client). */
export function assertionOf(email: Email): string {
  const { subject, codes, action_link } = email
  const filter = subject === '' ? '' : `{ subject: ${JSON.stringify(subject)} }`
  const lines = [`const mail = await inbox.waitForMail(${filter})`]
  if (codes[0] !== undefined) lines.push(`expect(mail.code).toMatch(${shapeOf(codes[0])})`)
  if (action_link)
    lines.push(`expect(mail.actionLink?.url).toContain(${JSON.stringify(originOf(action_link.url))})`)
  if (lines.length === 1) lines.push(`expect(mail.from.address).toBe(${JSON.stringify(email.from.address)})`)
  return `${lines.join('\n')}\n`
}

/** For a shell: nothing between single quotes means anything to it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** The next mail has another code of the same shape. */
function shapeOf(code: string): string {
  const shape = code
    .replace(/[0-9]+/g, (digits) => `\\d{${digits.length}}`)
    .replace(/[A-Z]+/g, (letters) => `[A-Z]{${letters.length}}`)
  return `/^${shape.replaceAll('/', '\\/')}$/`
}

function originOf(url: string): string {
  try {
    return new URL(url).origin
  } catch {
    return url
  }
}
