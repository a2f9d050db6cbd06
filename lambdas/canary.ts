/**
 * The canary: sends a mail to this service by Amazon SES and waits until the API lists it. A run in
 * which the mail does not arrive fails, and an alarm counts failures (docs/runbook.md, "Canary
 * fails").
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'
import { CANARY_SENDER } from '../adapters/aws/env.ts'
import { readSettings } from '../adapters/aws/settings.ts'
import { SECOND_MS } from '../core/limits.ts'
import { log } from '../service/aws-log.ts'

const POLL_MS = 5 * SECOND_MS
const REQUEST_TIMEOUT_MS = 10 * SECOND_MS
/** Left of the function's time for a last request and the report of what was seen. */
const MARGIN_MS = 2 * REQUEST_TIMEOUT_MS

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
): Promise<{ tookMs: number }> {
  const started = Date.now()
  // Each mail has its own address: SES no longer sends to an address that bounced once.
  const id = randomBytes(8).toString('hex')
  const address = `${CANARY_SENDER}-${id}@${settings.canaryDomain}`
  await send(address, id)
  for (;;) {
    const seen = await look(address, id)
    if (seen === 'arrived') break
    if (context.getRemainingTimeInMillis() < MARGIN_MS + POLL_MS) {
      const seconds = Math.round((Date.now() - started) / SECOND_MS)
      throw new Error(`the mail to ${address} did not arrive within ${seconds} s; the API ${seen}`)
    }
    await pause(POLL_MS)
  }
  const tookMs = Date.now() - started
  log('info', 'the mail arrived', { tookMs })
  return { tookMs }
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
