import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTransport } from 'nodemailer'
import { type Inbox, Mayfly } from '../../../packages/client/src/node.ts'
import { type RunningService, startService } from '../../support/service.ts'
import table from '../scenarios.json' with { type: 'json' }

const API_KEY = 'operator-key-of-the-scenarios'

interface Step {
  open?: Record<string, unknown>
  address?: string
  post?: { subject: string; text?: string; html?: string }
  afterMs?: number
  call?: string
  match?: unknown
  with?: Record<string, unknown>
  field?: string
  gives?: unknown
  fails?: string
  code?: string
  message?: string
}

let service: RunningService

beforeAll(async () => {
  service = await startService({ MAYFLY_API_KEYS: API_KEY })
})

afterAll(() => service.stop())

describe('the table that the SDKs of all languages run', () => {
  test.each(table.scenarios)('$name', async ({ steps }) => {
    // In Jest a wait takes 4 s, in which a busy machine may receive no mail.
    const mayfly = new Mayfly({ url: service.http, apiKey: API_KEY, timeout: 60_000 })
    let inbox: Inbox | undefined
    for (const step of steps as Step[]) {
      if (step.post !== undefined) {
        const sent = post(inbox?.address ?? '', step.post, step.afterMs)
        if (step.afterMs === undefined) await sent
        continue
      }
      const outcome = await outcomeOf(step, async () => {
        if (step.open === undefined) return call(inbox, step)
        inbox = await mayfly.inbox(
          step.open.address === 'same' ? { ...step.open, address: inbox?.address ?? '' } : step.open,
        )
        return inbox.address
      })
      if (step.address !== undefined) expect(outcome).toMatch(new RegExp(step.address))
      if ('gives' in step) expect(outcome).toEqual(step.gives)
    }
  })
})

/** The result of a step, or undefined if it failed as the table says. */
async function outcomeOf(step: Step, run: () => Promise<unknown>): Promise<unknown> {
  if (step.fails === undefined) return run()
  const error = await run().then(
    (result) => {
      throw new Error(`expected ${step.fails}, got ${JSON.stringify(result)}`)
    },
    (error: Error & { code?: string }) => error,
  )
  expect(error.name).toBe(step.fails)
  expect(error.message).toMatch(new RegExp(step.message ?? '', 's'))
  if (step.code !== undefined) expect(error.code).toBe(step.code)
  return undefined
}

async function call(inbox: Inbox | undefined, step: Step): Promise<unknown> {
  const options = Object.fromEntries(
    Object.entries(step.with ?? {}).map(([name, value]) => [name, argument(value)]),
  )
  const method = (inbox as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[
    step.call ?? ''
  ]
  const args = [
    ...(step.match === undefined ? [] : [argument(step.match)]),
    ...(step.with === undefined ? [] : [options]),
  ]
  const result = await method?.apply(inbox, args)
  if (step.field === undefined) return result
  const field = step.field as keyof object
  return Array.isArray(result) ? result.map((mail) => mail[field]) : (result as object)[field]
}

function argument(value: unknown): unknown {
  const { pattern, flags } = (value ?? {}) as { pattern?: string; flags?: string }
  return pattern === undefined ? value : new RegExp(pattern, flags)
}

async function post(to: string, mail: NonNullable<Step['post']>, afterMs = 0): Promise<void> {
  if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs))
  const transport = createTransport({ ...service.smtp, secure: false, ignoreTLS: true })
  await transport.sendMail({ from: 'sender@example.com', to, ...mail })
  transport.close()
}
