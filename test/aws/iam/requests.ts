/** An AWS request as IAM sees it. */
export interface IamRequest {
  /** `service:Action`, as policies name it. */
  action: string
  resource: string
  /** Condition keys that the policies of this project, or of a company around it, can name. */
  context: Record<string, string | string[]>
}

/** A signed request of an AWS SDK. */
export interface SignedRequest {
  /** The service in the scope of the signature. */
  service: string
  method: string
  /** The decoded path, with its query. */
  url: URL
  header(name: string): string | undefined
  body: string
  /** The status of the answer. */
  status: number
}

const ACCOUNT = '123456789012'
/** Stands for a part of a key or a name that differs in each run. */
const ANY = 'x'

export const arn = (service: string, resource: string) =>
  `arn:aws:${service}:us-east-1:${ACCOUNT}:${resource}`

// biome-ignore lint/suspicious/noExplicitAny: the bodies of requests have any shape
type Json = any

/**
 * Returns what IAM checks for a request. A request can need several permissions, and a transaction
 * needs those of its parts.
 * @throws Error if the service or the operation is not known here
 */
export function iamRequestsOf(request: SignedRequest): IamRequest[] {
  const decode = SERVICES[request.service]
  if (decode === undefined) throw new Error(`a request to ${request.service} is not known here`)
  return decode(request)
}

const SERVICES: Record<string, (request: SignedRequest) => IamRequest[]> = {
  dynamodb: (request) => dynamodb(operationOf(request), JSON.parse(request.body)),
  s3,
  sqs: (request) => {
    const name = JSON.parse(request.body).QueueUrl.split('/').at(-1)
    return [plain(`sqs:${operationOf(request)}`, arn('sqs', name))]
  },
  secretsmanager: (request) => {
    const { SecretId, VersionStage } = JSON.parse(request.body)
    const context: IamRequest['context'] =
      VersionStage === undefined ? {} : { 'secretsmanager:VersionStage': VersionStage }
    return [{ action: `secretsmanager:${operationOf(request)}`, resource: SecretId, context }]
  },
  events: (request) =>
    JSON.parse(request.body).Entries.map(({ EventBusName, Source, DetailType }: Json) => ({
      action: 'events:PutEvents',
      resource: EventBusName.startsWith('arn:') ? EventBusName : arn('events', `event-bus/${EventBusName}`),
      context: { 'events:source': Source, 'events:detail-type': DetailType },
    })),
  ses: (request) => (request.url.pathname.startsWith('/v2/') ? sesV2(request) : sesV1(request)),
  cloudformation: ({ body }) => {
    const parameters = new URLSearchParams(body)
    return [plain(`cloudformation:${parameters.get('Action')}`, parameters.get('StackName')!)]
  },
}

function plain(action: string, resource: string): IamRequest {
  return { action, resource, context: {} }
}

/** `X-Amz-Target` is `<service>.<operation>`. */
function operationOf({ header }: SignedRequest): string {
  const target = header('x-amz-target')
  if (target === undefined) throw new Error('the request names no operation')
  return target.split('.')[1]!
}

