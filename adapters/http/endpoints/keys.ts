import {
  API_KEY_REQUESTS_PER_MINUTE,
  API_KEYS_PER_CLIENT_PER_DAY,
  MINUTE_MS,
  SECOND_MS,
} from '../../../core/limits.ts'
import { answers, json } from '../answer.ts'
import { readBody } from '../body.ts'
import { endpoint } from '../endpoint.ts'
import { methodNotAllowed } from '../problem.ts'
import { CreatedKeyAnswer, DoneAnswer, KeyAnswer, keyOf, QuotaAnswer } from '../wire/access.ts'
import { NewKeyBody } from '../wire/requests.ts'

export const keyQuota = endpoint({
  method: 'GET',
  path: '/api/keys',
  name: 'keyQuota',
  tag: 'API keys',
  description: 'Returns how many keys a client address may create in 24 hours, and how many it has left.',
  summary: 'How many more API keys this client can get today',
  access: 'public',
  answers: answers('The quota', QuotaAnswer),
  handle: async ({ service, head }) => {
    const { remaining, resetsAt } = await service.apiKeyService.quota(head.client)
    return json({
      success: true,
      limit: API_KEYS_PER_CLIENT_PER_DAY,
      remaining,
      resets_at: new Date(resetsAt).toISOString(),
    })
  },
})

export const newKey = endpoint({
  method: 'POST',
  path: '/api/keys',
  name: 'newKey',
  tag: 'API keys',
  description:
    'Creates an API key for 30 days with 120 requests a minute. Only this answer shows it. The body may be empty; `purpose` is a note for yourself.',
  summary: 'A new API key, which only this answer shows',
  access: 'public',
  body: NewKeyBody,
  answers: { 201: { description: 'The key', schema: CreatedKeyAnswer } },
  problems: ['key_quota_exceeded'],
  handle: async ({ service, head }) => {
    const { purpose } = await readBody(head, NewKeyBody)
    const { key, record, remaining } = await service.apiKeyService.issue(head.client, purpose)
    const answer = {
      success: true,
      key,
      ...keyOf(record),
      rate_limit: { limit: API_KEY_REQUESTS_PER_MINUTE, window_seconds: MINUTE_MS / SECOND_MS },
      remaining,
    }
    return json(answer, 201)
  },
})

export const currentKey = endpoint({
  method: 'GET',
  path: '/api/keys/current',
  name: 'currentKey',
  tag: 'API keys',
  description: 'Returns the purpose and the expiry of the API key that is sent.',
  summary: 'The properties of the API key that is sent',
  access: 'api key',
  answers: answers('The key', KeyAnswer),
  handle: ({ key }) => json({ success: true, ...keyOf(key) }),
})

export const revokeKey = endpoint({
  method: 'DELETE',
  path: '/api/keys/current',
  name: 'revokeKey',
  tag: 'API keys',
  description:
    "Ends the API key at once, and its webhooks with it. An operator's key is part of the configuration and cannot be revoked here.",
  summary: 'Revokes the API key that is sent',
  access: 'api key',
  answers: answers('The key is no longer valid', DoneAnswer),
  problems: ['method_not_allowed'],
  handle: async ({ service, key, head }) => {
    if (await service.apiKeyService.revoke(key)) return json({ success: true })
    const advice = "An operator's key is part of the configuration. Remove it there."
    return methodNotAllowed(['GET', 'HEAD'], advice, head.requestId)
  },
})
