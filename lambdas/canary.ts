/**
 * The canary: sends a mail to this service by Amazon SES and waits until the API lists it and a
 * stream has sent it. A run in which the mail does not arrive fails, and an alarm counts failures
 * (docs/runbook.md, "Canary fails").
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'
import { CANARY_SENDER } from '../adapters/aws/env.ts'
import { readSettings } from '../adapters/aws/settings.ts'
import { SECOND_MS } from '../core/limits.ts'
import { log } from '../service/aws-log.ts'
import { CanaryStream } from './canary-stream.ts'

const POLL_MS = 5 * SECOND_MS
const REQUEST_TIMEOUT_MS = 10 * SECOND_MS
/** A stream sends a mail within a second of its storing. */
const STREAM_PATIENCE_MS = 15 * SECOND_MS
/** Left of the function's time for a last request, the stream and the report of what was seen. */
const MARGIN_MS = 2 * REQUEST_TIMEOUT_MS + STREAM_PATIENCE_MS

/** The part of Lambda's context that is read. */
interface Context {
  getRemainingTimeInMillis(): number
}

const settings = readSettings(process.env, ['baseUrl', 'canaryDomain'])
const client = new SESv2Client({
  requestHandler: { connectionTimeout: 2000, requestTimeout: 5000, throwOnRequestTimeout: true },
})

export function handler(_event: unknown, context: Context): Promise<{ tookMs: number }> {
  return run(context, sleep)
}

/**
 * Returns how long the mail took, in milliseconds.
 *
 * @param pause waits between two requests
 * @throws Error if the mail did not arrive in the time of the function
 */
export async function run(
  context: Context,
  pause: (ms: number) => Promise<void>,
  streamPatienceMs = STREAM_PATIENCE_MS,
): Promise<{ tookMs: number }> {
  const started = Date.now()
  // Each mail has its own address: SES no longer sends to an address that bounced once.
  const id = randomBytes(8).toString('hex')
  const address = `${CANARY_SENDER}-${id}@${settings.canaryDomain}`
  const stream = new CanaryStream(`${settings.baseUrl}/api/sse/${encodeURIComponent(address)}`, id)
  try {
    await send(address, id)
    await listed(address, id, context, pause)
    await stream.arrivedWithin(streamPatienceMs)
  } finally {
    stream.close()
  }
  const tookMs = Date.now() - started
  log('info', 'the mail arrived', { tookMs })
  return { tookMs }
}

/** Resolves when the API lists the mail. @throws Error if the time is over */
async function listed(
  address: string,
  subject: string,
  context: Context,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  const started = Date.now()
  for (;;) {
    const seen = await look(address, subject)
    if (seen === 'arrived') return
    if (context.getRemainingTimeInMillis() < MARGIN_MS + POLL_MS) {
      const seconds = Math.round((Date.now() - started) / SECOND_MS)
      throw new Error(`the mail to ${address} did not arrive within ${seconds} s; the API ${seen}`)
    }
    await pause(POLL_MS)
  }
}

async function send(address: string, subject: string): Promise<void> {
  await client.send(
    new SendEmailCommand({
      FromEmailAddress: `${CANARY_SENDER}@${settings.canaryDomain}`,
      Destination: { ToAddresses: [address] },
      Content: {
        Simple: {
          Subject: { Data: subject },
          Body: { Text: { Data: 'The canary of this service sent this mail to itself.' } },
        },
      },
    }),
  )
}

/** Returns `arrived`, or what the API answered instead. */
async function look(address: string, subject: string): Promise<string> {
  try {
    const response = await fetch(`${settings.baseUrl}/api/public/emails/${encodeURIComponent(address)}`, {
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    const answer = await response.text()
    if (!response.ok) return `answers ${response.status}: ${answer.slice(0, 500)}`
    const { emails } = JSON.parse(answer) as { emails: { subject: string }[] }
    return emails.some((email) => email.subject === subject) ? 'arrived' : 'has no mail for it'
  } catch (error) {
    return `does not answer: ${error}`
  }
}
