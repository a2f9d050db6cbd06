import { ConfigError } from '../core/errors.ts'
import { keyFilePath } from '../packages/client/src/key-file.ts'
import { readConfig } from './config.ts'
import { finishStart } from './finish-start.ts'
import { createLogger } from './log.ts'
import { publishOperatorKey } from './operator-key.ts'
import { startLocalService } from './service.ts'
import { startFailure } from './start-failure.ts'

/** sysexits.h: EX_CONFIG. */
const EXIT_CONFIG = 78

/** Runs the service in this process until a signal; the exit code says why when it cannot start. */
export async function runLocalService(env: Record<string, string | undefined>): Promise<void> {
  try {
    const config = readConfig(env)
    const log = await createLogger(config.logLevel)
    const service = await startLocalService(config, log, (error) => {
      log.fatal(error, 'the store failed')
      process.exit(1)
    })
    const unpublish = await publishOperatorKey(config, service, keyFilePath(env), log)
    // Once, also for Ctrl-C and a SIGTERM behind it: calls of a second stop would find the store closed.
    let stopping: Promise<unknown> | undefined
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, async () => {
        log.info({ signal }, 'stopping')
        stopping ??= Promise.all([service.stop(), unpublish()])
        await stopping
        process.exit(0)
      })
    }
    finishStart()
    console.log(`mayfly ready http=${service.http} smtp=${service.smtp}`)
    const [http, smtp] = [service.http, service.smtp].map(openable)
    const [first] = config.domains
    const shown = config.domains.find(({ key }) => key === null) ?? first
    greet(config.baseUrl ?? http, smtp, shown?.name)
  } catch (error) {
    if (error instanceof ConfigError) {
      console.error(error.message)
      process.exit(EXIT_CONFIG)
    }
    console.error((await startFailure(error)) ?? error)
    process.exit(1)
  }
}

/** An address that a client on this machine can open, for one that means every interface. */
function openable(address: string): string {
  return address.replace('0.0.0.0', 'localhost').replace('[::]', 'localhost')
}

/** First steps for a newcomer, on standard error, because standard output is for programs. */
function greet(http = '', smtp = '', domain = 'example.com'): void {
  console.error(`
  In a browser:     ${http}/
  Read a mailbox:   curl ${http}/api/public/emails/hello@${domain}
  Watch it live:    curl -N ${http}/api/sse/hello@${domain}
  Send it a mail:   printf 'Subject: Hi\\r\\n\\r\\nYour code is 739105\\r\\n' | curl smtp://${smtp} \\
                      --mail-from me@example.org --mail-rcpt hello@${domain} -T -
  All endpoints:    ${http}/docs
`)
}
