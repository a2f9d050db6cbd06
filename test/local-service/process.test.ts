import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { sampleMail } from '../../bench/support/mails.ts'
import { FIRST_MESSAGES } from '../../local-service/reading-budget.ts'
import { openStream } from '../support/event-source.ts'
import { eventually } from '../support/eventually.ts'
import { freshAddress, sendMail } from '../support/mail.ts'
import { runToEnd, startService } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'

function greeting(http: string, domain: string, smtp: { host: string; port: number }): string {
  return `
  In a browser:     ${http}/
  Read a mailbox:   curl ${http}/api/public/emails/hello@${domain}
  Watch it live:    curl -N ${http}/api/sse/hello@${domain}
  Send it a mail:   printf 'Subject: Hi\\r\\n\\r\\nYour code is 739105\\r\\n' | curl smtp://${smtp.host}:${smtp.port} \\
                      --mail-from me@example.org --mail-rcpt hello@${domain} -T -
  All endpoints:    ${http}/docs
`
}

/** The one-machine service as a process: how it starts, fails to start, and stops. */
describe('the process', () => {
  let dir: string
  const free = { MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0' }

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'mayfly-process-'))
  })

  afterEach(() => rm(dir, { recursive: true, force: true }))

  test.each(['bin/local.js', 'bin/start.js'])(
    '%s says which Node it needs, in one that does not run TypeScript',
    (program) => {
      const args = ['--no-experimental-strip-types', program]
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
      expect([status, stdout, stderr]).toEqual([
        1,
        '',
        `The service needs Node 22.18 or newer, which runs TypeScript; this is ${process.version}. \`npm start\` uses the Node that \`npm ci\` installed.\n`,
      ])
    },
  )

  // Its backlog accepts them. A client above it is refused without an answer, and retries after a second.
  test('a busy process leaves a thousand clients at once connected, of HTTP and of SMTP', async () => {
    const service = await startService({}, { dataDir: dir })
    const ports = [Number(new URL(service.http).port), service.smtp.port]
    const sockets: Socket[] = []
    const signal = AbortSignal.timeout(15_000)
    service.process.kill('SIGSTOP')
    try {
      for (const port of ports) {
        const opened = Array.from({ length: 1000 }, () => connect(port, '127.0.0.1'))
        sockets.push(...opened)
        await Promise.all(opened.map((socket) => once(socket, 'connect', { signal })))
      }
    } finally {
      for (const socket of sockets) socket.destroy()
      service.process.kill('SIGCONT')
      await service.stop()
    }
  })

  /** Worker threads of a process by their names, which only Linux shows. */
  const workers = async (pid: number) => {
    const names = (await readdir(`/proc/${pid}/task`)).map((id) =>
      readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8').trim(),
    )
    return names.filter((name) => name === 'WorkerThread').length
  }

  test('reads its first mails without another thread, although that also compiles code', async () => {
    if (process.platform !== 'linux') return console.log('not checked: only Linux names its threads')
    const service = await startService({}, { dataDir: dir })
    const before = await workers(service.process.pid!)
    const sendTwo = async () => {
      const client = await SmtpClient.open(service.smtp)
      for (let n = 0; n < 2; n++) await client.send('a@sender.example', [freshAddress()], sampleMail('2 KB'))
    }
    await Promise.all(Array.from({ length: FIRST_MESSAGES / 2 }, sendTwo))
    const client = await SmtpClient.open(service.smtp)
    await client.send('a@sender.example', [freshAddress()], sampleMail('100 KB'))
    expect([before, await workers(service.process.pid!)]).toEqual([1, 1])
    await service.stop()
  })

  test('prints its addresses on one line, and the first step for the user', async () => {
    const service = await startService({}, { dataDir: dir })
    expect(await service.stop()).toBe(0)
    expect(service.output()).toMatch(/^mayfly ready http=http:\/\/127\.0\.0\.1:\d+ smtp=127\.0\.0\.1:\d+$/m)
    expect(service.output()).toContain(greeting(service.http, 'mayfly.test', service.smtp))
  })

  test('starts under `node --watch`, whose threads report the files that they import', async () => {
    const service = await startService({ WATCH_REPORT_DEPENDENCIES: '1' }, { dataDir: dir })
    expect((await fetch(`${service.http}/api/health`)).status).toBe(200)
    expect(await service.stop()).toBe(0)
  })

  // Node passes a thread the options of its program, of which `--input-type` fits no file.
  test('a program that Node reads from its arguments starts every thread of the service', () => {
    const program = `
      import { createTransport } from 'nodemailer'
      import { pino } from 'pino'
      import { readConfig } from './local-service/config.ts'
      import { startLocalService } from './local-service/service.ts'
      const fail = (error) => { throw error }
      const service = await startLocalService(readConfig(process.env), pino({ level: 'silent' }), fail)
      // A reader thread reads a large mail; the send APIs have a thread of their own.
      const text = 'text\\r\\n'.repeat(100_000)
      const mail = { from: 'a@example.org', to: 'b@mayfly.test', subject: 'Hi', text }
      const sent = await createTransport('smtp://' + service.smtp + '?ignoreTLS=true').sendMail(mail)
      const headers = { Authorization: 'Bearer key', 'Content-Type': 'application/json' }
      const body = JSON.stringify({ ...mail, text: 'Hi' })
      const { status } = await fetch(service.http + '/resend/emails', { method: 'POST', headers, body })
      await service.stop()
      console.log(sent.response.slice(0, 3), status)
      process.exit()`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      env: { ...free, MAYFLY_DATA_DIR: dir, MAYFLY_LOG_LEVEL: 'silent' },
      encoding: 'utf8',
      timeout: 30_000,
    })
    expect({ stdout, stderr }).toEqual({ stdout: '250 200\n', stderr: '' })
  })

  test('SMTP greets with the MX host, and an address can request a fault', async () => {
    const service = await startService({ MAYFLY_MX_HOST: 'mx.mayfly.example' }, { dataDir: dir })
    const socket = connect(service.smtp)
    expect(String((await once(socket, 'data'))[0])).toBe('220 mx.mayfly.example ESMTP\r\n')
    socket.destroy()
    const client = await SmtpClient.open(service.smtp)
    expect(await client.send('s@example.org', ['bot+smtp.452@mayfly.test'], 'x')).toMatch(/^452 4\.0\.0/)
    client.close()
    expect(await service.stop()).toBe(0)
  })

  test('a wrong configuration: one message lists every fault, the exit code is 78, and no port is opened', async () => {
    const { code, output } = await runToEnd({
      MAYFLY_HTTP_PORT: 'http',
      MAYFLY_DOMAINS: 'x',
      MAYFLY_RETENTION_HOURS: '-1',
      MAYFLY_DATA_DIR: dir,
    })
    expect(code).toBe(78)
    for (const name of ['MAYFLY_HTTP_PORT', 'MAYFLY_DOMAINS', 'MAYFLY_RETENTION_HOURS']) {
      expect(output).toContain(name)
    }
    expect(output).not.toContain('mayfly ready')
    expect(output).not.toMatch(/^\s+at /m)
  })

  test.each<[Record<string, string>, RegExp]>([
    [{ MAYFLY_CATCH_ALL: '' }, /^250 /],
    [
      { MAYFLY_CATCH_ALL: 'off', MAYFLY_DOMAINS: 'shop.test,bank.test,hidden.test=k' },
      /^550 5\.1\.2 .* It accepts mail for shop\.test, bank\.test\. MAYFLY_CATCH_ALL=on accepts every domain$/,
    ],
    // A reply has at most 512 bytes.
    ...[30, 31].map((count): [Record<string, string>, RegExp] => {
      const names = Array.from({ length: count }, (_, n) => `d${10 + n}.test`)
      const listed = count === 30 ? names.join(', ') : '31 configured domains'
      return [
        { MAYFLY_CATCH_ALL: 'off', MAYFLY_DOMAINS: names.join(',') },
        new RegExp(`^550 5\\.1\\.2 .* It accepts mail for ${listed}\\. MAYFLY`),
      ]
    }),
    [
      { MAYFLY_DOMAINS: 'hidden.test=k' },
      /^550 5\.1\.2 .* that domain\. MAYFLY_CATCH_ALL=on accepts every domain$/,
    ],
  ])('mail for another domain, with %j', async (env, reply) => {
    const service = await startService(env, { dataDir: dir })
    const client = await SmtpClient.open(service.smtp)
    expect(await client.send('s@example.org', ['jo@example.com'], 'x')).toMatch(reply)
    client.close()
    expect(await service.stop()).toBe(0)
  })

  test.each(['MAYFLY_HTTP_PORT', 'MAYFLY_SMTP_PORT'])('%s is in use', async (name) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const { code, output } = await runToEnd({ ...free, MAYFLY_DATA_DIR: dir, [name]: String(port) })
    expect(code).toBe(1)
    expect(output).toMatch(
      new RegExp(
        `^listen EADDRINUSE: address already in use 127.0.0.1:${port}\n` +
          `Port ${port} is held by ${basename(process.execPath)} \\(process ${process.pid}\\)\\.\n.*${name}.*\n$`,
      ),
    )
    other.close()
  })

  test('a second process on the same data is refused, and the first one continues', async () => {
    const service = await startService({}, { dataDir: dir })
    const { code, output } = await runToEnd({ ...free, MAYFLY_DATA_DIR: dir })
    expect(code).toBe(1)
    expect(output).toMatch(/in use/)
    expect((await fetch(`${service.http}/api/health`)).status).toBe(200)
    expect(await service.stop()).toBe(0)
  })

  test('a database of a newer version, a file that is not a database, and a folder that cannot be created are refused', async () => {
    const service = await startService({}, { dataDir: dir })
    await service.stop()
    const file = join(dir, 'mayfly.db')
    const db = new DatabaseSync(file)
    db.exec('PRAGMA user_version = 9999')
    db.close()
    const newer = await runToEnd({ ...free, MAYFLY_DATA_DIR: dir })
    expect([newer.code, newer.output]).toEqual([1, expect.stringMatching(/newer version/)])

    await writeFile(file, 'this is no database, whatever its name says '.repeat(100))
    const broken = await runToEnd({ ...free, MAYFLY_DATA_DIR: dir })
    expect([broken.code, broken.output]).toEqual([1, expect.stringContaining('not a database')])

    await writeFile(join(dir, 'file'), '')
    const blocked = await runToEnd({ ...free, MAYFLY_DATA_DIR: join(dir, 'file', 'below') })
    expect([blocked.code, blocked.output]).toEqual([1, expect.stringContaining(join(dir, 'file'))])
    for (const { output } of [newer, broken, blocked]) expect(output).not.toMatch(/^\s+at /m)
  })

  test('mail, keys and domains exist after a restart', async () => {
    const first = await startService({}, { dataDir: dir })
    const address = freshAddress()
    await sendMail(first.smtp, { to: address, subject: 'Stay', text: 'Your code is 482913' })
    const { key } = (await (await fetch(`${first.http}/api/keys`, { method: 'POST' })).json()) as {
      key: string
    }
    await first.stop()
    const second = await startService({}, { dataDir: dir })
    const answer = await fetch(`${second.http}/api/emails/${address}/latest`, {
      headers: { 'X-API-Key': key },
    })
    expect(await answer.json()).toMatchObject({ email: { subject: 'Stay', codes: ['482913'] } })
    await second.stop()
  })

  test('SIGTERM ends open streams and waits, finishes accepted mail, and exits with 0', async () => {
    const service = await startService({}, { dataDir: dir })
    const address = freshAddress()
    const stream = await openStream(`${service.http}/api/sse/${address}`)
    const { key } = (await (await fetch(`${service.http}/api/keys`, { method: 'POST' })).json()) as {
      key: string
    }
    const waiting = fetch(`${service.http}/api/emails/${address}/wait?timeout=25`, {
      headers: { 'X-API-Key': key },
    })
    await sendMail(service.smtp, { to: freshAddress(), subject: 'x', text: 'x' })
    const stopped = service.stop()
    expect(await (await waiting).json()).toEqual({ success: true, email: null })
    expect(await stopped).toBe(0)
    stream.close()
    const lines = service
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 30, time, msg: expect.stringMatching(/^accepted mail for /) }),
      { level: 30, time, signal: 'SIGTERM', msg: 'stopping' },
    ])
  })

  test('a SIGTERM while the service stops does not stop it once more', async () => {
    const services = await Promise.all(Array.from({ length: 3 }, () => startService()))
    for (const [n, service] of services.entries()) {
      service.process.kill('SIGINT')
      await sleep(n * 3)
      expect(await service.stop()).toBe(0)
    }
  })

  test('SIGINT stops the service too, which gives addresses that a browser can open', async () => {
    const service = await startService(
      {
        MAYFLY_HOST: '0.0.0.0',
        MAYFLY_DOMAINS: 'private.test=key-of-its-owner,first.test,second.test',
        MAYFLY_BASE_URL: 'https://mail.first.test',
      },
      { dataDir: dir },
    )
    service.process.kill('SIGINT')
    expect(await service.stop()).toBe(0)
    expect(service.output()).toContain('"signal":"SIGINT"')
    expect(service.output()).toContain(
      greeting('https://mail.first.test', 'first.test', { host: 'localhost', port: service.smtp.port }),
    )
  })

  test('the log contains no key, no address and no mail', async () => {
    const service = await startService(
      { MAYFLY_LOG_LEVEL: 'trace', MAYFLY_DOMAINS: 'mayfly.test,private.test=dk-very-secret' },
      { dataDir: dir },
    )
    const { key } = (await (await fetch(`${service.http}/api/keys`, { method: 'POST' })).json()) as {
      key: string
    }
    const headers = { 'X-API-Key': key, 'X-Domain-Key': 'dk-very-secret' }
    const address = freshAddress('private.test')
    await sendMail(service.smtp, { to: address, subject: 'Subject-In-Mail', text: 'Body-In-Mail 482913' })
    await fetch(`${service.http}/api/emails/${address}/latest`, { headers })
    await fetch(`${service.http}/api/public/emails/${address}?key=dk-very-secret`)
    await fetch(`${service.http}/api/public/emails/${address}?key=dk-wrong-secret`)
    await fetch(`${service.http}/api/emails/${address}`, { headers: { 'X-API-Key': `${key}x` } })
    const stream = await openStream(`${service.http}/api/sse/${address}?key=dk-very-secret`)
    stream.close()
    await service.stop()
    const output = service.output()
    expect(output).toContain('"path":"/api/public/emails/')
    // 20 is debug: by default a mail has the one line of the mail log.
    const smtp = output.split('\n').filter((line) => line.includes('"msg":"smtp"'))
    expect(new Set(smtp.map((line) => JSON.parse(line).level))).toEqual(new Set([20]))
    for (const secret of [key, 'dk-very-secret', 'dk-wrong-secret', 'Subject-In-Mail', 'Body-In-Mail']) {
      expect(output).not.toContain(secret)
    }
  })

  test('expired mail is not listed, and is deleted', async () => {
    // 0.00007 h is a quarter of a second.
    const service = await startService({ MAYFLY_RETENTION_HOURS: '0.00007' }, { dataDir: dir })
    const address = freshAddress()
    await sendMail(service.smtp, { to: address, subject: 'x', text: 'x' })
    const inbox = async () => {
      const answer = await fetch(`${service.http}/api/public/emails/${address}`)
      return ((await answer.json()) as { emails: unknown[] }).emails
    }
    await eventually('an empty inbox', inbox, ({ length }) => length === 0)
    await service.stop()
  })

  test('a data folder is created with its parent folders', async () => {
    await mkdir(join(dir, 'a'))
    const service = await startService({}, { dataDir: join(dir, 'a', 'b', 'c') })
    expect(await service.stop()).toBe(0)
  })
})
