/**
 * Holds streams and waits open, sends mail, and measures how long it takes to arrive. One process
 * has both ends and therefore one clock.
 */
import { serveParent } from '../support/calls.ts'
import { sampleMail } from '../support/mails.ts'
import { quantile } from '../support/quantiles.ts'
import { EventConnection } from './event-connection.ts'
import { type Answer, HttpConnection } from './http-connection.ts'
import { type Sent, SmtpConnection } from './smtp-connection.ts'

interface Target {
  host: string
  port: number
}

/** All in ms. */
export interface Latency {
  p50: number
  p99: number
  p999: number
  max: number
}

/** Streams that connect at once: more would only wait in the server's queue. */
const CONNECTING = 100
/**
 * Streams of one source address: it has about 28,000 ports, and the service limits the streams of a
 * client.
 */
const STREAMS_PER_SOURCE = 5000
/** A mail that has not arrived after this time counts as lost. */
const LOST_MS = 10_000

let streams: EventConnection[] = []
/** When each event arrived, by id; for an email on many streams, the last arrival. */
let arrived = new Map<string, number>()
let arrivals = 0

/** Address n of those that have streams. */
function address(n: number): string {
  return `stream${n}@mayfly.test`
}

/** Opens streams, each on its own address or all on the first one. Resolves when all are open. */
async function open(http: Target, count: number, each: 'own address' | 'same address'): Promise<void> {
  let next = 0
  const one = async () => {
    while (next < count) {
      const n = next++
      await new Promise<void>((resolve, reject) => {
        const path = `/api/sse/${address(each === 'own address' ? n : 0)}`
        const localAddress = source(Math.floor(n / STREAMS_PER_SOURCE))
        streams.push(new EventConnection({ ...http, path, localAddress }, resolve, tell, reject))
      })
    }
  }
  await Promise.all(Array.from({ length: CONNECTING }, one))
}

function tell(ids: string[]): void {
  const now = performance.now()
  arrivals += ids.length
  for (const id of ids) arrived.set(id, now)
}

/** Addresses of the loopback network, all of which belong to this machine. */
function source(n: number): string {
  return `127.0.0.${2 + n}`
}

function close(): void {
  for (const stream of streams) stream.close()
  streams = []
}

/**
 * One mail to the first address, which all streams follow: ms from its last byte until the last
 * stream has the event.
 */
async function reachAll(smtp: Target): Promise<number> {
  arrived = new Map()
  arrivals = 0
  const connection = await SmtpConnection.open(smtp, { message: sampleMail('2 KB'), pipelining: false })
  const { wrote, reply } = await new Promise<Sent>((resolve, reject) =>
    connection.send([address(0)], resolve, reject),
  )
  connection.close()
  await until(() => arrivals >= streams.length)
  if (arrivals !== streams.length)
    throw new Error(`${arrivals} of ${streams.length} streams received the event`)
  return arrived.get(idOf(reply))! - wrote
}

/**
 * Sends mail to the followed addresses in random order and at random moments (a Poisson process, as
 * independent senders produce it), on as many connections as the rate needs.
 */
async function traffic(
  smtp: Target,
  load: { perSecond: number; seconds: number; addresses: number; connections: number },
) {
  arrived = new Map()
  const options = { message: sampleMail('2 KB'), pipelining: true }
  const idle = await Promise.all(
    Array.from({ length: load.connections }, () => SmtpConnection.open(smtp, options)),
  )
  const all = [...idle]
  const sent: Sent[] = []
  const began = performance.now()
  let due = began
  let waiting = 0
  let failure: Error | undefined
  const send = () => {
    while (waiting > 0 && idle.length > 0) {
      waiting--
      const connection = idle.pop()!
      connection.send(
        [address(Math.floor(Math.random() * load.addresses))],
        (one) => {
          sent.push(one)
          idle.push(connection)
          send()
        },
        (error) => {
          failure ??= error
        },
      )
    }
  }
  while (due < began + load.seconds * 1000 && failure === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    for (; due <= performance.now(); due += (-Math.log(1 - Math.random()) * 1000) / load.perSecond) waiting++
    send()
  }
  await until(() => (waiting === 0 && idle.length === all.length) || failure !== undefined)
  if (failure !== undefined) throw failure
  const took = performance.now() - began
  await until(() => sent.every(({ reply }) => arrived.has(idOf(reply))))
  for (const connection of all) connection.close()
  const delivered = sent.filter(({ reply }) => arrived.has(idOf(reply)))
  return {
    perSecond: (sent.length / took) * 1000,
    lost: sent.length - delivered.length,
    // The event can arrive before the reply; it then took no time from the reply.
    fromAnswer: latency(delivered.map((one) => Math.max(0, arrived.get(idOf(one.reply))! - one.answered))),
    fromLastByte: latency(delivered.map((one) => arrived.get(idOf(one.reply))! - one.wrote)),
  }
}

/**
 * Opens many waits at once, each for its own address; when all are open, sends a mail to each.
 * @param keys API keys, each good for 120 requests a minute
 */
async function waits(http: Target, smtp: Target, count: number, keys: string[]) {
  const answers: Promise<{ answer: Answer; at: number }>[] = []
  const connections: HttpConnection[] = []
  for (let n = 0; n < count; n++) {
    const connection = await HttpConnection.open(http)
    connections.push(connection)
    const path = `/api/emails/wait${n}-${process.pid}@mayfly.test/wait?timeout=25`
    const asked = new Promise<Answer>((resolve, reject) =>
      connection.get(path, { 'X-API-Key': keys[n % keys.length]! }, resolve, reject),
    )
    answers.push(asked.then((answer) => ({ answer, at: performance.now() })))
  }
  // The last requests are still on their way to the server.
  await new Promise((resolve) => setTimeout(resolve, 500))
  const options = { message: sampleMail('2 KB'), pipelining: true }
  const senders = await Promise.all(Array.from({ length: 10 }, () => SmtpConnection.open(smtp, options)))
  const answered: number[] = []
  const began = performance.now()
  let next = 0
  await Promise.all(
    senders.map(async (sender) => {
      while (next < count) {
        const n = next++
        const to = `wait${n}-${process.pid}@mayfly.test`
        const sent = await new Promise<Sent>((resolve, reject) => sender.send([to], resolve, reject))
        answered[n] = sent.answered
      }
    }),
  )
  const done = await Promise.all(answers)
  const failed = done.find(({ answer }) => answer.status !== 200 || !answer.text().includes('739105'))
  if (failed !== undefined) throw new Error(`a wait was answered: ${failed.answer.text().slice(0, 400)}`)
  for (const sender of senders) sender.close()
  for (const connection of connections) connection.close()
  return {
    ms: Math.max(...done.map(({ at }) => at)) - began,
    fromAnswer: latency(done.map(({ at }, n) => Math.max(0, at - answered[n]!))),
  }
}

function idOf(reply: string): string {
  return reply.trimEnd().slice(-26)
}

function latency(values: number[]): Latency {
  return {
    p50: quantile(values, 0.5),
    p99: quantile(values, 0.99),
    p999: quantile(values, 0.999),
    max: quantile(values, 1),
  }
}

/** Waits until the other side has acted; gives up after LOST_MS. */
async function until(isDone: () => boolean): Promise<void> {
  for (const end = performance.now() + LOST_MS; !isDone() && performance.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

export type Traffic = Awaited<ReturnType<typeof traffic>>
export type Waits = Awaited<ReturnType<typeof waits>>

serveParent({ open, close, reachAll, traffic, waits })
