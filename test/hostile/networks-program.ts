/**
 * Prints as JSON how many mails and requests of an honest address are answered while many networks of IPv6 hold
 * connections. Runs in a network namespace of its own, in which all of these addresses are local.
 *
 *     node networks-program.ts <networks> <sites>
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../support/service.ts'

const [networks = 0, sites = 1] = process.argv.slice(2).map(Number)
const SERVICE = 'fd00:1:1::1'
const HONEST = 'fd00:2:2::9'
const SECONDS = 15
const ANSWER_MS = 5000

const service = await startService({
  MAYFLY_HOST: '::',
  MAYFLY_DOMAINS: 'mayfly.test',
  MAYFLY_LOG_LEVEL: 'error',
})
const httpPort = Number(/:(\d+)\/?$/.exec(service.http)?.[1])
const smtpPort = service.smtp.port
const sockets = new Set<Socket>()
let goesOn = true

/** Keeps a connection that sends no more than it must, and opens it again when it ends. */
function hold(n: number, port: number, greeting: string): void {
  if (!goesOn) return
  const site = (7 + (n % sites)).toString(16)
  const socket = connect({ host: SERVICE, port, localAddress: `fd00:1:${site}:${(n + 1).toString(16)}::1` })
  sockets.add(socket)
  socket.on('error', () => {})
  socket.on('connect', () => socket.write(greeting))
  socket.on('data', () => {})
  socket.on('close', () => {
    sockets.delete(socket)
    setTimeout(() => hold(n, port, greeting), 200)
  })
}

/** Whether a conversation of the honest address ends as expected. */
function answered(port: number, lines: string[], expected: RegExp): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: SERVICE, port, localAddress: HONEST })
    const end = (isAnswered: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(isAnswered)
    }
    const timer = setTimeout(() => end(false), ANSWER_MS)
    let at = 0
    socket.on('error', () => end(false))
    socket.on('close', () => end(false))
    if (port === httpPort) socket.on('connect', () => socket.write(lines[at++] ?? ''))
    socket.on('data', (data) => {
      const line = lines[at++]
      if (line === undefined) end(expected.test(String(data)))
      else socket.write(line)
    })
  })
}

const MAIL = [
  'EHLO a\r\n',
  'MAIL FROM:<a@b.example>\r\n',
  'RCPT TO:<h@mayfly.test>\r\n',
  'DATA\r\n',
  'Subject: x\r\n\r\nhi\r\n.\r\n',
]
const GET = [`GET /api/health HTTP/1.1\r\nHost: [${SERVICE}]\r\nConnection: close\r\n\r\n`]

for (let n = 0; n < networks; n++) {
  hold(n, smtpPort, 'EHLO a\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<x@mayfly.test>\r\nDATA\r\n')
  hold(n, httpPort, 'GET / HTTP/1.1\r\nHost: x\r\nX-A: ')
  if (n % 50 === 0) await sleep(20)
}
await sleep(2000)
const counts = { tried: 0, mails: 0, requests: 0, attackers: sockets.size }
for (const end = Date.now() + SECONDS * 1000; Date.now() < end; await sleep(100)) {
  counts.tried++
  if (await answered(smtpPort, MAIL, /^250/)) counts.mails++
  if (await answered(httpPort, GET, / 200 /)) counts.requests++
}
goesOn = false
for (const socket of sockets) socket.destroy()
await service.stop()
process.stdout.write(JSON.stringify(counts), () => process.exit())
