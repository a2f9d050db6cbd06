/** Sends requests to the API as fast as it answers, on several kept-alive connections. */
import { serveParent } from '../support/calls.ts'
import { quantile } from '../support/quantiles.ts'
import { type Answer, HttpConnection } from './http-connection.ts'

export interface HttpLoad {
  host: string
  port: number
  connections: number
  /** Requested at random. */
  paths: string[]
  /** A text that every correct answer contains. */
  expected: string
  keys: string[]
  warmUpMs: number
  durationMs: number
}

export interface HttpLoadResult {
  perSecond: number
  /** ms from the request to the whole answer. */
  p50: number
  p99: number
}

/** Requests with one key, below the limit per minute. */
const REQUESTS_A_KEY = 110

let asked = 0

async function load(job: HttpLoad): Promise<HttpLoadResult> {
  const connections = await Promise.all(
    Array.from({ length: job.connections }, () => HttpConnection.open(job)),
  )
  const begin = performance.now() + job.warmUpMs
  const end = begin + job.durationMs
  const latencies: number[] = []
  const run = (connection: HttpConnection) =>
    new Promise<void>((resolve, reject) => {
      const next = () => {
        const path = job.paths[Math.floor(Math.random() * job.paths.length)]!
        const key = job.keys[Math.floor(asked++ / REQUESTS_A_KEY) % job.keys.length]!
        const began = performance.now()
        const done = (answer: Answer) => {
          const now = performance.now()
          if (answer.status !== 200) reject(new Error(`${path}: ${answer.text()}`))
          if (now >= begin && now < end) latencies.push(now - began)
          // Checking every answer would cost more than the requests.
          if (latencies.length % 256 === 1 && !answer.text().includes(job.expected)) {
            reject(new Error(`${path} was answered without ${job.expected}`))
          }
          if (now < end) next()
          else resolve()
        }
        connection.get(path, { 'X-API-Key': key }, done, reject)
      }
      next()
    })
  await Promise.all(connections.map(run))
  for (const connection of connections) connection.close()
  return {
    perSecond: (latencies.length / job.durationMs) * 1000,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  }
}

/** Requests each path once, and returns the ids of all emails in the answers. */
async function ids(
  target: { host: string; port: number },
  paths: string[],
  keys: string[],
): Promise<string[][]> {
  const connection = await HttpConnection.open(target)
  const found: string[][] = []
  for (const path of paths) {
    const key = keys[Math.floor(asked++ / REQUESTS_A_KEY) % keys.length]!
    const answer = await new Promise<Answer>((resolve, reject) =>
      connection.get(path, { 'X-API-Key': key }, resolve, reject),
    )
    found.push(Array.from(answer.text().matchAll(/"id":"([0-9A-Z]{26})"/g), (match) => match[1]!))
  }
  connection.close()
  return found
}

serveParent({ load, ids })
