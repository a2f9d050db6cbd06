import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { eventually } from '../support/eventually.ts'
import { sendMail } from '../support/mail.ts'
import { startService } from '../support/service.ts'

/** MAYFLY_CRASH_ROUNDS=500 for the long run. */
const CRASH_ROUNDS = Number(process.env.MAYFLY_CRASH_ROUNDS ?? 4)
const ADDRESS = 'crash@mayfly.test'
const MAILS_A_ROUND = 6

test(
  `killed ${CRASH_ROUNDS} times with -9, the service tells of every email that it kept, under one id each`,
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-webhooks-'))
    const bodies = new Map<string, Set<string>>()
    const target = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const id = request.headers['webhook-id'] as string
      if (JSON.parse(body).type !== 'ping') bodies.set(id, (bodies.get(id) ?? new Set()).add(body))
      response.writeHead(204).end()
    }).listen(0, '127.0.0.1')
    await once(target, 'listening')
    try {
      let service = await startService({}, { dataDir })
      const { key } = (await (await fetch(`${service.http}/api/keys`, { method: 'POST' })).json()) as {
        key: string
      }
      const made = await fetch(`${service.http}/api/webhooks`, {
        method: 'POST',
        headers: { 'X-API-Key': key },
        body: JSON.stringify({
          url: `http://127.0.0.1:${(target.address() as AddressInfo).port}/`,
          address: ADDRESS,
        }),
      })
      const { id } = (await made.json()) as { id: string }
      for (let round = 0; round < CRASH_ROUNDS; round++) {
        const sent = Array.from({ length: MAILS_A_ROUND }, (_, i) =>
          sendMail(service.smtp, { to: ADDRESS, subject: `${round}.${i}`, text: 'x' }).catch(() => {}),
        )
        // On a busy machine no email may be kept within a fixed time.
        await Promise.any(sent)
        await sleep(randomInt(100))
        await service.kill()
        await Promise.all(sent)
        service = await startService({}, { dataDir })
      }
      const kept = await idsOf(service.http)
      expect(kept.length).toBeGreaterThan(CRASH_ROUNDS)
      const untold = () => kept.filter((email) => !bodies.has(`msg_${id}_${email}`))
      await eventually('a request for each email', untold, ({ length }) => length === 0)
      // One id for each email, and every attempt with it concerns that email alone.
      expect(bodies.size).toBe(kept.length)
      for (const [delivery, said] of bodies) {
        const emails = [...said].map(
          (body) => (JSON.parse(body) as { data: { email: { id: string } } }).data.email.id,
        )
        expect(new Set(emails.map((email) => `msg_${id}_${email}`))).toEqual(new Set([delivery]))
      }
      await service.stop()
    } finally {
      target.closeAllConnections()
      target.close()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
  CRASH_ROUNDS * 5000 + 60_000,
)

async function idsOf(http: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor = ''; ; ) {
    const answer = await fetch(`${http}/api/public/emails/${ADDRESS}?limit=100&text_limit=0${cursor}`)
    const { emails, next_cursor: nextCursor } = (await answer.json()) as {
      emails: { id: string }[]
      next_cursor: string | null
    }
    ids.push(...emails.map((email) => email.id))
    if (nextCursor === null) return ids
    cursor = `&cursor=${nextCursor}`
  }
}
