import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { freshAddress } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'

/** `npm run test:faults` sets MAYFLY_CRASH_ROUNDS for a long run. */
const ROUNDS = Number(process.env.MAYFLY_CRASH_ROUNDS ?? 4)
const SENDERS = 8
/** A round ends after a random number of accepted mails, at most these. */
const MAILS_MAX = 300
/**
 * The number of mails whose content and raw message are read: that takes two requests each, and a
 * key may send 120 a minute.
 */
const SAMPLE = 250
const KEYS = 5

interface Sent {
  address: string
  body: string
  /** The id in the 250 reply. */
  id: string
}

/**
 * Sends mails until the connection breaks, and records those that were answered with 250.
 * @param accepted is called after each of them
 */
async function sendUntilItBreaks(
  service: RunningService,
  sent: Sent[],
  round: number,
  accepted: () => void,
): Promise<void> {
  let client: SmtpClient | undefined
  try {
    // Another sender's mail may be the last one before this client's greeting.
    client = await SmtpClient.open(service.smtp)
    for (let i = 0; ; i++) {
      const address = freshAddress()
      // Some mails are large, so that another thread reads them.
      const body = `round ${round} mail ${i} ${'x'.repeat(i % 10 === 9 ? 400_000 : i * 37)} end`
      const response = await client.send('s@example.org', [address], `Subject: ${i}\r\n\r\n${body}`)
      const id = /^250 2\.0\.0 Ok: ([0-9A-Z]{26})$/.exec(response)?.[1]
      if (id === undefined) throw new Error(`not the reply to an accepted mail: ${response}`)
      sent.push({ address, body, id })
      accepted()
    }
  } catch {
    // The service was killed.
  } finally {
    client?.close()
  }
}

test(`kill -9 during intake, ${ROUNDS} rounds: every mail that was answered with 250 is stored, complete, once`, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-crash-'))
  const sent: Sent[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const service = await startService({ MAYFLY_LOG_LEVEL: 'silent' }, { dataDir })
    const last = sent.length + Math.ceil(Math.random() * MAILS_MAX)
    let killed: Promise<void> | undefined
    const accepted = () => {
      if (sent.length >= last) killed ??= service.kill()
    }
    await Promise.all(
      Array.from({ length: SENDERS }, () => sendUntilItBreaks(service, sent, round, accepted)),
    )
    await killed
  }
  expect(sent.length).toBeGreaterThanOrEqual(ROUNDS)

  const service = await startService({ MAYFLY_LOG_LEVEL: 'silent' }, { dataDir })
  const keys: string[] = []
  for (let i = 0; i < KEYS; i++) {
    const made = await fetch(`${service.http}/api/keys`, { method: 'POST' })
    keys.push(((await made.json()) as { key: string }).key)
  }
  const wrong: string[] = []
  let samples = 0
  for (const [n, { address, body, id }] of sent.entries()) {
    const answer = await fetch(`${service.http}/api/public/emails/${address}`)
    const { emails } = (await answer.json()) as { emails: { id: string; body_text: string; size: number }[] }
    const [email] = emails
    if (
      emails.length !== 1 ||
      email?.id !== id ||
      !body.startsWith(email.body_text.trim().slice(0, 16_000))
    ) {
      wrong.push(`${address}: ${emails.length} emails`)
    }
    if (n % Math.ceil(sent.length / SAMPLE) === 0) {
      const headers = { 'X-API-Key': keys[samples++ % KEYS]! }
      const url = `${service.http}/api/emails/${address}/${id}`
      const whole = await fetch(url, { headers })
      const { email } = (await whole.json()) as { email?: { body_text: string } }
      if (email?.body_text.trim() !== body.trim())
        wrong.push(`${address}: ${whole.status}, the text is not whole`)
      const raw = await fetch(`${url}/raw`, { headers })
      if (!(await raw.text()).endsWith(`${body}\r\n`)) {
        wrong.push(`${address}: ${raw.status}, the raw message is not whole`)
      }
    }
  }
  expect(wrong).toEqual([])
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
}, 600_000)
