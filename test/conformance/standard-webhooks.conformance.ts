import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import packageJson from '../../package.json' with { type: 'json' }
import { eventually } from '../support/eventually.ts'
import { freshAddress, sendMail } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { goProgram, goVersion, PYTHON, pythonVersion } from './installed.ts'
import { recordRow } from './row.ts'

interface Delivery {
  secret: string
  headers: Record<string, string>
  body: string
}

/** Which of the deliveries a library accepts. */
type Verify = (deliveries: Delivery[]) => boolean[] | Promise<boolean[]>

const run = promisify(execFile)

async function program(command: string, args: string[], deliveries: Delivery[]): Promise<boolean[]> {
  const running = run(command, args)
  running.child.stdin!.end(JSON.stringify(deliveries))
  return JSON.parse((await running).stdout)
}

const LIBRARIES: Record<string, Verify> = {
  JavaScript: (deliveries) => deliveries.map(isAccepted),
  Python: (deliveries) =>
    program(PYTHON, [fileURLToPath(new URL('webhooks/verify.py', import.meta.url))], deliveries),
  Go: (deliveries) => program(goProgram('webhooks'), [], deliveries),
}

function isAccepted({ secret, headers, body }: Delivery): boolean {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false
    throw error
  }
}

const SUBJECTS = ['Your code is 482913', 'Grüße, 李 🦋 </script>', 'é'.repeat(300)]

describe('the official libraries of Standard Webhooks', () => {
  let service: RunningService
  let target: Server
  const received: { headers: Record<string, string>; body: string }[] = []
  let deliveries: Delivery[]
  let complete = 0

  beforeAll(async () => {
    service = await startService()
    target = createServer(async (request, response) => {
      received.push({ headers: request.headers as Record<string, string>, body: await text(request) })
      response.writeHead(204).end()
    })
    await once(target.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`
    const address = freshAddress()
    const { key } = (await call('/api/keys', {})) as { key: string }
    const { secret } = (await call('/api/webhooks', { 'X-API-Key': key }, { url, address })) as Delivery
    for (const subject of SUBJECTS) await sendMail(service.smtp, { to: address, subject, text: subject })
    // With the ping.
    await eventually('the deliveries', () => received.length === SUBJECTS.length + 1)
    deliveries = received.map((one) => ({ secret, ...one }))
  })
  afterAll(async () => {
    target?.closeAllConnections()
    target?.close()
    await service?.stop()
  })

  async function call(path: string, headers: Record<string, string>, body?: object): Promise<unknown> {
    const response = await fetch(service.http + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return response.json()
  }

  const changed = (change: (delivery: Delivery) => Partial<Delivery>) =>
    deliveries.map((delivery) => ({ ...delivery, ...change(delivery) }))
  const withTime = (seconds: number) =>
    changed(({ headers }) => ({
      headers: { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + seconds) },
    }))

  test.each(Object.entries(LIBRARIES))(
    '%s accepts every delivery, and no changed one',
    async (_name, verify) => {
      expect(await verify(deliveries)).toEqual(deliveries.map(() => true))
      const others = [
        ...changed(({ body }) => ({ body: body.replace('{', '{ ') })),
        ...changed(() => ({ secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` })),
        ...changed(({ headers }) => ({ headers: { ...headers, 'webhook-id': 'msg_another' } })),
        ...withTime(1),
        ...withTime(-600),
        ...withTime(600),
      ]
      expect(await verify(others)).toEqual(others.map(() => false))
      complete++
    },
  )

  test('a delivery whose time is old is refused though its signature is right', async () => {
    const old = deliveries.map(({ secret, headers, body }) => {
      const at = new Date(Date.now() - 600_000)
      const signature = new Webhook(secret).sign(headers['webhook-id']!, at, body)
      const timestamp = String(Math.floor(at.getTime() / 1000))
      return {
        secret,
        body,
        headers: { ...headers, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
      }
    })
    for (const verify of Object.values(LIBRARIES)) expect(await verify(old)).toEqual(old.map(() => false))
  })

  test('the table has these versions', () => {
    expect(complete).toBe(Object.keys(LIBRARIES).length)
    recordRow({
      suite: 'Standard Webhooks',
      version: [
        `npm ${packageJson.dependencies.standardwebhooks}`,
        `PyPI ${pythonVersion('standardwebhooks')}`,
        `Go ${goVersion('github.com/standard-webhooks/standard-webhooks/libraries')}`,
      ].join(', '),
      examined: `a ping and ${SUBJECTS.length} emails accepted by 3 libraries; with another body, secret, id or time refused`,
      accepted: 0,
      failedIn030: 'nothing',
    })
  })
})
