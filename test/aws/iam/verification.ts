import { ENV } from '../../../adapters/aws/env.ts'
import { dueIn } from '../../../core/access/due.ts'
import { DAY_MS } from '../../../core/limits.ts'
import { unique } from '../../contract/sample.ts'
import { callThroughEdge } from './api.ts'
import type { InvokeOptions, Running, RunningFunction } from './running.ts'
import { PRIVATE_DOMAIN } from './world.ts'

/** Longer than a domain stays private after its key was seen to be missing (core/access/registration.ts). */
const LATER_MS = DAY_MS
/** As in lambdas/verify.ts. */
const PERIOD_MS = 5 * 60_000
const RUNS_PER_DAY = DAY_MS / PERIOD_MS

/** Registers a domain by the endpoint, makes a private one public, and ends both registrations. */
export async function verifyEndpoint(endpoint: RunningFunction, given: Running): Promise<void> {
  await throughItsLife(given, (name, options) =>
    callThroughEdge(endpoint, ['GET', `/api/domain/verify/${name}`], {}, undefined, options),
  )
}

/** The same for the schedule, which registers nothing. */
export async function verifyDomains(verify: RunningFunction, given: Running): Promise<void> {
  await throughItsLife(given, (name, { aheadMs = 0 }) =>
    verify.invoke({}, { aheadMs: whenDue(name, aheadMs) }),
  )
}

/** The time of the run, from this time on, in which the schedule verifies a verified domain. */
function whenDue(name: string, aheadMs: number): number {
  for (let run = 0; run < RUNS_PER_DAY; run++) {
    const ahead = aheadMs + run * PERIOD_MS
    const slot = Math.floor((Date.now() + ahead) / PERIOD_MS) % RUNS_PER_DAY
    if (dueIn(slot, RUNS_PER_DAY, [{ name, status: 'verified' }]).length > 0) return ahead
  }
  throw new Error(`${name} is never due`)
}

async function throughItsLife(
  { world, env }: Running,
  verify: (name: string, options: InvokeOptions) => Promise<unknown>,
): Promise<void> {
  const names = [`d${unique()}.example`, `d${unique()}.example`] as const
  for (const name of names) world.dns.set('MX', name, [`10 ${env[ENV.mxHost]}`])
  // It has no key in DNS any more, so it becomes public, and its mail is removed.
  await world.addPrivate(names[1], true)
  for (const aheadMs of [LATER_MS, 2 * LATER_MS, 3 * LATER_MS])
    for (const name of names) await verify(name, { aheadMs })
  // A configured domain, the only kind in a rule set of others.
  world.dns.set('MX', PRIVATE_DOMAIN, [`10 ${env[ENV.mxHost]}`])
  await verify(PRIVATE_DOMAIN, { aheadMs: LATER_MS })
  for (const name of names) world.dns.set('MX', name, [])
  for (const name of names) await verify(name, { aheadMs: 4 * LATER_MS })
}
