import { Problem } from '../../../core/errors.ts'
import { endpointsOf } from '../endpoint.ts'
import type { Service } from '../service.ts'

/** A host that counts what it does. */
export interface MetricsService extends Service {
  metrics: { scrape(): Promise<{ text: string; contentType: string }> }
}

/** Elsewhere than on loopback for the operator only: numbers tell strangers what others do. */
export const metrics = endpointsOf<MetricsService>()({
  method: 'GET',
  path: '/metrics',
  name: 'metrics',
  tag: 'Service',
  description:
    'Returns counters of received and refused mail, stored bytes, streams, waits, and requests by status, as OpenMetrics text.',
  summary:
    'Counters of mail, streams and requests, for a monitor; elsewhere than on loopback for the operator',
  access: 'public',
  answers: {
    200: {
      description: 'OpenMetrics text',
      types: ['application/openmetrics-text'],
      example: '# TYPE mayfly_mails_received counter\n# EOF\n',
    },
  },
  problems: ['api_key_missing', 'operator_key_required'],
  handle: async ({ service, head }) => {
    const key = head.header('X-API-Key')
    if (!service.isForThisMachine && key === undefined)
      throw new Problem('api_key_missing', 'This needs an operator’s key.', {
        adviceOf: 'operator_key_required',
      })
    if (!service.isForThisMachine && !service.apiKeyService.isOperatorKey(key ?? '')) {
      throw new Problem('operator_key_required', 'Only the operator reads metrics.')
    }
    const { text, contentType } = await service.metrics.scrape()
    return new Response(text, { headers: { 'Content-Type': contentType } })
  },
})
