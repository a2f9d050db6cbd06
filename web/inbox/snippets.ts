import type { Email } from '../lib/api.ts'
import type { SearchQuery } from './query.ts'

/** What an email must match, as the parameters of the API. */
export type Filter = Pick<SearchQuery, 'from' | 'subject' | 'has'>

/** Code that waits for an email like the one on screen. */
export interface Snippet {
  id: string
  label: string
  text: string
}

/** A shell command that sends an email with a code by SMTP. */
export function curlSend(address: string, { host, port }: { host: string; port: number }): string {
  return `printf 'From: me@example.org\\r\\nTo: ${address}\\r\\nSubject: Hello\\r\\n\\r\\nYour code is 739105\\r\\n' |
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
export function curlWait({ base, address, isPrivate }: SnippetInbox, filter: Filter): string {
  const query = new URLSearchParams({ ...filter, timeout: '25' })
  const url = `${base}/api/emails/${encodeURIComponent(address).replace('%40', '@')}/wait?${query}`
  return `curl -s ${curlHeaders(isPrivate)} \\\n  ${shellQuoted(url)}`
}

/** A shell command that reads one email. */
export function curlRead({ base, address, isPrivate }: SnippetInbox, id: string): string {
  const url = `${base}/api/emails/${encodeURIComponent(address)}/${id}`
  return `curl -s ${curlHeaders(isPrivate)} ${shellQuoted(url)}`
}

function curlHeaders(isPrivate: boolean): string {
  const apiKey = '-H "X-API-Key: $MAYFLY_API_KEY"'
  return isPrivate ? `${apiKey} -H "X-Domain-Key: $MAYFLY_DOMAIN_KEY"` : apiKey
}

/** The same wait in each language. */
export function waitSnippets(inbox: SnippetInbox, filter: Filter): Snippet[] {
  return [
    { id: 'curl', label: 'curl', text: curlWait(inbox, filter) },
    { id: 'javascript', label: 'JavaScript', text: javascriptWait(inbox, filter) },
    { id: 'python', label: 'Python', text: pythonWait(inbox, filter) },
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
  const filter = subject === '' ? '' : `{ subject: ${JSON.stringify(subject)} }`
  const lines = [`const mail = await inbox.waitForMail(${filter})`]
  const [code] = codes
  if (code !== undefined) lines.push(`expect(mail.code).toMatch(${shapeOf(code)})`)
  if (action_link) {
    lines.push(`expect(mail.actionLink?.url).toContain(${JSON.stringify(originOf(action_link.url))})`)
  }
  if (lines.length === 1) lines.push(`expect(mail.from.address).toBe(${JSON.stringify(email.from.address)})`)
  return `${lines.join('\n')}\n`
}

function javascriptWait({ base, address, isPrivate }: SnippetInbox, filter: Filter): string {
  const domainKey = isPrivate ? ', domainKey: process.env.MAYFLY_DOMAIN_KEY' : ''
  return `import { Mayfly } from '@mayfly/client'

const mayfly = new Mayfly({ url: '${base}', apiKey: process.env.MAYFLY_API_KEY${domainKey} })
const inbox = await mayfly.inbox({ address: ${JSON.stringify(address)}, history: true })
const mail = await inbox.waitForMail(${JSON.stringify(filter)})
console.log(mail.subject, mail.code, mail.actionLink?.url)
`
}

function pythonWait({ base, address, isPrivate }: SnippetInbox, filter: Filter): string {
  const query = JSON.stringify({ ...filter, timeout: 25 })
  const domainKey = isPrivate ? ', "X-Domain-Key": os.environ["MAYFLY_DOMAIN_KEY"]' : ''
  // Before Python 3.12, an f-string cannot contain its own quotes.
  return `import json, os
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

address = quote(${JSON.stringify(address)}, safe="")
query = urlencode(${query})
headers = {"X-API-Key": os.environ["MAYFLY_API_KEY"]${domainKey}}
request = Request(f"${base}/api/emails/{address}/wait?{query}", headers=headers)
email = json.load(urlopen(request))["email"]
print(email and email["codes"])
`
}

/** The shell interprets nothing between single quotes. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
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
