import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { SmtpOptions } from '../../../adapters/smtp/listener.ts'
import { eventually } from '../../support/eventually.ts'
import {
  A_MAIL,
  BEGIN,
  DATA,
  ENVELOPE,
  GREETING,
  listenWith,
  recipient,
  TO_DATA,
  TO_SENDER,
} from './setup.ts'
import type { Script, Step } from './smtp-script.ts'

let close: () => Promise<void>

async function listen(options: Partial<SmtpOptions> = {}) {
  const setup = await listenWith(options)
  close = setup.close
  return setup
}

afterEach(() => close())

async function greeted(client: Script): Promise<Script> {
  await client.run([{ expect: '220' }])
  return client
}

describe('connections of one client', () => {
  test('leave nothing behind when they are closed', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const accepted: WeakRef<Socket>[] = []
    const onSocket = (message: unknown) => {
      accepted.push(new WeakRef((message as { socket: Socket }).socket))
    }
    subscribe('net.server.socket', onSocket)
    const { open } = await listen()
    for (let n = 0; n < 10; n++) {
      const client = await greeted(open())
      await client.run([{ send: 'QUIT', expect: '221' }])
      await client.closed()
    }
    unsubscribe('net.server.socket', onSocket)
    expect(accepted).toHaveLength(10)
    // The last one may still be referred to by the work under way.
    const isFree = () => accepted.filter((socket) => socket.deref() !== undefined).length <= 1
    await eventually('the sockets to be freed', () => {
      collectGarbage()
      return isFree()
    })
  })

  test('are limited to 20, and closing one frees its place', async () => {
    const { open } = await listen({ limits: { isTrusted: () => false } })
    const clients = await Promise.all(Array.from({ length: 20 }, () => greeted(open())))
    const late = open()
    await late.run([{ expect: '421 4.7.0' }])
    await late.closed()
    await clients[0]?.run([{ send: 'QUIT', expect: '221' }])
    await clients[0]?.closed()
    await open().run(A_MAIL)
  })

  test('are not limited for clients on this machine', async () => {
    const { open } = await listen()
    await Promise.all(Array.from({ length: 30 }, () => greeted(open())))
    await open().run(A_MAIL)
  })
})

describe('commands without a mail', () => {
  test.each([
    // The reply to the last one comes before the one that ends the connection.
    ['NOOP', 11],
    ['RSET', 11],
    ['VRFY bot@mayfly.test', 11],
    ['HELP', 11],
    // A client that turns on TLS sends a second one.
    ['EHLO again.example', 12],
    ['RCPT TO:<a@elsewhere.test>', 11],
    ['NONSENSE', 9],
  ])('%s: the connection ends after %d replies', async (command, count) => {
    const { open } = await listen({ auth: 'any' })
    const client = open()
    await client.run([
      { expect: '220' },
      { send: 'EHLO client.example', expect: '250' },
      { send: 'AUTH PLAIN AGEAYg==', expect: '235' },
      ...ENVELOPE.slice(0, 1),
    ])
    client.send(`${command}\r\n`.repeat(20))
    let replies = 0
    while (!(await client.reply()).startsWith('421')) replies++
    expect(replies).toBe(count)
    await client.closed()
  })

  test.each([
    ['accepted again and again', () => 'a@mayfly.test'],
    ['one above the most of a message', (n: number) => `bot${n}@mayfly.test`],
    ['that requests a fault', () => 'bot+smtp.450@mayfly.test'],
  ])('a recipient %s: the connection ends after 300 commands', async (_, recipientOf) => {
    const { open } = await listen({ faults: true })
    const client = open()
    await client.run(TO_SENDER)
    client.send(Array.from({ length: 400 }, (_, n) => `RCPT TO:<${recipientOf(n)}>\r\n`).join(''))
    let replies = 0
    while (!(await client.reply()).startsWith('421 4.7.0 Too many commands')) replies++
    // Two commands were before them.
    expect(replies).toBe(298)
    await client.closed()
  })

  test('count from zero again after a mail, whose own commands do not count', async () => {
    const { open, delivered } = await listen()
    const client = open()
    await client.run(GREETING)
    for (let mail = 0; mail < 8; mail++) {
      for (let i = 0; i < 9; i++) await client.run([{ send: 'NOOP', expect: '250' }])
      await client.run([{ send: 'MAIL FROM:<ann@example.com>', expect: '250' }])
      for (let i = 0; i < 30; i++) await client.run([recipient(`bot${i}@mayfly.test`)])
      await client.run([BEGIN, DATA])
    }
    expect(delivered).toHaveLength(8)
  })

  test('keep their count after a mail that the store rejected', async () => {
    const { open } = await listen({ deliver: () => Promise.reject(new Error('away')) })
    const client = open()
    await client.run(GREETING)
    for (let i = 0; i < 15; i++) await client.run([...ENVELOPE, { send: 'x\r\n.', expect: '451 4.3.0' }])
  })
})

