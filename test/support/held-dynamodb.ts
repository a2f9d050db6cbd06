import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listening } from './http-server.ts'

export interface HeldDynamoDb {
  url: string
  /** Resolves when a write is held. */
  held: Promise<void>
  /** Passes the held writes, and all others from now on. */
  release(): void
  close(): Promise<void>
}

/** Passes requests to DynamoDB, but holds every write whose request contains `text`. */
export async function startHeldDynamoDb(endpoint: string, text: string): Promise<HeldDynamoDb> {
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const target = String(request.headers['x-amz-target'])
    if (/Put|Update|Transact/.test(target) && body.includes(text)) {
      hold()
      await released
    }
    const headers = Object.entries(request.headers).filter(
      ([name]) => !/^(host|content-length|connection)$/.test(name),
    )
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers: Object.fromEntries(headers) as Record<string, string>,
      body: new Uint8Array(body),
    })
    const answerBody = Buffer.from(await answer.arrayBuffer())
    response.writeHead(answer.status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(answerBody)
  })
  return { ...(await listening(server)), held, release }
}
