import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { listening } from './http-server.ts'

/** What a custom resource answers (docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref-responses.html). */
export interface CustomResourceAnswer {
  Status?: string
  Reason?: string
  PhysicalResourceId?: string
  Data?: Record<string, string>
}

/** The signed URL of CloudFormation, to which a custom resource sends its answer. */
export interface SignedUrl {
  url: string
  /** The answers that it accepted, the newest last. */
  answers: CustomResourceAnswer[]
  /** The content type of each request, also of one that it refused. */
  contentTypes: (string | undefined)[]
  /** The statuses of the next requests; 200 when the list is empty. */
  statuses: number[]
  close(): Promise<void>
}

export async function startSignedUrl(): Promise<SignedUrl> {
  const signedUrl = { answers: [], contentTypes: [], statuses: [] } as Omit<SignedUrl, 'url' | 'close'>
  const server = createServer(async (request, response) => {
    const { answers, contentTypes, statuses } = signedUrl
    contentTypes.push(request.headers['content-type'])
    const answer = (await json(request)) as CustomResourceAnswer
    response.statusCode = statuses.shift() ?? 200
    if (response.statusCode === 200) answers.push(answer)
    response.end()
  })
  return Object.assign(signedUrl, await listening(server))
}

/**
 * Calls the handler of a custom resource as Lambda does, after it forgets earlier requests of the signed URL.
 * @returns the answer that CloudFormation gets
 */
export async function askCustomResource(
  handler: (request: object, context: object) => Promise<void>,
  { url, answers, contentTypes }: SignedUrl,
  request: { RequestType: string; ResourceProperties: object } & Record<string, unknown>,
  remainingMs = 900_000,
): Promise<CustomResourceAnswer> {
  answers.length = 0
  contentTypes.length = 0
  await handler(
    { ResponseURL: url, StackId: 's', RequestId: 'r', LogicalResourceId: 'l', ...request },
    { getRemainingTimeInMillis: () => remainingMs },
  )
  return answers.at(-1) ?? {}
}
