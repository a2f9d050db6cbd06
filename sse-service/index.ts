/** The stream service on Fargate: the live endpoints, for requests that come through CloudFront. */

import { log } from '../service/aws-log.ts'
import { startSseService } from './service.ts'

/** Less than the stop time-out of the task (lib/sse-service.ts), which ends in SIGKILL. */
const STOP_GRACE_MS = 40_000

try {
  const service = await startSseService(process.env)
  log('info', 'ready', { port: service.port })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, async () => {
      log('info', 'stopping', { signal })
      await service.stop(STOP_GRACE_MS)
      process.exit(0)
    })
  }
} catch (error) {
  log('error', 'the stream service did not start', { error })
  process.exit(1)
}
