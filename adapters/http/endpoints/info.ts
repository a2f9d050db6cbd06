import { HOUR_MS } from '../../../core/limits.ts'
import { answers, json } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { InfoAnswer } from '../wire/info.ts'

export const info = endpoint({
  method: 'GET',
  path: '/api/info',
  name: 'info',
  tag: 'Service',
  description:
    'Returns the version, the addresses of the listeners, the limits, and what this caller may use.',
  summary: 'The addresses and limits of this service',
  access: 'public',
  answers: answers('The service', InfoAnswer),
  handle: ({ service: { info, linkChecker, apiKeyService }, head }) =>
    json({
      success: true,
      version: info.version,
      base_url: info.baseUrl ?? head.origin,
      smtp: info.smtp,
      mx: info.mxHost,
      retention_hours: info.retentionMs / HOUR_MS,
      max_message_bytes: info.maxMessageBytes,
      link_check: linkChecker.isForEveryone || apiKeyService.isOperatorKey(head.header('X-API-Key') ?? ''),
      all_mail: info.hasAllMail,
    }),
})
