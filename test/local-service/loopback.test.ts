import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { temporaryDirectory } from '../adapters/sqlite/store-temporary.ts'
import { freshAddress, sendMail } from '../support/mail.ts'
import { type RunningService, runToEnd, startService } from '../support/service.ts'

/*
 * `localhost` is 127.0.0.1 and ::1. Another user of the machine who listened on the one that the
 * service leaves free would get the operator's key of every client that calls localhost.
 */

let service: RunningService | undefined
afterEach(async () => {
  await service?.stop()
  service = undefined
})

const keysOf = async ({ dataDir }: RunningService) =>
  Object.keys(JSON.parse(await readFile(join(dataDir, 'mayfly', 'keys.json'), 'utf8')) as object)

test.each([[{}], [{ MAYFLY_HOST: '::1' }], [{ MAYFLY_HOST: 'localhost' }]])(
  'a service with %o listens on both addresses of localhost, for HTTP and SMTP',
  async (env: Record<string, string>) => {
    service = await startService(env)
    const { port } = new URL(service.http)
    for (const host of ['127.0.0.1', '::1']) {
      const base = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
      const to = freshAddress()
      await sendMail({ host, port: service.smtp.port }, { to })
      const answer = await fetch(`${base}/api/public/emails/${to}`)
      expect(((await answer.json()) as { emails: unknown[] }).emails).toHaveLength(1)
    }
    expect((await keysOf(service)).sort()).toEqual([
      `http://127.0.0.1:${port}`,
      `http://[::1]:${port}`,
      `http://localhost:${port}`,
    ])
  },
)

test('the key file names no address that the service does not listen on', async () => {
  service = await startService({ MAYFLY_HOST: '127.0.0.2' })
  expect(await keysOf(service)).toEqual([service.http])
  expect(new URL(service.http).hostname).toBe('127.0.0.2')
})

describe.each(['127.0.0.1', '::1'])('a port that is in use on %s only', (host) => {
  test.each(['MAYFLY_HTTP_PORT', 'MAYFLY_SMTP_PORT'])('is a reason not to start: %s', async (name) => {
    const other = createServer().listen(0, host)
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { dir, remove } = temporaryDirectory()
    const free = { MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_DATA_DIR: dir }
    const { code, output } = await runToEnd({ ...free, [name]: String(port) })
    other.close()
    remove()
    expect(code).toBe(1)
    expect(output).toContain(`address already in use ${host}:${port}`)
    expect(output).toContain('A service on loopback listens on 127.0.0.1 and ::1')
  })
})
