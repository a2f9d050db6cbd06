import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from '@jest/globals'
import { freshAddress } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { ROUNDS } from './rounds.ts'

/** `npm run test:faults` sets MAYFLY_FAULT_ROUNDS=10 for a run of a minute. */
const SECONDS = 6 * ROUNDS

let service: RunningService
let over = false
const attackers = new Set<Socket>()

afterEach(async () => {
  over = true
  for (const socket of attackers) socket.destroy()
  await service.stop()
})

/** Holds a connection in the given way, and opens another one whenever it is closed. */
async function hold(says: string, then: string, everyMs: number): Promise<void> {
  while (!over) {
    const socket = connect(service.smtp)
    attackers.add(socket)
    socket.on('error', () => {}).resume()
    socket.write(says)
    const drip = setInterval(() => socket.write(then), everyMs)
    await once(socket, 'close').catch(() => {})
    clearInterval(drip)
    attackers.delete(socket)
    await sleep(50)
  }
}

test('1,000 connections that send no mail, some idle, some in the middle of one, do not stop the mail of others', async () => {
  service = await startService({ MAYFLY_LOG_LEVEL: 'error' })
  const toData =
    'EHLO a.example\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<bot@mayfly.test>\r\nDATA\r\nSubject: never ends\r\n'
  for (let i = 0; i < 700; i++) void hold('EHLO a.example\r\n', 'NOOP\r\n', 1000)
  for (let i = 0; i < 300; i++) void hold(toData, 'x', 500)
  await sleep(2000)
  expect(attackers.size).toBeGreaterThan(900)
  let accepted = 0
  for (const end = Date.now() + SECONDS * 1000; Date.now() < end; ) {
    const client = await SmtpClient.open(service.smtp)
    expect(await client.send('s@example.org', [freshAddress()], 'Subject: s\r\n\r\nx')).toMatch(/^250/)
    client.close()
    accepted++
  }
  console.log(`${accepted} mails of others were taken in ${SECONDS} s`)
  expect((await fetch(`${service.http}/api/health`)).status).toBe(200)
}, 180_000)
