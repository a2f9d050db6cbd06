import {
  createSendApis,
  type SendApiOptions,
  type SendRecord,
} from '../../../adapters/send-apis/send-apis.ts'
import type { Domain } from '../../../core/access/ports.ts'
import type { NewEnvelope } from '../../../core/inbox/receive.ts'
import type { RefusedMail } from '../../../core/inbox/refusals.ts'
import type { EmailTemplates, StoredTemplate } from '../../../core/inbox/templates.ts'

export const NOW = Date.UTC(2026, 10, 21)
export const CLIENT = '192.0.2.1'

export interface Sent {
  envelope: NewEnvelope
  raw: string
  client: string
}

export interface Answered {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
  json: any
}

/** The send APIs on a service that accepts all mail to mayfly.test, and the mails that it got. */
export function sendApis(options: Partial<SendApiOptions> = {}) {
  const sent: Sent[] = []
  const records: SendRecord[] = []
  const refusals: RefusedMail[] = []
  const dropped: string[] = []
  const handle = createSendApis({
    domains: {
      find: async (name) => (name === 'mayfly.test' ? ({ name, visibleAfter: 'now' } as Domain) : undefined),
    },
    deliver: async (envelope, raw, client) => {
      sent.push({ envelope, raw: Buffer.from(raw).toString(), client })
      return envelope.recipients
    },
    faults: true,
    maxMessageBytes: 1_000_000,
    templates: templatesInMemory(),
    clock: () => NOW,
    answered: (record) => records.push(record),
    refused: (refusal) => refusals.push(refusal),
    ...options,
  })
  const call = async (
    method: string,
    path: string,
    body?: object | string | FormData | URLSearchParams,
  ): Promise<Answered> => {
    const isObject = body !== undefined && body.constructor === Object
    const init = { method, ...(body !== undefined && { body: isObject ? JSON.stringify(body) : body }) }
    const request = new Request(`http://127.0.0.1${path}`, init as RequestInit)
    const bytes = new Uint8Array(await request.clone().arrayBuffer())
    const answer = await handle({
      request,
      body: bytes,
      client: CLIENT,
      owner: '',
      drop: () => dropped.push(path),
    })
    const text = await answer.text()
    const json = answer.headers.get('Content-Type')?.includes('json') ? JSON.parse(text) : undefined
    return { status: answer.status, headers: answer.headers, text, json }
  }
  return { call, sent, records, refusals, dropped }
}

function templatesInMemory(): EmailTemplates {
  const all = new Map<string, StoredTemplate>()
  const key = (provider: string, name: string) => `${provider} ${name}`
  return {
    async create(provider, template) {
      if (all.has(key(provider, template.name))) return 'exists'
      if (template.name === 'full') return 'full'
      all.set(key(provider, template.name), template)
      return 'saved'
    },
    async replace(provider, name, content) {
      const known = all.get(key(provider, name))
      if (known === undefined) return 'missing'
      all.set(key(provider, name), { ...known, content })
      return 'saved'
    },
    find: async (provider, name) => all.get(key(provider, name)),
    list: async (provider, after, limit) =>
      [...all]
        .filter(([id, { name }]) => id === key(provider, name) && name > after)
        .map(([, template]) => template)
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .slice(0, limit),
    remove: async (provider, name) => all.delete(key(provider, name)),
  }
}

/** The value of a header field of a raw message. */
export function fieldOf({ raw }: Sent, name: string): string | undefined {
  const head = raw.split('\r\n\r\n')[0]!.replace(/\r\n[ \t]+/g, ' ')
  const line = head.split('\r\n').find((field) => field.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  return line?.slice(name.length + 1).trim()
}
