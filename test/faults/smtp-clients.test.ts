import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '../support/eventually.ts'
import { freshAddress } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { MB, memoryOf } from './raw-http.ts'

const to = (address: string) => [
  'EHLO client.example\r\n',
  'MAIL FROM:<s@example.org>\r\n',
  `RCPT TO:<${address}>\r\n`,
  'DATA\r\n',
]

/** What the client had sent when it stalls or vanishes. */
const STAGES: [string, (address: string) => string[]][] = [
  ['the connection', () => []],
  ['half a command', () => ['EHL']],
  ['EHLO', (address) => to(address).slice(0, 1)],
  ['MAIL', (address) => to(address).slice(0, 2)],
  ['RCPT', (address) => to(address).slice(0, 3)],
  ['DATA', (address) => to(address)],
  ['some of the data', (address) => [...to(address), 'Subject: half\r\n\r\nof it']],
  ['half a megabyte of the data', (address) => [...to(address), 'x'.repeat(600_000)]],
  ['the line before the dot', (address) => [...to(address), 'Subject: s\r\n\r\nx\r\n']],
  ['the dot without its line end', (address) => [...to(address), 'Subject: s\r\n\r\nx\r\n.']],
  ['the dot and half its line end', (address) => [...to(address), 'Subject: s\r\n\r\nx\r\n.\r']],
]

describe('clients that stall, vanish and trickle', () => {
  let dir: string
  let service: RunningService
  const sockets: Socket[] = []

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'mayfly-clients-'))
    service = await startService({ MAYFLY_LOG_LEVEL: 'error' }, { dataDir: dir })
  })

  afterAll(async () => {
    for (const socket of sockets) socket.destroy()
    await service?.stop()
    await rm(dir, { recursive: true, force: true })
  })

  /** Sends every command, each after the reply to the one before. */
  async function say(lines: string[]): Promise<Socket> {
    const socket = connect({ ...service.smtp, noDelay: true })
    socket.on('error', () => {})
    sockets.push(socket)
    let said = ''
    let replies = 0
    const replied = async (count: number) => {
      while (replies < count) {
        said += String(await new Promise((resolve) => socket.once('data', resolve)))
        replies = said.split(/^\d{3} .*\r\n/m).length - 1
      }
    }
    for (const [n, line] of lines.entries()) {
      await replied(Math.min(n, 4) + 1)
      socket.write(line)
    }
    return socket
  }

  async function works(): Promise<void> {
    const address = freshAddress()
    const smtp = await SmtpClient.open(service.smtp)
    expect(await smtp.send('s@example.org', [address], 'Subject: others\r\n\r\nx')).toMatch(/^250/)
    smtp.close()
    expect(await count(address)).toBe(1)
  }

  async function count(address: string): Promise<number> {
    const answer = await fetch(`${service.http}/api/public/emails/${address}`)
    return ((await answer.json()) as { emails: unknown[] }).emails.length
  }

  /** Parts and chunks that belong to no stored message. */
  function leftBehind(): number {
    const db = new DatabaseSync(join(dir, 'mayfly.db'), { readOnly: true })
    const row = db
      .prepare(
        `SELECT (SELECT count(*) FROM chunks WHERE part NOT IN (SELECT id FROM parts WHERE size IS NOT NULL))
           + (SELECT count(*) FROM parts WHERE size IS NULL) AS n`,
      )
      .get()
    db.close()
    return Number(row!.n)
  }

  /** Unfinished parts are removed soon after their sender has disconnected. */
  async function nothingLeftBehind(): Promise<void> {
    await eventually('no unfinished part', leftBehind, (count) => count === 0)
  }

  test.each(STAGES)('after %s', async (_name, stage) => {
    const addresses = Array.from({ length: 10 }, () => freshAddress())
    const stalled = await Promise.all(addresses.map((address) => say(stage(address))))
    await works()
    for (const socket of stalled) socket.destroy()
    await works()
    for (const address of addresses) expect(await count(address)).toBe(0)
    await nothingLeftBehind()
  })

  test('after the dot, before the reply: the mail exists once, or not at all', async () => {
    const addresses = Array.from({ length: 50 }, () => freshAddress())
    await Promise.all(
      addresses.map(async (address, i) => {
        const size = i % 5 === 0 ? 400_000 : 100
        const socket = await say([...to(address), `Subject: s\r\n\r\n${'x'.repeat(size)}\r\n.\r\n`])
        await sleep(Math.random() * 5)
        socket.destroy()
      }),
    )
    await works()
    for (const address of addresses) expect(await count(address)).toBeLessThanOrEqual(1)
    await nothingLeftBehind()
  })

  test('a client that sends much and reads nothing is read only as far as its replies can be buffered', async () => {
    const socket = await say(to(freshAddress()).slice(0, 1))
    socket.pause()
    const before = memoryOf(service)
    const noops = Buffer.from('NOOP\r\n'.repeat(10_000))
    for (let i = 0; i < 500 && !socket.destroyed; i++) {
      if (socket.write(noops)) continue
      const went = await Promise.race([
        new Promise((resolve) => socket.once('drain', () => resolve(true))),
        new Promise((resolve) => socket.once('close', () => resolve(false))),
        sleep(1000, false),
      ])
      if (went === false) break
    }
    // 30 MB of commands would be 100 MB of replies.
    expect(memoryOf(service) - before).toBeLessThan(80 * MB)
    await works()
    socket.destroy()
  })

  test('trickling senders delay no other sender', async () => {
    const trickling = await Promise.all(Array.from({ length: 100 }, () => say(to(freshAddress()))))
    const timer = setInterval(() => {
      for (const socket of trickling) socket.write('x')
    }, 5)
    for (let i = 0; i < 20; i++) await works()
    clearInterval(timer)
    for (const socket of trickling) socket.destroy()
    await works()
  })
})
