import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { pino } from 'pino'
import { ByTurns } from '../../adapters/http/by-turns.ts'
import { REPLAY_BATCH } from '../../core/limits.ts'
import { readConfig } from '../../local-service/config.ts'
import { type LocalService, startLocalService } from '../../local-service/service.ts'
import { FIRST_ID } from '../contract/sample.ts'
import { openStream } from '../support/event-source.ts'
import { freshAddress } from '../support/mail.ts'
import { SmtpClient } from '../support/smtp-client.ts'

/** In this process: what cannot be seen from outside but under an attack (../hostile/attacks.siege.ts). */
let dataDir: string
let service: LocalService

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mayfly-service-'))
  const config = readConfig({
    MAYFLY_HTTP_PORT: '0',
    MAYFLY_SMTP_PORT: '0',
    MAYFLY_DATA_DIR: dataDir,
  })
  service = await startLocalService(config, pino({ level: 'silent' }), (error) => {
    throw error
  })
})
afterEach(async () => {
  jest.restoreAllMocks()
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
})

test('a replay takes turns with requests, between its pieces', async () => {
  const address = freshAddress()
  const [host, port] = service.smtp.split(':')
  const client = await SmtpClient.open({ host: host!, port: Number(port) })
  const count = 2 * REPLAY_BATCH + 1
  for (let n = 0; n < count; n++) await client.send('s@example.org', [address], `Subject: ${n}\r\n\r\nx`)
  client.close()
  const next = jest.spyOn(ByTurns.prototype, 'next')
  const stream = await openStream(`${service.http}/api/sse/${address}?last_event_id=${FIRST_ID}`)
  await stream.until(count)
  stream.close()
  expect(next.mock.calls.length).toBeGreaterThanOrEqual(2)
})
