/**
 * A thread that answers the requests to the send APIs: parsing a large body, rendering templates
 * and building a message take seconds, which the thread that serves HTTP does not have.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { createSendApis, type SendRecord } from '../adapters/send-apis/send-apis.ts'
import { SendError, type SendErrorKind } from '../adapters/send-apis/send-error.ts'
import { Caller, serve } from '../adapters/sqlite/calls.ts'
import type { Domain } from '../core/access/ports.ts'
import type { EmailTemplates } from '../core/inbox/templates.ts'

export interface SendThreadData {
  faults: boolean
  maxMessageBytes: number
}

/** A request as it crosses threads, besides its body. */
export interface SentRequest {
  url: string
  method: string
  headers: [name: string, value: string][]
  client: string
  /** See SendRequest. */
  owner: string
  /** Why the body could not be read. */
  refused?: { kind: SendErrorKind; message: string } | undefined
}

export interface SendAnswer {
  status: number
  headers: [name: string, value: string][]
  body: string
  /** Whether the connection ends without an answer. */
  isDropped: boolean
}

/** What the thread sends besides answers and calls. */
export interface SendThreadMessage {
  record?: SendRecord
}

const main = parentPort!
const { faults, maxMessageBytes } = workerData as SendThreadData
const caller = new Caller(main)
const handle = createSendApis({
  domains: { find: (name) => caller.call('findDomain', [name]) as Promise<Domain | undefined> },
  templates: templatesOver(caller),
  clock: Date.now,
  faults,
  maxMessageBytes,
  deliver: (envelope, raw, client) => caller.call('deliver', [envelope, raw, client]) as Promise<string[]>,
  refused: (refusal) => void caller.call('refused', [refusal]).catch(() => {}),
  answered: (record) => main.postMessage({ record } satisfies SendThreadMessage),
})
serve(main, (_name, [request, body]) => answer(request as SentRequest, body as Uint8Array))

async function answer(sent: SentRequest, bytes: Uint8Array): Promise<SendAnswer> {
  const { url, client, owner, refused, method, headers } = sent
  const body = refused === undefined ? bytes : new SendError(refused.kind, refused.message)
  let isDropped = false
  const drop = () => {
    isDropped = true
  }
  const answered = await handle({ request: new Request(url, { method, headers }), body, client, owner, drop })
  return {
    status: answered.status,
    headers: [...answered.headers],
    body: await answered.text(),
    isDropped,
  }
}

function templatesOver(caller: Caller): EmailTemplates {
  const call = (name: keyof EmailTemplates, ...args: unknown[]) => caller.call(name, args) as Promise<never>
  return {
    create: (...args) => call('create', ...args),
    replace: (...args) => call('replace', ...args),
    find: (...args) => call('find', ...args),
    list: (...args) => call('list', ...args),
    remove: (...args) => call('remove', ...args),
  }
}
