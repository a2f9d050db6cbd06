import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Socket as TcpSocket } from 'node:net'

/** A record in an answer, with its data in wire format. */
interface Answer {
  name: string
  type: number
  data: Buffer
}

export interface Question {
  id: number
  name: string
  type: number
  /** The question section as received. */
  bytes: Buffer
  tcp: boolean
}

/** The messages that are sent for one question, unchanged. */
export type Behaviour = (question: Question) => Buffer[]

export const MX = 15
export const TXT = 16
const CNAME = 5

export interface LyingDns {
  /** `ip:port`. */
  address: string
  /** The answer for a name; NXDOMAIN for every other name. */
  behave(name: string, behaviour: Behaviour): void
  close(): Promise<void>
}

/** DNS over UDP and TCP on one port; the test chooses every byte of an answer. */
export async function lyingDns(): Promise<LyingDns> {
  const behaviours = new Map<string, Behaviour>()
  const connections = new Set<TcpSocket>()
  const answers = (message: Buffer, tcp: boolean) => {
    const question = read(message, tcp)
    return (behaviours.get(question.name) ?? rcode(3))(question)
  }
  const { udp, tcp, port } = await listen()
  udp.on('message', (message: Buffer, from: RemoteInfo) => {
    for (const answer of answers(message, false)) udp.send(answer, from.port, from.address)
  })
  tcp.on('connection', (socket: TcpSocket) => {
    connections.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => connections.delete(socket))
    let held: Buffer = Buffer.alloc(0)
    // c-ares sends several questions on one connection: the pieces of one answer must not mix with
    // another.
    let before = Promise.resolve()
    socket.on('data', (chunk: Buffer) => {
      held = Buffer.concat([held, chunk])
      while (held.length >= 2 && held.length >= 2 + held.readUInt16BE()) {
        const length = held.readUInt16BE()
        const message = held.subarray(2, 2 + length)
        held = held.subarray(2 + length)
        for (const answer of answers(message, true)) before = before.then(() => inPieces(socket, answer))
      }
    })
  })
  return {
    address: `127.0.0.1:${port}`,
    behave: (name, behaviour) => behaviours.set(name, behaviour),
    async close() {
      for (const socket of connections) socket.destroy()
      tcp.close()
      udp.close()
    },
  }
}

/** The length alone, byte by byte, then the rest in some pieces. */
async function inPieces(socket: TcpSocket, answer: Buffer): Promise<void> {
  const size = Buffer.alloc(2)
  size.writeUInt16BE(answer.length)
  const whole = Buffer.concat([size, answer])
  let from = 0
  for (const to of [1, 2, 30, whole.length]) {
    socket.write(whole.subarray(from, to))
    from = to
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** UDP and TCP on the same free port. */
async function listen() {
  for (;;) {
    const tcp = createServer().listen(0, '127.0.0.1')
    await once(tcp, 'listening')
    const { port } = tcp.address() as { port: number }
    const udp: Socket = createSocket('udp4')
    const bound = new Promise<boolean>((resolve) => {
      udp.once('error', () => resolve(false))
      udp.once('listening', () => resolve(true))
    })
    udp.bind(port, '127.0.0.1')
    if (await bound) return { udp, tcp, port }
    tcp.close()
  }
}

function read(message: Buffer, tcp: boolean): Question {
  const labels: string[] = []
  let at = 12
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return {
    id: message.readUInt16BE(0),
    name: labels.join('.').toLowerCase(),
    type: message.readUInt16BE(at + 1),
    bytes: message.subarray(12, at + 5),
    tcp,
  }
}

function wireName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`))
  return Buffer.concat([...labels, Buffer.alloc(1)])
}

/** A message that answers the question. */
export function message(
  { id, bytes }: Pick<Question, 'id' | 'bytes'>,
  answers: Answer[],
  { rcode = 0, truncated = false } = {},
): Buffer {
  const header = Buffer.alloc(12)
  header.writeUInt16BE(id, 0)
  header.writeUInt16BE(0x8180 | (truncated ? 0x0200 : 0) | rcode, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(answers.length, 6)
  const records = answers.map(({ name, type, data }) => {
    const fixed = Buffer.alloc(10)
    fixed.writeUInt16BE(type, 0)
    fixed.writeUInt16BE(1, 2)
    fixed.writeUInt16BE(data.length, 8)
    return Buffer.concat([wireName(name), fixed, data])
  })
  return Buffer.concat([header, bytes, ...records])
}

export function mx(name: string, preference: number, exchange: string): Answer {
  const data = Buffer.concat([Buffer.alloc(2), wireName(exchange)])
  data.writeUInt16BE(preference)
  return { name, type: MX, data }
}

export function txt(name: string, text: string): Answer {
  return { name, type: TXT, data: Buffer.from(`${String.fromCharCode(text.length)}${text}`) }
}

export function cname(name: string, target: string): Answer {
  return { name, type: CNAME, data: wireName(target) }
}

/** Sends these bytes and nothing else. */
export function rcode(code: number): Behaviour {
  return (question) => [message(question, [], { rcode: code })]
}
