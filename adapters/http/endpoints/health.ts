import { Problem } from '../../../core/errors.ts'
import { answers, json } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { HealthAnswer } from '../wire/access.ts'

export const health = endpoint({
  method: 'GET',
  path: '/api/health',
  name: 'health',
  tag: 'Service',
  description: 'Answers 200 if the store answers, otherwise 503. For load balancers and start scripts.',
  summary: 'Whether the service and its store answer',
  access: 'public',
  answers: answers('They do', HealthAnswer),
  problems: ['unavailable'],
  handle: async ({ service }) => {
    await service.check().catch((cause: unknown) => {
      // The store's own message names the reason, for example that it is full.
      if (cause instanceof Problem) throw cause
      throw new Problem('unavailable', 'The store does not answer. Try again shortly.', {
        retryAfter: 5,
        cause,
      })
    })
    return json({ success: true, status: 'ok' })
  },
})
