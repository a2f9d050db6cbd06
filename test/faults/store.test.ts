import { spawnSync } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { eventually } from '../support/eventually.ts'
import { freshAddress } from '../support/mail.ts'
import { type RunningService, runToEnd, startService } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { type SmallDisk, smallDisk } from './full-disk.ts'
import { keepSending, missing, type Sent } from './senders.ts'

const PRELOAD = new URL('./kill-thread.mjs', import.meta.url).href
const canLimit = spawnSync('prlimit', ['--version']).status === 0

let dir: string
let running: RunningService[] = []
let cleanUp: (() => Promise<void>)[] = []

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'mayfly-faults-'))
})

afterEach(async () => {
  for (const service of running) if (service.process.exitCode === null) await service.kill()
  for (const step of cleanUp) await step()
  running = []
  cleanUp = []
  await rm(dir, { recursive: true, force: true })
})

async function start(env: Record<string, string> = {}, options = {}): Promise<RunningService> {
  const service = await startService({ MAYFLY_LOG_LEVEL: 'error', ...env }, { dataDir: dir, ...options })
  running.push(service)
  return service
}

async function send(service: RunningService, body = 'x', address = freshAddress()): Promise<string> {
  const client = await SmtpClient.open(service.smtp)
  const reply = await client.send('s@example.org', [address], `Subject: s\r\n\r\n${body}`)
  client.close()
  return reply
}

/** What the endpoints that write answer, and one that reads. */
async function statuses(service: RunningService): Promise<Record<string, unknown>> {
  const health = await fetch(`${service.http}/api/health`)
  const key = await fetch(`${service.http}/api/keys`, { method: 'POST' })
  const inbox = await fetch(`${service.http}/api/public/emails/${freshAddress()}`)
  const code = ((await key.json()) as { code?: string }).code
  return { health: health.status, key: key.status, code, inbox: inbox.status }
}

const isAccepted = (reply: string) => reply.startsWith('250')
const isRefused = (reply: string) => !isAccepted(reply)

/** Fills the disk again after each mail that still fits. */
async function fillUntilRefused(service: RunningService, disk: SmallDisk, body = 'x'): Promise<void> {
  const sendOrFill = async () => {
    const reply = await send(service, body)
    if (isAccepted(reply)) disk.fill()
    return reply
  }
  await eventually('a refusal', sendOrFill, isRefused)
}

const WELL = { health: 200, key: 201, code: undefined, inbox: 200 }
const REFUSING = { health: 503, key: 503, code: 'unavailable', inbox: 200 }

