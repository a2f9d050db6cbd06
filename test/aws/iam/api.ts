import { unique } from '../../contract/sample.ts'
import { edgeEvent } from '../../support/edge-request.ts'
import type { InvokeOptions, RunningFunction } from './running.ts'
import { DOMAIN, DOMAIN_KEY, PRIVATE_DOMAIN, type World } from './world.ts'

/** Larger than an answer of a function may be, so that the answer becomes an object. */
const LARGE_BYTES = 7_000_000

// biome-ignore lint/suspicious/noExplicitAny: answers have any shape
type Json = any

/** Calls an HTTP function as CloudFront and the HTTP API do. */
export async function callThroughEdge(
  api: RunningFunction,
  [method, path]: [string, string],
  headers: Record<string, string> = {},
  sent?: object,
  options?: InvokeOptions,
): Promise<Json> {
  const event = edgeEvent({ method, path, headers, sent })
  const { statusCode, body, headers: answered } = await api.invoke(event, options)
  const text = Buffer.from(body, 'base64').toString()
  if (statusCode >= 400) throw new Error(`${method} ${path}: ${statusCode} ${text}`)
  // A client follows the link with the permissions of the function that signed it.
  if (statusCode === 302) return fetch(answered.location).then((response) => response.arrayBuffer())
  return answered['content-type'].startsWith('application/json') ? JSON.parse(text) : text
}

/** Asks every endpoint of the REST function that reads or writes the store. */
export async function useApi(api: RunningFunction, world: World): Promise<void> {
  const address = `api-${unique()}@${DOMAIN}`
  const { key } = await callThroughEdge(api, ['POST', '/api/keys'])
  const own = { 'X-API-Key': key }
  const call = (method: string, path: string, sent?: object) =>
    callThroughEdge(api, [method, path], own, sent)
  await readMail(call, world, address)
  await useWebhooks(call, address)
  const inOwn = { ...own, 'X-Domain-Key': DOMAIN_KEY }
  const private_ = `api-${unique()}@${PRIVATE_DOMAIN}`
  await callThroughEdge(api, ['GET', `/api/emails/${private_}`], inOwn)
  // A key that another caller uses at the same time; a wrong key is counted.
  await callThroughEdge(api, ['GET', `/api/emails/${private_}`], {
    ...own,
    'X-Domain-Key': 'wrong',
  }).catch(() => {})
  for (const path of ['/api/keys', '/api/keys/current', '/api/domains', '/api/health'])
    await call('GET', path)
  await call('DELETE', '/api/keys/current')
}

type Call = (method: string, path: string, sent?: object) => Promise<Json>

async function readMail(call: Call, world: World, address: string): Promise<void> {
  await world.deliver(address, 'x')
  await world.deliver(address, 'with an attachment', { attachment: 'attached' })
  await world.deliver(address, 'large', { text: 'x'.repeat(LARGE_BYTES) })
  const { emails } = await call('GET', `/api/emails/${address}`)
  for (const { id, attachment_count } of emails) {
    await call('GET', `/api/emails/${address}/${id}`)
    await call('GET', `/api/emails/${address}/${id}/raw`)
    if (attachment_count > 0) await call('GET', `/api/emails/${address}/${id}/attachments/0`)
  }
  await call('GET', `/api/public/emails/${address}`)
  await call('GET', `/api/emails/${address}/latest`)
  await call('POST', `/api/emails/${address}/read`)
  await call('DELETE', `/api/emails/${address}/${emails[0].id}`)
  await call('DELETE', `/api/emails/${address}`)
}

async function useWebhooks(call: Call, address: string): Promise<void> {
  const { id } = await call('POST', '/api/webhooks', { url: 'https://hooks.example/', address })
  await call('GET', '/api/webhooks')
  await call('GET', `/api/webhooks/${id}`)
  await call('GET', `/api/webhooks/${id}/deliveries`)
  await call('POST', `/api/webhooks/${id}/test`)
  await call('DELETE', `/api/webhooks/${id}`)
}
