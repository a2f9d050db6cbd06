import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import type { WebhookDelivery } from '../../../../core/events/webhooks/delivery.ts'
import type { WebhookJob, WebhookOutbox } from '../../../../core/events/webhooks/ports.ts'
import { WebhookWorker } from '../../../../core/events/webhooks/worker.ts'
import { WEBHOOK_REQUESTS_PER_TARGET } from '../../../../core/limits.ts'

test('each job is begun once, and a target has no more requests than it may, while jobs come and end', async () => {
  const jobs = new Map<string, WebhookJob>()
  const begun: string[] = []
  let [open, most] = [0, 0]
  // An outbox that takes its time to answer: meanwhile requests end, and more jobs come.
  const outbox: WebhookOutbox = {
    due: async () => (jobs.size > 0 ? ['w'] : []),
    jobs: async (_webhook, _now, limit) => {
      const found = [...jobs.values()].slice(0, limit)
      await turn()
      // What has ended meanwhile is not given out: it would be in no store that reads at the end.
      return found.filter(({ email }) => jobs.has(email))
    },
    nextDue: async () => undefined,
    settle: async ({ email }) => void jobs.delete(email),
  } as WebhookOutbox
  const delivery = {
    attempt: async ({ email }: WebhookJob) => {
      begun.push(email)
      most = Math.max(most, ++open)
      await sleep(2)
      open--
      return { next: undefined, attempt: undefined }
    },
  } as unknown as WebhookDelivery
  const worker = new WebhookWorker(outbox, delivery, Date.now)
  for (let i = 0; i < 1000; i++) {
    jobs.set(`${i}`, { webhook: 'w', address: 'a@mayfly.test', email: `${i}`, attempts: 0, due: 0 })
    worker.wake()
    if (i % 10 === 0) await turn()
  }
  while (jobs.size > 0) await sleep(5)
  await worker.stop()
  expect(begun.length).toBe(1000)
  expect(most).toBeLessThanOrEqual(WEBHOOK_REQUESTS_PER_TARGET)
})
