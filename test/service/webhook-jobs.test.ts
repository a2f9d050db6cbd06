import { describe, expect, jest, test } from '@jest/globals'
import type { Webhook, WebhookAttempt, WebhookJob } from '../../core/events/webhooks/ports.ts'
import type { Email } from '../../core/inbox/email.ts'
import { enqueue, enqueueWebhooks, handleJob } from '../../service/webhook-jobs.ts'

const HOUR_MS = 3_600_000

const email = (id: string, address: string, subject = 'Hi') =>
  ({ id, address, subject, from: {}, bodyText: '', codes: [], links: [] }) as unknown as Email
const webhook = (id: string, target: Webhook['target'], filter = {}) => ({ id, target, filter }) as Webhook

/** Collects the messages that are sent; the first `fails` of them fail. */
function queueThat(fails = 0) {
  const sent: { job: WebhookJob; delaySeconds: number; group: string }[] = []
  return {
    sent,
    async send(message: string, options: { delaySeconds?: number; group?: string } = {}) {
      if (fails-- > 0) throw new Error('SQS did not answer')
      sent.push({ job: JSON.parse(message), delaySeconds: options.delaySeconds!, group: options.group! })
    },
  }
}

describe('webhook jobs on AWS', () => {
  const hooks = [
    webhook('wh_address', { address: 'a@x.test' }),
    webhook('wh_domain', { domain: 'x.test' }, { subject: 'code' }),
  ]
  const webhooks = {
    watching: async (topics: string[]) =>
      hooks.filter(({ target }) => topics.includes('address' in target ? target.address : target.domain)),
  }

  test('are sent without delay, one for each email and webhook that matches it', async () => {
    const queue = queueThat()
    await enqueueWebhooks(webhooks, queue, [email('1', 'a@x.test'), email('2', 'b@x.test', 'Your code')])
    expect(
      queue.sent.map(({ job, delaySeconds, group }) => [job.webhook, job.email, delaySeconds, group]),
    ).toEqual([
      ['wh_address', '1', 0, 'wh_address'],
      ['wh_domain', '2', 0, 'wh_domain'],
    ])
    expect(queue.sent.map(({ job: { address, attempts } }) => [address, attempts])).toEqual([
      ['a@x.test', 0],
      ['b@x.test', 0],
    ])
    for (const { job } of queue.sent) expect(job.due).toBeLessThanOrEqual(Date.now())
  })

  test('are not looked for without an email', async () => {
    const watching = () => Promise.reject(new Error('DynamoDB was asked'))
    await enqueueWebhooks({ watching }, queueThat(), [])
  })

  test.each([
    [-HOUR_MS, 0],
    [1, 1],
    [60_000, 60],
    [HOUR_MS, 900],
  ])('that are due in %i ms are delayed by %i s', async (ms, delaySeconds) => {
    const queue = queueThat()
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1_790_000_000_000)
    await enqueue(queue, {
      webhook: 'wh_1',
      address: 'a@x.test',
      email: '1',
      attempts: 0,
      due: Date.now() + ms,
    })
    clock.mockRestore()
    expect(queue.sent.map((sent) => sent.delaySeconds)).toEqual([delaySeconds])
  })

  test('are sent again when the ingest is retried after a failure of the queue', async () => {
    const queue = queueThat(1)
    await expect(enqueueWebhooks(webhooks, queue, [email('1', 'a@x.test')])).rejects.toThrow()
    await enqueueWebhooks(webhooks, queue, [email('1', 'a@x.test')])
    expect(queue.sent).toHaveLength(1)
  })

  const job: WebhookJob = { webhook: 'wh_1', address: 'a@x.test', email: '1', attempts: 2, due: 0 }

  function parts(next: number | undefined, queue = queueThat()) {
    const recorded: WebhookAttempt[] = []
    const attempts: WebhookJob[] = []
    const attempt = { status: 500 } as WebhookAttempt
    return {
      recorded,
      attempts,
      queue,
      delivery: {
        async attempt(of: WebhookJob) {
          attempts.push(of)
          return { next, attempt }
        },
      },
      webhooks: { record: async (_id: string, one: WebhookAttempt) => void recorded.push(one) },
    }
  }

  test('return to the queue after a failure, with their count and due time, delayed by at most 15 minutes', async () => {
    const due = Date.now() + 2 * HOUR_MS
    const given = parts(due)
    await handleJob(given, job)
    expect(given.queue.sent).toEqual([
      { job: { ...job, attempts: 3, due }, delaySeconds: 900, group: 'wh_1' },
    ])
    expect(given.recorded).toHaveLength(1)
  })

  test('return to the queue unchanged before they are due, and leave it when they are done', async () => {
    const early = parts(undefined)
    await handleJob(early, { ...job, due: Date.now() + HOUR_MS })
    expect(early.attempts).toEqual([])
    expect(early.queue.sent).toMatchObject([{ job: { attempts: 2 }, delaySeconds: 900 }])
    const done = parts(undefined)
    await handleJob(done, job)
    expect(done.queue.sent).toEqual([])
    expect(done.attempts).toHaveLength(1)
  })

  test('stay in the queue if their next attempt cannot be queued', async () => {
    const given = parts(Date.now() + 5000, queueThat(1))
    await expect(handleJob(given, job)).rejects.toThrow()
    expect(given.recorded).toEqual([])
  })
})
