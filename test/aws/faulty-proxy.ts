import { createServer, request as httpRequest, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listening } from '../support/http-server.ts'
import { signerOf } from './iam/recorder.ts'

/** The faults of DynamoDB and S3 that clients must bear. */
export type FaultKind = 'throttle' | 'error' | 'lost' | 'slowDown'

/** A proxy in front of the emulator that answers some requests to DynamoDB and S3 with a fault. */
export interface FaultyProxy {
  url: string
  /** How many faults of each kind it has caused. */
  faults: Record<FaultKind, number>
  /** Calls back once, when the program of an access key has sent this many more writes to DynamoDB. */
  afterWrites(accessKey: string, writes: number, callback: () => void): void
  close(): Promise<void>
}

const DYNAMODB = 'com.amazonaws.dynamodb.v20120810'
const WRITE = /\.(TransactWriteItems|PutItem|UpdateItem|DeleteItem)$/

/**
 * @param target URL of the emulator
 * @param random returns numbers from 0 to 1
 */
export async function startFaultyProxy(target: string, random: () => number): Promise<FaultyProxy> {
  const faults: FaultyProxy['faults'] = { throttle: 0, error: 0, lost: 0, slowDown: 0 }
  const counters = new Map<string, { writes: number; callback: () => void }>()

  function countWrite(key: string): void {
    const counter = counters.get(key)
    if (counter === undefined || --counter.writes > 0) return
    counters.delete(key)
    counter.callback()
  }

  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming).catch(() => undefined)
    if (body === undefined) return
    const { method = 'GET', headers } = incoming
    const url = new URL(incoming.url!, target)
    const [key, service] = signerOf(headers.authorization, url)
    const fault = faultOf(service, random())
    if (fault !== undefined) faults[fault]++
    if (fault !== undefined && fault !== 'lost') return answerWith(fault, outgoing)
    const sent = httpRequest(url, { method, headers }, (answer) => {
      // The request was processed, and the program never knows.
      if (WRITE.test(headers['x-amz-target']?.toString() ?? '')) countWrite(key)
      if (fault === 'lost') {
        answer.resume()
        outgoing.destroy()
        return
      }
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    sent.once('error', () => outgoing.destroy())
    sent.end(body)
  })
  const { url, close } = await listening(server)
  return {
    url,
    faults,
    afterWrites: (key, writes, callback) => void counters.set(key, { writes, callback }),
    close,
  }
}

/** @param chance from 0 to 1 */
function faultOf(service: string, chance: number): FaultKind | undefined {
  if (service === 's3') return chance < 0.25 ? 'slowDown' : undefined
  if (service !== 'dynamodb') return undefined
  if (chance < 0.12) return 'throttle'
  if (chance < 0.2) return 'error'
  return chance < 0.26 ? 'lost' : undefined
}

/** The answers of the services (DynamoDB: Programming.Errors; S3: API/ErrorResponses). */
function answerWith(fault: Exclude<FaultKind, 'lost'>, response: ServerResponse): void {
  const text = {
    throttle: JSON.stringify({ __type: `${DYNAMODB}#ProvisionedThroughputExceededException`, message: 'x' }),
    error: JSON.stringify({ __type: `${DYNAMODB}#InternalServerError`, message: 'x' }),
    slowDown: '<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>x</Message></Error>',
  }[fault]
  const status = { throttle: 400, error: 500, slowDown: 503 }[fault]
  const type = fault === 'slowDown' ? 'application/xml' : 'application/x-amz-json-1.0'
  response.writeHead(status, { 'content-type': type }).end(text)
}