describe('a disk that accepts no data', () => {
  test('a full one: 451 and 503, reading continues, and everything works again when there is room', async () => {
    const disk = await smallDisk(24)
    if (disk === undefined) {
      console.log('Left out: this system allows no process to mount a small file system for a test.')
      return
    }
    cleanUp.push(() => disk.remove())
    // So large that the disk refuses it, not the service.
    const env = { MAYFLY_MAX_STORED_BYTES: '1000000000' }
    const service = await start(env, { dataDir: disk.dir, through: disk.through })
    const sending = keepSending(service)
    await eventually(
      'stored mails',
      () => sending.sent.length,
      (count) => count > 20,
    )
    disk.fill()
    await eventually(
      'refusals',
      () => sending.refused,
      (count) => (count['451 4.3.0'] ?? 0) > 20,
    )
    // Small writes may still fit into the allocated log.
    await eventually('the refusal of a large mail', () => send(service, 'x'.repeat(400_000)), isRefused)
    await fillUntilRefused(service, disk)
    expect(await statuses(service)).toEqual(REFUSING)
    disk.free()
    const before = sending.sent.length
    await eventually(
      'more stored mails',
      () => sending.sent.length,
      (count) => count > before + 5,
    )
    expect(await statuses(service)).toEqual(WELL)
    await sending.stop()
    expect(Object.keys(sending.refused)).toEqual(['451 4.3.0'])
    expect(await missing(service, sending.sent)).toEqual([])

    // Full again, it still stops in order, and everything is stored after the restart.
    disk.fill()
    await fillUntilRefused(service, disk)
    expect(await service.stop()).toBe(0)
    disk.free()
    const second = await start({}, { dataDir: disk.dir, through: disk.through })
    expect(await missing(second, sending.sent)).toEqual([])
    expect(await second.stop()).toBe(0)
  })

  test('one whose every write fails: the same, and the log says why', async () => {
    if (!canLimit) {
      console.log('Left out: there is no prlimit here, which makes a process’s writes fail.')
      return
    }
    const service = await start()
    const limit = (size: string) =>
      spawnSync('prlimit', ['--pid', String(service.process.pid), `--fsize=${size}:unlimited`])
    const sending = keepSending(service)
    await eventually(
      'stored mails',
      () => sending.sent.length,
      (count) => count > 20,
    )
    for (let i = 0; i < 5; i++) {
      const { sent, refused } = sending
      const [accepted, failed] = [sent.length, refused['451 4.3.0'] ?? 0]
      limit('4096')
      await eventually(
        'more refusals',
        () => refused,
        (count) => (count['451 4.3.0'] ?? 0) > failed + 10,
      )
      expect(await statuses(service)).toEqual(REFUSING)
      limit('unlimited')
      await eventually(
        'more stored mails',
        () => sent.length,
        (count) => count > accepted + 10,
      )
    }
    await sending.stop()
    expect(Object.keys(sending.refused)).toEqual(['451 4.3.0'])
    expect(await missing(service, sending.sent)).toEqual([])
    expect(service.output()).toContain('disk I/O error')
    limit('4096')
    expect(await send(service)).toMatch(/^451/)
    expect(await service.stop()).toBe(0)
    const second = await start()
    expect(await missing(second, sending.sent)).toEqual([])
  })
})

describe('a disk that strangers fill', () => {
  test('mail is refused before a write fails, health says why, and after expiry everything works again', async () => {
    const disk = await smallDisk(150)
    if (disk === undefined) {
      console.log('Left out: this system allows no process to mount a small file system for a test.')
      return
    }
    cleanUp.push(() => disk.remove())
    const seconds = 25
    const service = await start(
      { MAYFLY_RETENTION_HOURS: (seconds / 3600).toFixed(6) },
      { dataDir: disk.dir, through: disk.through },
    )
    const kept: Sent[] = []
    const refused = new Set<string>()
    // Large and small ones, each with an attachment that is stored a second time, until none is
    // accepted.
    for (const size of [20_000_000, 2_000_000, 200_000, 20_000, 2000]) {
      for (let full = false; !full; ) {
        const address = freshAddress()
        const replies = await Promise.all(
          Array.from({ length: 4 }, () => send(service, 'x'.repeat(size), address)),
        )
        for (const reply of replies) {
          if (reply.startsWith('250')) kept.push({ address, id: reply.split(' ')[3]!, size })
          else refused.add(reply.slice(0, 9))
          full ||= !reply.startsWith('250')
        }
      }
    }
    expect(service.output()).not.toContain('"level":50')
    expect([...refused]).toEqual(['452 4.3.1'])
    expect(kept.length).toBeGreaterThan(10)
    const health = await fetch(`${service.http}/api/health`)
    expect([health.status, ((await health.json()) as { detail: string }).detail]).toEqual([
      503,
      expect.stringContaining('full'),
    ])
    // Reading and everything besides mail continue.
    expect((await fetch(`${service.http}/api/keys`, { method: 'POST' })).status).toBe(201)
    expect((await fetch(`${service.http}/api/public/emails/${kept[0]!.address}`)).status).toBe(200)

    await sleep(seconds * 1000)
    await eventually('an accepted mail after the expiry', () => send(service), isAccepted)
    await eventually(
      'the health',
      async () => (await fetch(`${service.http}/api/health`)).status,
      (status) => status === 200,
    )
    expect(await service.stop()).toBe(0)
  }, 240_000)

  test('the sweep frees room on a disk without a free block', async () => {
    const disk = await smallDisk(60)
    if (disk === undefined) {
      console.log('Left out: this system allows no process to mount a small file system for a test.')
      return
    }
    cleanUp.push(() => disk.remove())
    const env = { MAYFLY_RETENTION_HOURS: '0.003', MAYFLY_MAX_STORED_BYTES: '30000000' }
    const service = await start(env, { dataDir: disk.dir, through: disk.through })
    for (let i = 0; i < 100; i++) await send(service, 'x'.repeat(100_000))
    disk.fill()
    // The reserve is used up after the first round, because the disk never has room again.
    for (let round = 0; round < 3; round++) {
      await fillUntilRefused(service, disk, 'x'.repeat(200_000))
      await fillUntilRefused(service, disk)
      await eventually('an accepted mail', () => send(service, 'x'.repeat(200_000)), isAccepted)
      expect(await statuses(service)).toEqual(WELL)
    }
  }, 240_000)
})

