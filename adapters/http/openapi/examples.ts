import { FILTER_NAMES } from '../../../core/inbox/filter.ts'
import { MESSAGE_BYTES } from '../../../core/limits.ts'
import { namedSchemas } from './components.ts'

/** A JSON Schema, as far as an example or the reference of the pages is made from it. */
export interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  $ref?: string
}

const ADDRESS = 'bot42@example.com'
const ID = '01M84WWW9H36WCNK6VY98FDKBA'
const TIME = '2026-11-23T19:09:29.643Z'
const LATER = '2026-11-24T19:09:29.643Z'
const PERSON = { name: 'Acme', address: 'hello@shop.example' }
const LINK = 'https://shop.example/confirm?token=5f2c9'
const WEBHOOK = 'wh_5f2c90d14b7a8e63c1f04d92'

/** Values of a kind that no field of another shape has, by shape and field. */
const IN_SHAPES: Record<string, Record<string, unknown>> = {
  Person: PERSON,
  AttachmentSummary: { id: '0' },
  Attachment: { id: '0', url: `/api/emails/${ADDRESS}/${ID}/attachments/0` },
  Header: { name: 'Subject', value: 'Confirm your email address' },
  CodeDetail: { value: '482913', reason: 'Your code is 482913' },
  QuotaAnswer: { limit: 5, remaining: 4 },
  SessionAnswer: { rate_limit: { limit: 600, window_seconds: 60 } },
  VerificationAnswer: { verified: true, mx: 'mx.mayfly.example' },
  InfoAnswer: { base_url: 'https://mail.example.com', version: '0.4.0', mx: 'mx.mayfly.example' },
  Refusal: { code: 550, reply: '5.1.2 This service does not accept mail for that domain' },
  CheckedLink: { status: 200, ms: 84 },
  Problem: {
    type: '/problems/email_not_found',
    title: 'There is no such email',
    status: 404,
    detail: 'This address has no such email. It may have expired.',
    code: 'email_not_found',
  },
  OpenApiAnswer: { openapi: '3.1.0', info: { title: 'Mayfly', version: '0.4.0' }, paths: {} },
  McpRequest: { id: 1, method: 'tools/list', params: {} },
  McpAnswer: { id: 1, result: { tools: [] } },
  McpFailure: { id: null, error: { code: -32_700, message: 'Parse error: Invalid JSON' } },
  WebhookAttempt: { webhook_id: 'msg_01M84WWW9H36WCNK6VY98FDKBA', status: 200, ms: 84 },
}
const WEBHOOK_FIELDS = { id: WEBHOOK, url: 'https://ci.example.com/mail' }
const WEBHOOKS = ['Webhook', 'CreatedWebhookAnswer', 'WebhookAnswer', 'WebhookDeletedAnswer']
for (const name of [...WEBHOOKS, 'AddressWebhook', 'DomainWebhook']) IN_SHAPES[name] = WEBHOOK_FIELDS

/** Values by the name of a field. */
const VALUES: Record<string, unknown> = {
  address: ADDRESS,
  id: ID,
  subject: 'Confirm your email address',
  body_text: 'Your code is 482913',
  body_html: '<p>Your code is <b>482913</b></p>',
  codes: ['482913'],
  links: [LINK],
  redirects: [],
  url: LINK,
  text: 'Confirm',
  filename: 'invoice.pdf',
  content_type: 'application/pdf',
  content_id: null,
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  size: 1874,
  attachment_count: 1,
  message_id: '<01M84@shop.example>',
  mail_from: 'bounce@shop.example',
  raw_url: `/api/emails/${ADDRESS}/${ID}/raw`,
  next_cursor: null,
  since: ID,
  username: 'swiftotter42',
  domain: 'example.com',
  key: 'mf_7Hq2ZkX9vB4nT1cR8mJ5sL0pW3yD6fGa2bK9xQ',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  purpose: 'nightly tests',
  limit: 120,
  remaining: 119,
  window_seconds: 60,
  records: [
    { type: 'MX', name: 'example.com', value: '10 mx.mayfly.example', purpose: 'Receives mail', found: true },
  ],
  host: 'mail.example.com',
  port: 1025,
  retention_hours: 24,
  max_message_bytes: MESSAGE_BYTES,
  method: 'GET',
  target: `/api/emails/${ADDRESS}/wait?has=code`,
  filter: { has: 'code' },
  deleted: 3,
  marked: 3,
  expires_at: LATER,
  resets_at: LATER,
  reasons: [{ filter: 'has', text: 'The email has no code.' }],
  timeout: 20,
  client: '192.0.2.7',
  recipient: 'bot42@unknown.example',
  error: null,
  next_attempt_at: null,
  request_id: '0f8b7c52-6a0e-4f7c-9d55-3d1f0c6b2a10',
  status: 200,
  ms: 84,
}

/** Optional fields that an example does not have, because they exist only in special cases. */
const LEFT_OUT = ['parse_error', 'order', 'error', 'domain', ...FILTER_NAMES]

/** Returns a value that the schema accepts and that reads like a real one. */
export function exampleOf(schema: Schema, name = '', shape = ''): unknown {
  const own = IN_SHAPES[shape]?.[name]
  if (own !== undefined) return own
  if (schema.$ref !== undefined) {
    const target = schema.$ref.split('/').pop()!
    return exampleOf(namedSchemas()[target] as Schema, '', target)
  }
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (name in VALUES && schema.items?.$ref === undefined) return VALUES[name]
  const alternatives = schema.oneOf ?? schema.anyOf
  if (alternatives !== undefined)
    return exampleOf(alternatives.find(({ type }) => type !== 'null')!, name, shape)
  if (schema.properties !== undefined) return membersOf(schema, shape)
  if (schema.items !== undefined) return [exampleOf(schema.items)]
  if (name.endsWith('_at') || ['at', 'date', 'time'].includes(name)) return TIME
  const { type, minimum = 3 } = schema
  if (type === 'boolean') return false
  if (type === 'object') return {}
  return type === 'integer' || type === 'number' ? minimum : 'text'
}

function membersOf({ properties = {}, required = [] }: Schema, shape: string): object {
  const names = Object.keys(properties).filter((name) => required.includes(name) || !LEFT_OUT.includes(name))
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name]!, name, shape)]))
}
