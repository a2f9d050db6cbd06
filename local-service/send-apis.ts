import type { IncomingMessage } from 'node:http'
import type { NodeBindings } from '../adapters/http/head.ts'
import { isSendPath } from '../adapters/send-apis/paths.ts'
import type { SendApis } from '../adapters/send-apis/send-apis.ts'
import { domainsOf } from '../service/sqlite.ts'
import type { Config } from './config.ts'
import type { Ingest } from './ingest.ts'
import type { Logger } from './log.ts'

export interface SendApiParts {
  config: Config
  ingest: Ingest
  log: Logger
  clientAddress: (incoming: IncomingMessage) => string
}

/** Answers a request, or returns undefined for one that is not to a send API. */
export type SendApiRequests = (request: Request, env: unknown) => Promise<Response> | undefined

/**
 * The handler of requests to the send APIs (contract: Send APIs), undefined for a request that is
 * not one. The adapter is loaded by the first request, because most services never need it.
 */
export function sendApiRequests(parts: SendApiParts): SendApiRequests {
  if (!parts.config.sendApis) return () => undefined
  let loading: Promise<SendApis> | undefined
  return (request, env) => {
    if (!isSendPath(new URL(request.url).pathname) || isFromBrowser(request)) return undefined
    const { incoming } = env as NodeBindings
    loading ??= load(parts)
    return loading.then((handle) =>
      handle({
        request,
        body: incoming,
        client: parts.clientAddress(incoming),
        drop: () => incoming.socket.destroy(),
      }),
    )
  }
}

/** Pages of other origins could otherwise fill mailboxes: SDKs of providers run on servers. */
function isFromBrowser({ headers }: Request): boolean {
  return headers.has('Origin') || headers.has('Sec-Fetch-Site')
}

async function load({ config, ingest, log }: SendApiParts): Promise<SendApis> {
  const { createSendApis } = await import('../adapters/send-apis/send-apis.ts')
  const { store } = ingest
  return createSendApis({
    domains: domainsOf(store, config.catchAll),
    templates: store.templates,
    clock: store.clock,
    faults: config.smtpFaults,
    maxMessageBytes: config.maxMessageBytes,
    deliver: (envelope, raw, client) => ingest.deliver(envelope, raw, client),
    answered({ error, ms, ...record }) {
      const fields = { ...record, ms: Math.round(ms * 10) / 10 }
      if (error !== undefined) log.error({ ...fields, err: error }, 'send request')
      else log.debug(fields, 'send request')
    },
  })
}
