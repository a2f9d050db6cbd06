import type * as v from 'valibot'
import type { DomainService } from '../../../core/access/domain-service.ts'
import type { Domain } from '../../../core/access/ports.ts'
import { domainPart, parseDomain } from '../../../core/address.ts'
import { Problem } from '../../../core/errors.ts'
import type { WebhookTarget } from '../../../core/events/webhooks/ports.ts'
import { WEBHOOKS_PER_KEY } from '../../../core/limits.ts'
import { answers, json } from '../answer.ts'
import { readBody } from '../body.ts'
import { endpoint } from '../endpoint.ts'
import {
  attemptOf,
  CreatedWebhookAnswer,
  NewWebhookBody,
  WebhookAnswer,
  WebhookDeletedAnswer,
  WebhookDeliveriesAnswer,
  WebhookMembers,
  WebhooksAnswer,
  WebhookTestAnswer,
  webhookOf,
} from '../wire/webhooks.ts'

export const newWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks',
  name: 'newWebhook',
  tag: 'Webhooks',
  description:
    'Creates a webhook for an address or for a whole domain, optionally with filters. It is `pending` until its URL answers a signed `ping` with 2xx. Deliveries follow Standard Webhooks and are signed with `secret`, which only this answer shows.',
  summary: 'Sends each new email of an address or a domain to a URL; the answer alone shows the secret',
  access: 'api key',
  domainKey: true,
  body: NewWebhookBody,
  answers: { 201: { description: 'The webhook', schema: CreatedWebhookAnswer } },
  problems: [
    'invalid_webhook_url',
    'invalid_address',
    'invalid_domain',
    'domain_not_found',
    'domain_key_missing',
    'domain_key_invalid',
    'webhook_quota_exceeded',
  ],
  handle: async ({ service, head, key }) => {
    const { url, address, domain, ...filter } = await readBody(head, WebhookMembers)
    const target = await targetOf(service.domainService, address, domain)
    const name = 'domain' in target ? target.domain : domainPart(target.address)
    const domainKey = head.header('X-Domain-Key')
    const opened = await service.domainService.open(name, domainKey, head.client)
    const isOperator = service.apiKeyService.isOperator(key)
    if ('domain' in target && !isOperator) refusePublic(opened, domainKey)
    const limit = isOperator ? Number.MAX_SAFE_INTEGER : WEBHOOKS_PER_KEY
    const webhook = await service.webhooks.create(key, opened, { url, target, filter }, limit)
    return json({ success: true, ...webhookOf(webhook), secret: webhook.secret }, 201)
  },
})

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/api/webhooks',
  name: 'listWebhooks',
  tag: 'Webhooks',
  description: 'Returns the webhooks of the API key, oldest first, without their secrets.',
  summary: 'The webhooks of the API key that is sent',
  access: 'api key',
  answers: answers('Oldest first, without their secrets', WebhooksAnswer),
  handle: async ({ service, key }) =>
    json({ success: true, webhooks: (await service.webhooks.list(key)).map(webhookOf) }),
})

export const getWebhook = endpoint({
  method: 'GET',
  path: '/api/webhooks/:id',
  name: 'getWebhook',
  tag: 'Webhooks',
  description:
    'Returns one webhook of the API key, without its secret. `status` is `live` once a ping was answered.',
  summary: 'One webhook',
  access: 'api key',
  answers: answers('Without its secret', WebhookAnswer),
  problems: ['webhook_not_found'],
  handle: async ({ service, key, param }) =>
    json({ success: true, ...webhookOf(await service.webhooks.find(key, param('id'))) }),
})

export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/api/webhooks/:id',
  name: 'deleteWebhook',
  tag: 'Webhooks',
  description: 'Removes the webhook. Deliveries that are still waiting are dropped.',
  summary: 'Removes a webhook; deliveries that wait are dropped',
  access: 'api key',
  answers: answers('It is gone', WebhookDeletedAnswer),
  problems: ['webhook_not_found'],
  handle: async ({ service, key, param }) => {
    await service.webhooks.remove(key, param('id'))
    return json({ success: true, id: param('id') })
  },
})

export const testWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks/:id/test',
  name: 'testWebhook',
  tag: 'Webhooks',
  description:
    'Sends one signed `ping` now, without retries, and returns the result. An answer of 2xx makes a pending webhook live.',
  summary: 'Sends a signed `ping` to the webhook’s URL, once',
  access: 'api key',
  answers: answers('The result; 2xx makes a pending webhook live', WebhookTestAnswer),
  problems: ['webhook_not_found'],
  handle: async ({ service, key, param }) =>
    json({ success: true, delivery: attemptOf(await service.webhooks.test(key, param('id'))) }),
})

export const webhookDeliveries = endpoint({
  method: 'GET',
  path: '/api/webhooks/:id/deliveries',
  name: 'webhookDeliveries',
  tag: 'Webhooks',
  description:
    'Returns the last 100 attempts to deliver to the webhook, newest first, with the status or error of each and the time of the next attempt.',
  summary: 'The last 100 attempts of a webhook',
  access: 'api key',
  answers: answers('Newest first', WebhookDeliveriesAnswer),
  problems: ['webhook_not_found'],
  handle: async ({ service, key, param }) =>
    json({ success: true, deliveries: (await service.webhooks.attempts(key, param('id'))).map(attemptOf) }),
})

/**
 * Anyone can have an API key, and the addresses of a public domain are its secret: a self-issued
 * key must not receive the mail of all of them.
 * @throws Problem `domain_key_missing`, `domain_key_invalid`
 */
function refusePublic({ keyHash }: Domain, domainKey: string | undefined): void {
  if (keyHash !== null) return
  const detail = 'All mail of a public domain is sent to its operator only. Name one address instead.'
  throw new Problem(domainKey ? 'domain_key_invalid' : 'domain_key_missing', detail)
}

type Body = v.InferOutput<typeof WebhookMembers>

/** @throws Problem `invalid_body`, `invalid_address`, `invalid_domain` */
async function targetOf(
  domains: DomainService,
  address: Body['address'],
  domain: Body['domain'],
): Promise<WebhookTarget> {
  if (address !== undefined && domain === undefined)
    return { address: (await domains.address(address)).address }
  if (domain !== undefined && address === undefined) return { domain: parseDomain(domain) }
  throw new Problem('invalid_body', 'Name either an "address" or a "domain".')
}
