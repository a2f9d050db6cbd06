/** The SMTP service on Fargate: mail in by port 25, for deployments with "smtp" in `inbound`. */
import { log } from '../service/aws-log.ts'
import { startSmtpService } from './service.ts'

/** Less than the stop time-out of the task (lib/mail-in/smtp-service.ts), after which SIGKILL follows. */
const STOP_GRACE_MS = 100_000

try {
  const listener = await startSmtpService(process.env)
  log('info', 'ready', { port: listener.port })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, async () => {
      log('info', 'stopping', { signal })
      await listener.stop(STOP_GRACE_MS)
      process.exit(0)
    })
  }
} catch (error) {
  log('error', 'the SMTP service did not start', { error })
  process.exit(1)
}
