import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { ByTurns } from '../../adapters/http/by-turns.ts'
import { SqliteLimits } from '../../adapters/sqlite/limits.ts'
import { REPLAY_BATCH, WRONG_DOMAIN_KEYS_PER_MINUTE } from '../../core/limits.ts'
import { FIRST_ID } from '../contract/sample.ts'
import { openStream } from '../support/event-source.ts'
import { freshAddress } from '../support/mail.ts'
import type { RunningService } from '../support/service.ts'
import { startService } from '../support/service-in-process.ts'
import { SmtpClient } from '../support/smtp-client.ts'

/**
 * In this process: what cannot be seen from outside but under an attack
 * (../hostile/attacks.siege.ts).
 */
let service: RunningService

beforeEach(async () => {
  service = await startService({ MAYFLY_DOMAINS: 'mayfly.test,private.test=the-key' })
})
afterEach(async () => {
  jest.restoreAllMocks()
  await service.stop()
})

test('a replay takes turns with requests, between its pieces', async () => {
  const address = freshAddress()
  const client = await SmtpClient.open(service.smtp)
  const count = 2 * REPLAY_BATCH + 1
  for (let n = 0; n < count; n++) await client.send('s@example.org', [address], `Subject: ${n}\r\n\r\nx`)
  client.close()
  const next = jest.spyOn(ByTurns.prototype, 'next')
  const stream = await openStream(`${service.http}/api/sse/${address}?last_event_id=${FIRST_ID}`)
  await stream.until(count)
  stream.close()
  expect(next.mock.calls.length).toBeGreaterThanOrEqual(2)
})

test('domain keys that are guessed at inboxes and at streams count together', async () => {
  const { take } = SqliteLimits.prototype
  const slow = jest.spyOn(SqliteLimits.prototype, 'take').mockImplementation(async function (
    this: SqliteLimits,
    ...use
  ) {
    // A disk that takes its time, so that all are compared before one is written down.
    await sleep(500)
    return take.apply(this, use)
  })
  const guess = async (n: number) => {
    const path = n % 2 === 0 ? '/api/public/emails' : '/api/sse'
    return (await fetch(`${service.http}${path}/a@private.test?key=wrong`)).status
  }
  const statuses = await Promise.all(
    Array.from({ length: 2 * WRONG_DOMAIN_KEYS_PER_MINUTE }, (_, n) => guess(n)),
  )
  expect(statuses.filter((status) => status === 403)).toHaveLength(WRONG_DOMAIN_KEYS_PER_MINUTE)
  expect(statuses.filter((status) => status === 429)).toHaveLength(WRONG_DOMAIN_KEYS_PER_MINUTE)
  expect(slow).toHaveBeenCalledTimes(WRONG_DOMAIN_KEYS_PER_MINUTE)
})
