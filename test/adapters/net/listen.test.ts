import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, expect, jest, test } from '@jest/globals'
import { listenOnAll } from '../../../adapters/net/listen.ts'

const BOTH = { hosts: ['127.0.0.1', '::1'], port: 0, backlog: 5 }
const open: Server[] = []
const create = () => {
  const server = createServer()
  open.push(server)
  return server
}

afterEach(() => {
  for (const server of open.splice(0)) server.close()
  jest.restoreAllMocks()
})

async function taken(host: string): Promise<number> {
  const other = create().listen(0, host)
  await once(other, 'listening')
  return (other.address() as AddressInfo).port
}

test('port 0 is the same port on all addresses', async () => {
  const { servers, hosts, port } = await listenOnAll(create, BOTH)
  expect(hosts).toEqual(['127.0.0.1', '::1'])
  expect(servers.map((server) => (server.address() as AddressInfo).port)).toEqual([port, port])
})

test('a port that is in use on one address is an error, and the other address is closed again', async () => {
  const port = await taken('::1')
  await expect(listenOnAll(create, { ...BOTH, port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    address: '::1',
  })
  const { hosts } = await listenOnAll(create, { hosts: ['127.0.0.1'], port, backlog: 5 })
  expect(hosts).toEqual(['127.0.0.1'])
})

test('a selected port that another program has on one address is replaced by another one', async () => {
  const port = await taken('::1')
  const listen = jest.spyOn(createServer().constructor.prototype as Server, 'listen')
  // The system selects a port by itself; the first one is made to be the one that is in use.
  listen.mockImplementationOnce(function (this: Server) {
    return this.listen(port, '127.0.0.1')
  } as never)
  const listening = await listenOnAll(create, BOTH)
  expect(listening.port).not.toBe(port)
  expect(listening.hosts).toHaveLength(2)
})

test('an address that this machine does not have is left out, unless it is the only one', async () => {
  const { hosts } = await listenOnAll(create, { ...BOTH, hosts: ['127.0.0.1', '2001:db8::1'] })
  expect(hosts).toEqual(['127.0.0.1'])
  await expect(listenOnAll(create, { ...BOTH, hosts: ['2001:db8::1'] })).rejects.toMatchObject({
    message: 'This machine has no address 2001:db8::1.',
    syscall: 'listen',
  })
})

test.each(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])(
  'an address with %s is one that the machine does not have',
  async (code) => {
    // Without IPv6, ::1 has the second one; this machine has IPv6.
    const listen = jest.spyOn(createServer().constructor.prototype as Server, 'listen')
    listen.mockImplementationOnce(function (this: Server) {
      process.nextTick(() => this.emit('error', Object.assign(new Error('x'), { code })))
      return this
    } as never)
    expect((await listenOnAll(create, BOTH)).hosts).toEqual(['::1'])
  },
)