/** DynamoDB and its streams, which share the name in signatures. */
function dynamodb(operation: string, body: Json): IamRequest[] {
  if (/Stream|Shard|GetRecords/.test(operation)) {
    // A shard iterator names no stream; the recorder knows which one it was made for.
    return [plain(`dynamodb:${operation}`, body.StreamArn ?? '')]
  }
  const on = (action: string, table: string, pk: string[], index?: string): IamRequest => ({
    action: `dynamodb:${action}`,
    resource: arn('dynamodb', `table/${table}${index === undefined ? '' : `/index/${index}`}`),
    context: { 'dynamodb:LeadingKeys': [...new Set(pk.map(leading))] },
  })
  switch (operation) {
    case 'TransactWriteItems':
      return body.TransactItems.map((item: Json) => {
        const [[kind, write]] = Object.entries(item) as [[string, Json]]
        const action = kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`
        return on(action, write.TableName, [(write.Key ?? write.Item).pk.S])
      })
    case 'BatchGetItem':
      return Object.entries(body.RequestItems).map(([table, { Keys }]: [string, Json]) =>
        on(
          operation,
          table,
          Keys.map(({ pk }: Json) => pk.S),
        ),
      )
    case 'Query': {
      const [, name, value] = /([#\w]+) = (:\w+)/.exec(body.KeyConditionExpression)!
      if (name === undefined || value === undefined) throw new Error('a query names no partition')
      return [on(operation, body.TableName, [body.ExpressionAttributeValues[value].S], body.IndexName)]
    }
    case 'GetItem':
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [on(operation, body.TableName, [(body.Key ?? body.Item).pk.S])]
  }
  throw new Error(`dynamodb:${operation} is not known here`)
}

/** The kind of a partition: its key up to the first `#`; the rest is a name or a hash. */
function leading(key: string): string {
  return key.includes('#') ? `${key.slice(0, key.indexOf('#'))}#${ANY}` : /[@.]/.test(key) ? ANY : key
}

/**
 * Amazon S3 with the bucket in the path. Without the permission to list, S3 answers 403 for a
 * missing object (API_GetObject), so a 404 needs it.
 */
function s3({ method, url, header, body, status }: SignedRequest): IamRequest[] {
  const [, bucket = '', key = ''] = /^\/([^/]+)\/?(.*)$/s.exec(decodeURIComponent(url.pathname)) ?? []
  const has = (name: string) => url.searchParams.has(name)
  const onBucket = (action: string): IamRequest => {
    const prefix = url.searchParams.get('prefix')
    const context: IamRequest['context'] = prefix === null ? {} : { 's3:prefix': keyKind(prefix) }
    return { action: `s3:${action}`, resource: `arn:aws:s3:::${bucket}`, context }
  }
  const onObject = (action: string, name = key) =>
    plain(`s3:${action}`, `arn:aws:s3:::${bucket}/${keyKind(name)}`)
  if (key === '' && method === 'GET') return [onBucket(has('versions') ? 'ListBucketVersions' : 'ListBucket')]
  if (key === '' && method === 'POST' && has('delete')) return removals(body).map(onObject1)
  if (method === 'GET' || method === 'HEAD')
    return [onObject('GetObject'), ...(status === 404 ? [onBucket('ListBucket')] : [])]
  if (method === 'PUT' && has('tagging')) return [onObject('PutObjectTagging')]
  if (method === 'PUT' || method === 'POST')
    return [
      onObject('PutObject'),
      ...(header('x-amz-tagging') === undefined ? [] : [onObject('PutObjectTagging')]),
    ]
  if (method === 'DELETE') return [onObject(has('uploadId') ? 'AbortMultipartUpload' : 'DeleteObject')]
  throw new Error(`${method} ${url.pathname} of S3 is not known here`)

  function onObject1({ name, isVersion }: { name: string; isVersion: boolean }) {
    return onObject(isVersion ? 'DeleteObjectVersion' : 'DeleteObject', name)
  }
}

function removals(body: string): { name: string; isVersion: boolean }[] {
  return Array.from(body.matchAll(/<Object>(.*?)<\/Object>/gs), ([, object]) => ({
    name: /<Key>(.*?)<\/Key>/s.exec(object!)![1]!,
    isVersion: object!.includes('<VersionId>'),
  }))
}

/** The prefix of a key, which says what it is. */
function keyKind(key: string): string {
  const [prefix, rest] = key.split('/', 2) as [string, string?]
  return rest === undefined ? ANY : `${prefix}/${rest === '' ? '' : ANY}`
}

/** Actions of receipt rules accept no resource. */
function sesV1({ body }: SignedRequest): IamRequest[] {
  const action = new URLSearchParams(body).get('Action')!
  return [plain(`ses:${action}`, '*')]
}

function sesV2({ method, url, body }: SignedRequest): IamRequest[] {
  const sent = body === '' ? {} : JSON.parse(body)
  const identity = (name: string) => arn('ses', `identity/${name}`)
  const [, kind, name] = url.pathname.slice('/v2/email/'.length - 1).split('/')
  if (kind === 'outbound-emails') {
    const [, domain] = sent.FromEmailAddress.split('@')
    const context = { 'ses:FromAddress': sent.FromEmailAddress }
    return [{ action: 'ses:SendEmail', resource: identity(domain), context }]
  }
  if (kind !== 'identities') throw new Error(`${url.pathname} of SES is not known here`)
  if (method === 'POST') {
    const context: IamRequest['context'] = {}
    for (const { Key, Value } of sent.Tags ?? []) context[`aws:RequestTag/${Key}`] = Value
    const resource = identity(ANY)
    // Tags at a creation need the permission to tag (Service Authorization Reference, SES v2).
    const actions = ['ses:CreateEmailIdentity', ...(sent.Tags ? ['ses:TagResource'] : [])]
    return actions.map((action) => ({ action, resource, context }))
  }
  if (name === undefined) throw new Error(`${method} ${url.pathname} of SES is not known here`)
  const action = method === 'GET' ? 'ses:GetEmailIdentity' : 'ses:DeleteEmailIdentity'
  return [plain(action, identity(ANY))]
}
