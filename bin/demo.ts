/**
 * The main job in a few seconds: `npm run demo`. Starts the service in a folder that is thrown away, takes an
 * address, watches it, sends it a mail over SMTP, and reads the code out of the event.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EventSource } from 'eventsource'
import { createTransport } from 'nodemailer'
import type { Email } from '../core/inbox/email.ts'
import { readConfig } from '../local-service/config.ts'
import { createLogger } from '../local-service/log.ts'
import { startLocalService } from '../local-service/service.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-demo-'))
const config = readConfig({ MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_DATA_DIR: dataDir })
const service = await startLocalService(config, createLogger('warn'), (error) => {
  throw error
})
const get = async <T>(path: string) => (await (await fetch(service.http + path)).json()) as T

try {
  const { username } = await get<{ username: string }>('/api/random-username')
  const { domain } = await get<{ domain: string }>('/api/domains/random')
  const address = `${username}@${domain}`
  say('GET /api/random-username', `→ ${address}`)

  const events = new EventSource(`${service.http}/api/sse/${encodeURIComponent(address)}`)
  await new Promise((resolve) => events.addEventListener('open', resolve))
  say(`GET /api/sse/${address}`, '→ the stream is open')
  const arrival = new Promise<Email>((resolve) => {
    events.addEventListener('message', ({ data }) => resolve(JSON.parse(data).email))
  })

  const [host, port] = service.smtp.split(':')
  const transport = createTransport({ host, port: Number(port), ignoreTLS: true })
  const began = performance.now()
  const { response } = await transport.sendMail({
    from: 'Example Shop <no-reply@shop.example>',
    to: address,
    subject: 'Confirm your e-mail address',
    text: 'Welcome!\n\nYour verification code is 73 91 05. It expires in 10 minutes.\n',
  })
  say(`SMTP to ${service.smtp}`, `→ ${response}`)

  const email = await arrival
  say(
    'the event',
    `→ ${JSON.stringify({ from: email.from.address, subject: email.subject, codes: email.codes })}`,
  )
  console.log(
    `\nThe code is ${email.codes[0]}, ${(performance.now() - began).toFixed(0)} ms after the mail was sent.`,
  )
  events.close()
  transport.close()
} finally {
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
}

function say(what: string, result: string): void {
  console.log(`${what}\n    ${result}`)
}
