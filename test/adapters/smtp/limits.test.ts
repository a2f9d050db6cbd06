import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { SmtpOptions } from '../../../adapters/smtp/listener.ts'
import { A_MAIL, listenWith, TO_DATA } from './setup.ts'
import type { Script } from './smtp-script.ts'

let close: () => Promise<void>

async function listen(options: Partial<SmtpOptions> = {}) {
  const setup = await listenWith(options)
  close = setup.close
  return setup
}

afterEach(() => close())

async function greeted(client: Script): Promise<Script> {
  await client.run([[null, '220']])
  return client
}

describe('connections of one client', () => {
  test('20 and no more, and one more when one is closed', async () => {
    const { open } = await listen({ limits: { isTrusted: () => false } })
    const clients = await Promise.all(Array.from({ length: 20 }, () => greeted(open())))
    const late = open()
    await late.run([[null, '421 4.7.0']])
    await late.closed()
    await clients[0]!.run([['QUIT', '221']])
    await clients[0]!.closed()
    await open().run(A_MAIL)
  })

  test('any number from the machine itself', async () => {
    const { open } = await listen()
    await Promise.all(Array.from({ length: 30 }, () => greeted(open())))
    await open().run(A_MAIL)
  })
})

describe('commands without a mail', () => {
  test.each([
    'NOOP',
    'RSET',
    'VRFY bot@mayfly.test',
    'EHLO again.example',
    'RCPT TO:<a@elsewhere.test>',
    'NONSENSE',
  ])('%s: ten, then the connection ends', async (command) => {
    const { open } = await listen()
    const client = open()
    await client.run(TO_DATA.slice(0, 3))
    client.send(`${command}\r\n`.repeat(20))
    let replies = 0
    while (!(await client.reply()).startsWith('421')) replies++
    expect(replies).toBeLessThanOrEqual(12)
    await client.closed()
  })

  test('a mail makes up for them, and its own commands do not count', async () => {
    const { open, delivered } = await listen()
    const client = open()
    await client.run(TO_DATA.slice(0, 2))
    for (let mail = 0; mail < 4; mail++) {
      for (let i = 0; i < 9; i++) await client.run([['NOOP', '250']])
      await client.run([['MAIL FROM:<ann@example.com>', '250']])
      for (let i = 0; i < 30; i++) await client.run([[`RCPT TO:<bot${i}@mayfly.test>`, '250']])
      await client.run([
        ['DATA', '354'],
        ['x\r\n.', '250'],
      ])
    }
    expect(delivered).toHaveLength(4)
  })

  test('a store that fails is none of the client’s fault', async () => {
    const { open } = await listen({ deliver: () => Promise.reject(new Error('away')) })
    const client = open()
    await client.run(TO_DATA.slice(0, 2))
    for (let i = 0; i < 15; i++) await client.run([...TO_DATA.slice(2), ['x\r\n.', '451 4.3.0']])
  })
})

describe('time', () => {
  test('a client that speaks now and then, without a mail, has to leave', async () => {
    const { open } = await listen({ limits: { mailMs: 150, commandMs: 100 } })
    const client = await greeted(open())
    const end = client.closed()
    for (let i = 0; i < 6; i++) {
      client.send(i % 2 === 0 ? 'NO' : 'OP\r\n')
      await sleep(40)
    }
    await end
  })

  test('a message of one byte now and then has to be over some time', async () => {
    const { open, delivered } = await listen({ limits: { mailMs: 200, dataMs: 100 } })
    const client = open()
    await client.run(TO_DATA)
    const dripping = setInterval(() => client.send('x'), 20)
    await client.run([[null, '421 4.4.2']])
    clearInterval(dripping)
    await client.closed()
    expect(delivered).toEqual([])
  })

  test('the time of the store is not the client’s', async () => {
    const { open } = await listen({
      limits: { mailMs: 100 },
      deliver: async () => {
        await sleep(350)
        return ['id']
      },
    })
    await open().run(A_MAIL)
  })
})

describe('when places are scarce', () => {
  test('1,000 idle connections, renewed as they are ended, stop no mail', async () => {
    const { open, delivered } = await listen({ limits: { connections: 40 } })
    const idle = await Promise.all(Array.from({ length: 40 }, () => greeted(open())))
    await sleep(1100)
    for (let i = 0; i < 30; i++) await open().run(A_MAIL)
    expect(delivered).toHaveLength(30)
    await idle[0]!.run([[null, '421 4.7.0']])
    await idle[0]!.closed()
  })

  test('who brings mail stays', async () => {
    const { open } = await listen({ limits: { connections: 3 } })
    const [idle, busy, slow] = [open(), open(), open()]
    await idle.run(TO_DATA.slice(0, 2))
    await busy.run(TO_DATA.slice(0, 2))
    await slow.run(TO_DATA)
    slow.send('half a ')
    await sleep(1100)
    await busy.run([...TO_DATA.slice(2), ['x\r\n.', '250']])
    await open().run([[null, '220']])
    await idle.run([[null, '421 4.7.0']])
    slow.send('message\r\n.\r\n')
    await slow.run([[null, '250']])
    await busy.run([['NOOP', '250']])
  })
})

describe('a full store', () => {
  test('is said before the message, and after it where its size was not known', async () => {
    let room = 0
    const { open, delivered } = await listen({ hasRoom: (bytes) => bytes < room })
    const client = open()
    await client.run([...TO_DATA.slice(0, 2), ['MAIL FROM:<ann@example.com>', '452 4.3.1']])
    room = 1000
    await client.run([
      ['MAIL FROM:<ann@example.com> SIZE=1000', '452 4.3.1'],
      ...TO_DATA.slice(2),
      [`${'x'.repeat(1000)}\r\n.`, '452 4.3.1'],
      ...TO_DATA.slice(2),
      ['x\r\n.', '250'],
    ])
    expect(delivered).toHaveLength(1)
  })
})