describe('time', () => {
  // Mailers of queue workers, such as that of Symfony, send the next mail without a look at the connection.
  test('a client may be silent for five minutes, after a mail too', async () => {
    let accepted: Socket | undefined
    const onSocket = (message: unknown) => {
      accepted ??= (message as { socket: Socket }).socket
    }
    subscribe('net.server.socket', onSocket)
    const { open } = await listen()
    const client = await greeted(open())
    unsubscribe('net.server.socket', onSocket)
    await client.run(A_MAIL.slice(1))
    expect(accepted?.timeout).toBe(300_000)
  })

  test('a client that only keeps its connection alive is disconnected', async () => {
    const { open } = await listen({ limits: { mailMs: 2500, commandMs: 2000 } })
    const client = await greeted(open())
    let isOpen = true
    const end = client.closed().then(() => {
      isOpen = false
    })
    for (let i = 0; isOpen; i++) {
      client.send(i % 2 === 0 ? 'NO' : 'OP\r\n')
      await sleep(200)
    }
    await end
  })

  test('a client is disconnected although its last message took longer, and was not stored', async () => {
    const deliver = async () => {
      await sleep(3000)
      throw new Error('away')
    }
    const { open } = await listen({ limits: { mailMs: 2500 }, deliver })
    const client = open()
    await client.run([...TO_DATA, { send: 'x\r\n.', expect: '451 4.3.0' }, { expect: '421 4.4.2' }])
    await client.closed()
  })

  test('a message that arrives byte by byte has a deadline', async () => {
    const { open, delivered } = await listen({ limits: { mailMs: 2500, dataMs: 2000 } })
    const client = open()
    await client.run(TO_DATA)
    const dripping = setInterval(() => client.send('x'), 100)
    await client.run([{ expect: '421 4.4.2' }])
    clearInterval(dripping)
    await client.closed()
    expect(delivered).toEqual([])
  })
})

describe('when connections are scarce', () => {
  test('idle connections are evicted for clients that send mail', async () => {
    const { open, delivered } = await listen({ limits: { connections: 40 } })
    const idle = await Promise.all(Array.from({ length: 40 }, () => greeted(open())))
    await sleep(1100)
    for (let i = 0; i < 30; i++) await open().run(A_MAIL)
    expect(delivered).toHaveLength(30)
    await idle[0]?.run([{ expect: '421 4.7.0' }])
    await idle[0]?.closed()
  })

  test('a connection that sends mail is not evicted', async () => {
    const { open } = await listen({ limits: { connections: 3 } })
    // The older one would be evicted if mail did not count.
    const [busy, idle, slow] = [open(), open(), open()]
    await busy.run(GREETING)
    await idle.run(GREETING)
    await slow.run(TO_DATA)
    slow.send('half a ')
    await sleep(1100)
    await busy.run([...ENVELOPE, DATA])
    await open().run([{ expect: '220' }])
    await idle.run([{ expect: '421 4.7.0' }])
    slow.send('message\r\n.\r\n')
    await slow.run([{ expect: '250' }])
    await busy.run([{ send: 'NOOP', expect: '250' }])
  })
})

describe('a client that holds the most places', () => {
  /** Clients of two networks, of which the first one may hold `connections` places. */
  const crowded = async (connections: number) => {
    const limits = {
      connections,
      connectionsPerClient: connections,
      connectionsReserved: 0,
      isTrusted: () => false,
    }
    const store = { fails: false }
    const { open } = await listen({
      limits,
      deliver: async () => {
        if (store.fails) throw new Error('away')
        return ['id']
      },
    })
    const first = (steps: readonly Step[]) => {
      const client = open({ localAddress: '127.0.1.1' })
      return client.run(steps).then(() => client)
    }
    const second = () => open({ localAddress: '127.0.2.1' })
    return { first, second, store }
  }
  const EVICTED = { expect: '421 4.7.0 Other clients wait' }
  const STAYS = { send: 'NOOP', expect: '250' }
  const REJECTED = [...TO_DATA, { send: 'x\r\n.', expect: '451' }]

  test('loses one that has sent no mail, or only a rejected one', async () => {
    const { first, second, store } = await crowded(3)
    const [one, two] = [await first(A_MAIL), await first(A_MAIL)]
    store.fails = true
    const rejected = await first(REJECTED)
    await second().run([{ expect: '220' }])
    await rejected.run([EVICTED])
    for (const client of [one, two]) await client.run([STAYS])
  })

  test('loses none if each of its connections has sent mail', async () => {
    const { first, second } = await crowded(2)
    const clients = [await first(A_MAIL), await first(A_MAIL)]
    await second().run([{ expect: '421 4.3.2' }])
    for (const client of clients) await client.run([STAYS])
  })

  test('loses none to a client that would then hold as many', async () => {
    const { first, second } = await crowded(3)
    const clients = [await first(TO_DATA), await first(TO_DATA)]
    await second().run([{ expect: '220' }])
    await second().run([{ expect: '421 4.3.2' }])
    for (const client of clients) await client.run([DATA])
  })
})

describe('fifty clients with as many connections as are allowed', () => {
  test('leave places for another client', async () => {
    const { open } = await listen({ limits: { isTrusted: () => false } })
    const addresses = Array.from({ length: 50 }, (_, n) => `127.0.${n + 1}.1`)
    let refused = 0
    for (const localAddress of addresses) {
      const replies = await Promise.all(Array.from({ length: 20 }, () => open({ localAddress }).reply()))
      refused += replies.filter((reply) => reply.startsWith('421 4.7.0')).length
    }
    expect(refused).toBeGreaterThan(50)
    await open({ localAddress: '127.0.200.1' }).run(A_MAIL)
  })
})

describe('a full store', () => {
  test('rejects mail before the message, or after it if its size was not declared', async () => {
    let room = 0
    const { open, delivered } = await listen({ hasRoom: (bytes) => bytes < room })
    const client = open()
    await client.run([...GREETING, { send: 'MAIL FROM:<ann@example.com>', expect: '452 4.3.1' }])
    room = 1000
    await client.run([
      { send: 'MAIL FROM:<ann@example.com> SIZE=1000', expect: '452 4.3.1' },
      ...ENVELOPE,
      { send: `${'x'.repeat(1000)}\r\n.`, expect: '452 4.3.1' },
      ...ENVELOPE,
      DATA,
    ])
    expect(delivered).toHaveLength(1)
  })
})
