/**
 * The stream service, on Fargate or as a web function: streams, waits and MCP, behind CloudFront.
 */
import { log } from '../service/aws-log.ts'
import { startSseService } from './service.ts'

/** Less than the stop time-out of the task (lib/live/sse-service.ts), after which SIGKILL follows. */
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
