/** Runs every five minutes: asks about each pending domain, and about each other one once a day. */
import { readSettings } from '../adapters/aws/settings.ts'
import { dueIn } from '../core/access/due.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../core/limits.ts'
import { joinVerifier, OPTIONAL_SETTINGS, parsed, SERVICE_SETTINGS } from '../service/aws.ts'
import { log } from '../service/aws-log.ts'
import { openStore } from '../service/aws-store.ts'

const PERIOD_MS = 5 * MINUTE_MS
const RUNS_A_DAY = DAY_MS / PERIOD_MS
/** DNS that does not answer, and SES with its one call a second, can take so long for a domain. */
const LEAST_LEFT_MS = 30 * SECOND_MS

const settings = readSettings(process.env, SERVICE_SETTINGS, OPTIONAL_SETTINGS)
const store = openStore({ ...settings, configured: parsed(settings).configured })
const verifier = joinVerifier(settings, store)

export async function handler(
  _event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<void> {
  const run = Math.floor(Date.now() / PERIOD_MS) % RUNS_A_DAY
  const domains = await store.domains.list()
  const due = dueIn(run, RUNS_A_DAY, domains)
  for (const [i, { name, status }] of due.entries()) {
    if (context.getRemainingTimeInMillis() < LEAST_LEFT_MS) {
      log('warn', 'no time was left for some domains', { domains: due.length - i })
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
