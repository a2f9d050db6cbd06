import { createServer, request as httpRequest } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listening } from '../../support/http-server.ts'
import { type IamRequest, iamRequestsOf, type SignedRequest } from './requests.ts'

/**
 * A proxy in front of the emulator, which records each signed request under the access key of its
 * signature. Each program has an access key of its own.
 */
export interface Recorder {
  url: string
  /** The requests of a program, in order. */
  of(accessKey: string): IamRequest[]
  /** Answers the next transactions of a program with a conflict, which the emulator never does. */
  conflict(accessKey: string, transactions: number): void
  /** Records this resource of the emulator under the ARN that the template gives it. */
  alias(real: string, arn: string): void
  close(): Promise<void>
}

/** @param target URL of the emulator */
export async function startRecorder(target: string): Promise<Recorder> {
  const recorded = new Map<string, IamRequest[]>()
  const aliases = new Map<string, string>()
  /** The tags of each identity, which IAM reads as `aws:ResourceTag`. */
  const tags = new Map<string, IamRequest['context']>()
  const conflicts = new Map<string, number>()
  const faults: string[] = []

  function record(key: string, signed: SignedRequest): void {
    const requests = iamRequestsOf(signed)
    for (const request of requests) {
      if (request.action === 'dynamodb:GetRecords')
        request.resource = recorded.get(key)!.findLast(({ action }) => /Shard/.test(action))!.resource
      request.resource = aliases.get(request.resource) ?? request.resource
      if (request.action === 'ses:CreateEmailIdentity')
        tags.set(JSON.parse(signed.body).EmailIdentity, request.context)
      if (request.action === 'ses:DeleteEmailIdentity')
        request.context = ofResource(tags.get(signed.url.pathname.split('/').at(-1)!) ?? {})
    }
    recorded.set(key, [...(recorded.get(key) ?? []), ...requests])
  }

  const server = createServer(async (incoming, outgoing) => {
    const bytes = await buffer(incoming)
    const url = new URL(incoming.url!, target)
    const { method = 'GET', headers } = incoming
    const [key, service] = signerOf(headers.authorization, url)
    const header = (name: string) => headers[name]?.toString()
    const answered = (status: number) => {
      try {
        record(key, { service, method, url, header, body: bytes.toString(), status })
      } catch (error) {
        faults.push(`${key}: ${error}`)
      }
    }
    const left = conflicts.get(key) ?? 0
    if (left > 0 && header('x-amz-target')?.endsWith('.TransactWriteItems')) {
      conflicts.set(key, left - 1)
      answered(400)
      outgoing.writeHead(400).end(conflictOf(bytes.toString()))
      return
    }
    const sent = httpRequest(url, { method, headers }, (answer) => {
      answered(answer.statusCode!)
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    sent.once('error', () => outgoing.destroy())
    sent.end(bytes)
  })
  const { url, close } = await listening(server)
  return {
    url,
    of(accessKey) {
      if (faults.length > 0) throw new Error(faults.join('\n'))
      return recorded.get(accessKey) ?? []
    },
    conflict: (accessKey, transactions) => void conflicts.set(accessKey, transactions),
    alias: (real, arn) => void aliases.set(real, arn),
    close,
  }
}

/** The answer to a transaction that conflicts with another one (API_TransactWriteItems). */
function conflictOf(body: string): string {
  const CancellationReasons = JSON.parse(body).TransactItems.map(() => ({ Code: 'TransactionConflict' }))
  const __type = 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException'
  return JSON.stringify({ __type, Message: 'Transaction cancelled', CancellationReasons })
}

/** The tags of a request that created a resource, as conditions of a later request see them. */
function ofResource(context: IamRequest['context']): IamRequest['context'] {
  const entries = Object.entries(context)
  return Object.fromEntries(entries.map(([key, value]) => [key.replace('Request', 'Resource'), value]))
}

/** Returns the access key and the service of a signature, in its header or in a presigned URL. */
export function signerOf(authorization: string | undefined, url: URL): [key: string, service: string] {
  const credential =
    /Credential=([^,\s]+)/.exec(authorization ?? '')?.[1] ?? url.searchParams.get('X-Amz-Credential') ?? ''
  const [key, , , service] = credential.split('/')
  if (key === undefined || service === undefined) return ['nobody', 'unsigned']
  return [key, service]
}
