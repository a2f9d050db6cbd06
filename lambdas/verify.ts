/** Runs every five minutes: verifies each pending domain, and each other domain once a day. */
import { readSettings } from '../adapters/aws/settings.ts'
import { dueIn } from '../core/access/due.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../core/limits.ts'
import { assembleVerifier } from '../service/assemble.ts'
import { OPTIONAL_SETTINGS, SERVICE_SETTINGS, verifierSettings } from '../service/aws.ts'
import { log } from '../service/aws-log.ts'
import { openMailProvider, openStore } from '../service/aws-store.ts'

const PERIOD_MS = 5 * MINUTE_MS
const RUNS_PER_DAY = DAY_MS / PERIOD_MS
/** One domain can take this long if DNS does not answer and SES throttles its one call a second. */
const MIN_REMAINING_MS = 30 * SECOND_MS

const settings = readSettings(process.env, SERVICE_SETTINGS, OPTIONAL_SETTINGS)
const store = openStore(settings)
const verifier = assembleVerifier(store, verifierSettings(settings, openMailProvider(store, settings)))

export async function handler(
  _event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<void> {
  const run = Math.floor(Date.now() / PERIOD_MS) % RUNS_PER_DAY
  const due = dueIn(run, RUNS_PER_DAY, await store.domains.list())
  for (const [i, { name, status }] of due.entries()) {
    if (context.getRemainingTimeInMillis() < MIN_REMAINING_MS) {
      log('warn', 'the time ran out before all domains were verified', { domains: due.length - i })
      return
    }
    try {
      const { status: now } = await verifier.verify(name, undefined)
      if (now !== status) log('info', 'domain', { name, was: status, is: now })
    } catch (error) {
      log('warn', 'the domain was not verified', { name, error })
    }
  }
}
