import { isLoopbackName } from '../../core/access/loopback.ts'
import type { Email } from '../lib/api.ts'
import type { SearchQuery } from './query.ts'

/** What an email must match, as the parameters of the API. */
export type Filter = Omit<SearchQuery, 'words' | 'without' | 'hint'>

/** Code that waits for an email like the one on screen. */
export interface Snippet {
  id: string
  label: string
  text: string
}

/** A shell command that sends an email with a code by SMTP. */
export function curlSend(address: string, { host, port }: { host: string; port: number }): string {
  const to = address.replaceAll('\\', '\\\\').replaceAll('%', '%%')
  const message = `From: me@example.org\\r\\nTo: ${to}\\r\\nSubject: Hello\\r\\n\\r\\nYour code is 739105\\r\\n`
  return `printf ${shellQuoted(message)} |
  curl smtp://${host}:${port} --mail-from me@example.org --mail-rcpt ${shellQuoted(address)} -T -`
}

/** An inbox that code is for. */
export interface SnippetInbox {
  /** The URL of the service. */
  base: string
  address: string
  /** Whether its domain is private, so that requests need the domain key. */
  isPrivate: boolean
}

/** A shell command that waits for an email. Keys are left to the environment, so that they are never on screen. */
export function curlWait(inbox: SnippetInbox, filter: Filter): string {
  const { base, address } = inbox
  const query = new URLSearchParams({ ...filter, timeout: '25' })
  const url = `${base}/api/emails/${inPath(address)}/wait?${query}`
  return `curl -s ${curlHeaders(inbox)} \\\n  ${shellQuoted(url)}`
}

/** A shell command that reads one email. */
export function curlRead(inbox: SnippetInbox, id: string): string {
  const { base, address } = inbox
  const url = `${base}/api/emails/${inPath(address)}/${id}`
  return `curl -s ${curlHeaders(inbox)} ${shellQuoted(url)}`
}

/** An address as a segment of a path, as people write it. */
function inPath(address: string): string {
  return encodeURIComponent(address).replace('%40', '@')
}

/**
 * Keys are left to the environment. A service of this machine writes its key to a file of its user, for a shell; the
 * SDKs and the command find it by themselves.
 */
function curlHeaders({ isPrivate, base }: SnippetInbox): string {
  const key = isLoopbackName(new URL(base).hostname)
    ? `\${MAYFLY_API_KEY:-$(cat ${ownKeyFile(base)})}`
    : '$MAYFLY_API_KEY'
  const apiKey = `-H "X-API-Key: ${key}"`
  return isPrivate ? `${apiKey} -H "X-Domain-Key: $MAYFLY_DOMAIN_KEY"` : apiKey
}

/** Where a service on loopback writes the key of its operator. */
export function ownKeyFile(base: string): string {
  return `~/.cache/mayfly/${new URL(base).port || '80'}.key`
}

/** The same wait in each language. */
export function waitSnippets(inbox: SnippetInbox, filter: Filter): Snippet[] {
  return [
    { id: 'javascript', label: 'JavaScript', text: javascriptWait(inbox, filter) },
    { id: 'python', label: 'Python', text: pythonWait(inbox, filter) },
    { id: 'playwright', label: 'Playwright', text: playwrightWait(inbox, filter) },
    { id: 'command', label: 'Command', text: commandWait(inbox, filter) },
    { id: 'curl', label: 'curl', text: curlWait(inbox, filter) },
  ]
}

/** A filter that the next email of the same kind matches. */
export function filterFor({ from, subject, codes, action_link }: Email): Filter {
  const has = codes.length > 0 ? 'code' : action_link ? 'action_link' : undefined
  return {
    ...(from.address === null ? {} : { from: from.address }),
    ...(subject === '' ? {} : { subject: subject.slice(0, 60) }),
    ...(has && { has }),
  }
}

/** What a test with @mayfly/client would expect of an email like this one. */
export function assertionFor(email: Email): string {
  const { subject, codes, action_link } = email
  const filter = subject === '' ? '' : objectLiteral({ subject })
  const lines = [`const mail = await inbox.waitForMail(${filter})`]
  const [code] = codes
  if (code !== undefined) lines.push(`expect(mail.code).toMatch(${shapeOf(code)})`)
  if (action_link) {
    lines.push(`expect(mail.actionLink?.url).toContain(${quoted(originOf(action_link.url))})`)
  }
  if (lines.length === 1)
    lines.push(
      `expect(mail.from.address).toBe(${email.from.address === null ? 'null' : quoted(email.from.address)})`,
    )
  return `${lines.join('\n')}\n`
}

function javascriptWait({ base, address, isPrivate }: SnippetInbox, filter: Filter): string {
  const domainKey = isPrivate ? ', domainKey: process.env.MAYFLY_DOMAIN_KEY' : ''
  return `import { Mayfly } from '@mayfly/client'

const mayfly = new Mayfly({ url: '${base}'${domainKey} })
const inbox = await mayfly.inbox({ address: ${quoted(address)}, history: true })
const mail = await inbox.waitForMail(${objectLiteral(filter)})
console.log(mail.subject, mail.code, mail.actionLink?.url)
`
}

/** A JSON string is a string of Python, too. */
function pythonWait({ base, address, isPrivate }: SnippetInbox, filter: Filter): string {
  const options = Object.entries(filter).map(
    ([name, value]) => `${name === 'from' ? 'from_' : name}=${JSON.stringify(value)}`,
  )
  const domainKey = isPrivate ? ', domain_key=os.environ["MAYFLY_DOMAIN_KEY"]' : ''
  return `${isPrivate ? 'import os\n' : ''}from mayfly import Mayfly

mayfly = Mayfly("${base}"${domainKey})
inbox = mayfly.inbox(address=${JSON.stringify(address)}, history=True)
mail = inbox.wait_for_mail(${options.join(', ')})
print(mail.subject, mail.code)
`
}

/** A test of Playwright has an inbox with an address of its own. */
function playwrightWait({ base }: SnippetInbox, filter: Filter): string {
  return `// MAYFLY_URL=${base} npx playwright test
import { expect, test } from '@mayfly/client/playwright'

test('signs up', async ({ page, inbox }) => {
  await page.goto('/sign-up')
  await page.getByLabel('Email').fill(inbox.address)
  await page.getByRole('button', { name: 'Sign up' }).click()
  const mail = await inbox.waitForMail(${objectLiteral(filter)})
  await page.getByLabel('Code').fill(mail.code ?? '')
})
`
}

function commandWait({ base, address }: SnippetInbox, filter: Filter): string {
  const options = Object.entries(filter).map(([name, value]) => ` --${name} ${shellQuoted(value)}`)
  return `MAYFLY_URL=${base} mayfly wait ${shellQuoted(address)}${options.join('')}`
}

/** The shell interprets nothing between single quotes. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** An object as JavaScript is written: `{ has: 'code' }`. */
function objectLiteral(values: Filter): string {
  const members = Object.entries(values).map(([name, value]) => `${name}: ${quoted(value)}`)
  return members.length === 0 ? '' : `{ ${members.join(', ')} }`
}

/** A JavaScript string in single quotes. */
function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** The next email has another code of the same shape. */
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

/** The environment variables by which an application's SDK sends to this service (docs/send-apis.md). */
export function sendApiVariables(base: string): string {
  return `AWS_ENDPOINT_URL_SESV2=${base}/ses\nRESEND_BASE_URL=${base}/resend`
}
