import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { freshAddress } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { filler, PLAIN } from './shape.ts'
import { shapes } from './shapes.ts'

/**
 * How long the mail of one sender waits behind hostile mails of another one, beside the time that it waits behind as
 * many plain mails of the same size. Both are measured in turn in the same service. On a busy machine single
 * rounds vary, so the least median of some batches counts: mail that always waits has no quick batch.
 */
const ROUNDS = 2
const BATCHES_MAX = 8
const ATTACKER = '127.0.0.2'
const OTHER = '127.0.0.3'
/** Shapes that were, or are, among the most expensive ones. */
const WORST = [
  'lines like all 18 boundaries',
  'semicolons in a type',
  'short lines of uuencode',
  'paragraphs beside a URL',
  'quote marks in flowed text',
  'parameters of parts',
  'links in sentences about an order',
  'bytes in short lines',
]

function hostileMails(bytes: number, count: number): Buffer[] {
  const texts = shapes(bytes).filter(([name]) => WORST.includes(name))
  expect(texts.length).toBe(WORST.length)
  return Array.from({ length: count }, (_, n) => Buffer.from(texts[n % texts.length]?.[1] ?? '', 'latin1'))
}

function plainMail(bytes: number): Buffer {
  return Buffer.from(
    PLAIN + filler(bytes).fill('Thank you for shopping with us, we are glad that you are here.\r\n'),
  )
}

/** The larger one of two. */
const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

describe('the mail of one sender', () => {
  let service: RunningService

  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  const open = (localAddress: string) => SmtpClient.open(Object.assign({ localAddress }, service.smtp))

  async function send(from: string, mails: Buffer[]): Promise<void> {
    const client = await open(from)
    for (const mail of mails)
      expect(await client.send('a@example.org', [freshAddress()], mail)).toMatch(/^250/)
    client.close()
  }

  /**
   * How long a mail of the other sender takes on average, in milliseconds, while it sends one after
   * the other until all of the attacker's mails are stored.
   */
  async function waitBeside(mails: Buffer[], connections: number, mail: Buffer): Promise<number> {
    const shares = Array.from({ length: connections }, (_, n) =>
      mails.filter((_, of) => of % connections === n),
    )
    let isOver = false
    const sent = Promise.all(shares.map((share) => send(ATTACKER, share))).finally(() => {
      isOver = true
    })
    const began = performance.now()
    let count = 0
    for (; !isOver; count++) await send(OTHER, [mail])
    const average = (performance.now() - began) / count
    await sent
    return average
  }

  test.each([
    ['1 KB', 1_000, 40, 20, 160_000, 3],
    ['300 KB', 300_000, 3, 3, 3_000_000, 3],
  ])(
    'of %s waits little longer behind hostile mails than behind plain ones',
    async (name, bytes, count, connections, each, ratioMax) => {
      const mail = plainMail(bytes)
      const plain = Array.from({ length: count }, () => plainMail(each))
      const hostile = hostileMails(each, count)
      let least = Number.POSITIVE_INFINITY
      for (let batch = 0; batch < BATCHES_MAX && least >= ratioMax; batch++) {
        const ratios: number[] = []
        for (let round = 0; round < ROUNDS; round++) {
          const honest = await waitBeside(plain, connections, mail)
          ratios.push((await waitBeside(hostile, connections, mail)) / honest)
        }
        least = Math.min(least, median(ratios))
      }
      process.stderr.write(
        `${name} behind ${count} hostile mails, beside plain ones: ${least.toFixed(1)} times\n`,
      )
      expect(least).toBeLessThan(ratioMax)
    },
    300_000,
  )
})