describe('a database that is', () => {
  test('locked by another process: every client gets 451, and everything works when the lock is released', async () => {
    const service = await start()
    expect(await send(service)).toMatch(/^250/)
    const other = new DatabaseSync(join(dir, 'mayfly.db'))
    other.exec('BEGIN IMMEDIATE')
    // If they waited for the lock one after the other, the test would exceed its time limit.
    const replies = await Promise.all(Array.from({ length: 60 }, () => send(service)))
    expect(new Set(replies.map((reply) => reply.slice(0, 9)))).toEqual(new Set(['451 4.3.0']))
    expect(await statuses(service)).toEqual(REFUSING)
    other.exec('ROLLBACK')
    other.close()
    expect(await send(service)).toMatch(/^250/)
    expect(await statuses(service)).toEqual(WELL)
    // A short lock is waited for again.
    const brief = new DatabaseSync(join(dir, 'mayfly.db'))
    brief.exec('BEGIN IMMEDIATE')
    const waiting = send(service)
    await sleep(300)
    brief.exec('COMMIT')
    brief.close()
    expect(await waiting).toMatch(/^250/)
  })

  test('damaged while it runs: no invented answer, and no accepted mail is lost', async () => {
    const service = await start()
    const address = freshAddress()
    for (let i = 0; i < 200; i++) expect(await send(service, 'x'.repeat(3000), address)).toMatch(/^250/)
    // From the log into the database file.
    expect(await service.stop()).toBe(0)
    const again = await start()
    const file = join(dir, 'mayfly.db')
    const { size } = await stat(file)
    const handle = openSync(file, 'r+')
    writeSync(handle, Buffer.alloc(size - 4096 * 4, 0xa5), 0, undefined, 4096 * 4)
    closeSync(handle)
    const answer = await fetch(`${again.http}/api/public/emails/${address}`)
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([503, 'unavailable'])
    const reply = await send(again).catch(() => 'gone')
    expect(reply).not.toMatch(/^250/)
    expect(again.output()).toMatch(/malformed|corrupt|not a database/)
    if (again.process.exitCode === null) await again.kill()
    const { code, output } = await runToEnd({
      MAYFLY_HTTP_PORT: '0',
      MAYFLY_SMTP_PORT: '0',
      MAYFLY_DATA_DIR: dir,
    })
    expect(code).toBe(1)
    expect(output).toMatch(/cannot be opened|malformed/)
    expect(output).not.toContain('mayfly ready')
  })
})

describe('a thread that ends', () => {
  test.each(['ingest-thread'])(
    '%s: the process ends loudly, and starts again with everything',
    async (thread) => {
      const service = await start({ KILL_THREAD: thread, NODE_OPTIONS: `--import=${PRELOAD}` })
      const sending = keepSending(service)
      await eventually(
        'stored mails',
        () => sending.sent.length,
        (count) => count > 50,
      )
      const ended = new Promise((resolve) => service.process.once('exit', resolve))
      service.process.kill('SIGUSR2')
      expect(await ended).toBe(1)
      await sending.stop()
      expect(service.output()).toMatch(/"level":60.*writing thread failed/)
      const second = await start()
      expect(await missing(second, sending.sent)).toEqual([])
      expect(await second.stop()).toBe(0)
    },
  )
})
