import { randomBytes } from 'node:crypto'
import { type RunningService, startService } from '../../support/service.ts'

export const API_KEY = 'operator-key-of-the-send-api-tests'
const DOMAIN = 'mayfly.test'

export interface ReceivedEmail {
  id: string
  from: { name: string | null; address: string | null }
  to: { name: string | null; address: string | null }[]
  cc: { name: string | null; address: string | null }[]
  subject: string
  body_text: string
  body_html: string | null
  codes: string[]
  headers: { name: string; value: string }[]
  attachments: {
    id: string
    filename: string | null
    content_type: string
    size: number
    inline: boolean
    content_id: string | null
    url: string
  }[]
  mail_from: string | null
  message_id: string | null
}

/** A service for one test file, and the calls that the tests make. */
export interface TestService extends RunningService {
  /** The complete emails of an address, newest first. */
  emails(address: string): Promise<ReceivedEmail[]>
  /** The only email of an address. */
  email(address: string): Promise<ReceivedEmail>
  raw(address: string, id: string): Promise<Buffer>
  attachment(email: ReceivedEmail, position: number): Promise<Buffer>
}

export async function startSendService(env: Record<string, string> = {}): Promise<TestService> {
  const service = await startService({ MAYFLY_API_KEYS: API_KEY, MAYFLY_DOMAINS: DOMAIN, ...env })
  return testService(service)
}

export function testService(service: RunningService): TestService {
  async function get(path: string): Promise<Response> {
    const answer = await fetch(service.http + path, { headers: { 'X-API-Key': API_KEY } })
    if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  async function emails(address: string): Promise<ReceivedEmail[]> {
    const path = `/api/emails/${encodeURIComponent(address)}`
    const { emails } = (await (await get(`${path}?limit=100`)).json()) as { emails: { id: string }[] }
    const whole = emails.map(async ({ id }) => {
      const { email } = (await (await get(`${path}/${id}`)).json()) as { email: ReceivedEmail }
      return email
    })
    return Promise.all(whole)
  }
  return {
    ...service,
    emails,
    async email(address) {
      const found = await emails(address)
      const [email] = found
      if (email === undefined || found.length > 1) throw new Error(`${address} has ${found.length} emails`)
      return email
    },
    async raw(address, id) {
      return Buffer.from(
        await (await get(`/api/emails/${encodeURIComponent(address)}/${id}/raw`)).arrayBuffer(),
      )
    },
    async attachment(email, position) {
      const { url } = email.attachments[position] ?? {}
      if (url === undefined) throw new Error(`the email has ${email.attachments.length} attachments`)
      return Buffer.from(await (await get(url)).arrayBuffer())
    },
  }
}

let count = 0

/** Returns an address that no other test uses. */
export function newAddress(tag = ''): string {
  return `case${++count}x${randomBytes(3).toString('hex')}${tag}@${DOMAIN}`
}

export function headerOf(email: ReceivedEmail, name: string): string | undefined {
  return email.headers.find((header) => header.name === name)?.value
}
