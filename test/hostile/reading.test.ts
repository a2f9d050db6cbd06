import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { freshAddress } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'

const KB = 1024
const MB = 1024 * KB
/** A difference that a busy machine makes by itself. */
const NOISE_MS = 100

/** Messages that cost much more to read than their size suggests. */
const HOSTILE: Record<string, (size: number) => Buffer> = {
  'nested parts and lines of dashes'(size) {
    const levels = Array.from({ length: 98 }, (_, n) => n)
    const head = levels.map((n) => `Content-Type: multipart/mixed; boundary="b${n}"\r\n\r\n--b${n}\r\n`)
    return filled(`Subject: x\r\n${head.join('')}\r\n`, '--\r\n', size)
  },
  'a header field of semicolons': (size) =>
    Buffer.concat([filled('Content-Type: text/plain', ';', size), Buffer.from('\r\n\r\nx\r\n')]),
  uuencode: (size) =>
    filled('Content-Transfer-Encoding: x-uuencode\r\n\r\nbegin 644 a.bin\r\n', 'M\r\n', size),
  'HTML of open tags': (size) => filled('Content-Type: text/html\r\n\r\n', '</<', size),
}
const plain = (size: number) =>
  filled('Subject: x\r\n\r\n', 'The quick brown fox jumps over the dog.\r\n', size)

function filled(head: string, piece: string, size: number): Buffer {
  return Buffer.concat([Buffer.from(head), Buffer.alloc(size, piece)])
}

describe('the cost of reading a message', () => {
  let service: RunningService

  beforeAll(async () => {
    service = await startService({ MAYFLY_LOG_LEVEL: 'error' })
  })
  afterAll(() => service?.stop())

  /** Sends the message from a client address of its own; the ms from the connection to the 250. */
  async function send(client: string, raw: Buffer): Promise<number> {
    const began = performance.now()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const socket = connect({ ...service.smtp, localAddress: client })
    const lines = ['EHLO client.example', 'MAIL FROM:<a@example.com>', `RCPT TO:<${freshAddress()}>`, 'DATA']
    let said = ''
    socket.on('error', reject).on('close', () => reject(new Error(`The connection ended: ${said}`)))
    socket.on('data', (chunk) => {
      said += chunk
      if (!/(^|\n)\d{3} .*\r\n$/.test(said)) return
      const code = /(?:^|\n)(\d{3}) .*\r\n$/.exec(said)?.[1]
      if (!['220', '250', '354'].includes(code ?? '')) reject(new Error(said))
      said = ''
      const line = lines.shift()
      if (line !== undefined) socket.write(`${line}\r\n`)
      else if (code === '354') {
        socket.write(raw)
        socket.write('\r\n.\r\n')
      } else resolve()
    })
    await promise.finally(() => socket.destroy())
    return performance.now() - began
  }

  /** The median ms of another client's mails of 1 KB, while 40 messages of the attacker are read. */
  async function behindForty(raw: Buffer): Promise<number> {
    let isOver = false
    const flood = Promise.all(
      Array.from({ length: 20 }, async () => {
        for (const _ of [1, 2]) await send('127.0.0.2', raw)
      }),
    ).finally(() => {
      isOver = true
    })
    await sleep(20)
    const waits: number[] = []
    do waits.push(await send('127.0.0.3', plain(KB)))
    while (!isOver && waits.length < 200)
    await flood
    return waits.sort((a, b) => a - b)[Math.floor(waits.length / 2)] ?? 0
  }

  /** The ms of another client's message of 300 KB behind three messages of 3 MB of the attacker. */
  async function behindThree(raw: Buffer, clients: string[]): Promise<number> {
    const flood = Promise.all(clients.map((client) => send(client, raw)))
    await sleep(50)
    const ms = await send('127.0.0.9', plain(300 * KB))
    await flood
    return ms
  }

  test.each(Object.entries(HOSTILE))(
    'a mail of 1 KB waits behind 40 messages of %s at most 3 times longer than behind plain ones',
    async (_, make) => {
      await send('127.0.0.2', plain(KB))
      const ours = await behindForty(plain(160 * KB))
      const theirs = await behindForty(make(160 * KB))
      process.stderr.write(`1 KB behind 40: ${Math.round(ours)} ms plain, ${Math.round(theirs)} ms hostile\n`)
      expect(theirs).toBeLessThan(3 * Math.max(ours, NOISE_MS))
    },
    300_000,
  )

  test.each([
    ['one client', ['127.0.0.2', '127.0.0.2', '127.0.0.2']],
    ['three clients', ['127.0.0.2', '127.0.0.4', '127.0.0.5']],
  ])(
    'a message of 300 KB waits behind 3 hostile ones of 3 MB from %s at most 4 times longer',
    async (_, clients) => {
      await behindThree(plain(3 * MB), clients)
      for (const [name, make] of Object.entries(HOSTILE)) {
        const ours = await behindThree(plain(3 * MB), clients)
        const theirs = await behindThree(make(3 * MB), clients)
        process.stderr.write(`300 KB behind 3 of ${name}: ${Math.round(ours)}, ${Math.round(theirs)} ms\n`)
        expect(theirs).toBeLessThan(4 * Math.max(ours, NOISE_MS))
      }
    },
    300_000,
  )
})
