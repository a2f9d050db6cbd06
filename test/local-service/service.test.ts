import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { ByTurns } from '../../adapters/http/by-turns.ts'
import { REPLAY_BATCH } from '../../core/limits.ts'
import { FIRST_ID } from '../contract/sample.ts'
import { openStream } from '../support/event-source.ts'
import { freshAddress } from '../support/mail.ts'
import type { RunningService } from '../support/service.ts'
import { startService } from '../support/service-in-process.ts'
import { SmtpClient } from '../support/smtp-client.ts'

/** In this process: what cannot be seen from outside but under an attack (../hostile/attacks.siege.ts). */
let service: RunningService

beforeEach(async () => {
  service = await startService()
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
