import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { HttpApiEvent, HttpApiResult } from '../../adapters/apigateway/http-api.ts'
import { EDGE_HEADERS, ENV } from '../../adapters/aws/env.ts'
import { ApiKeyService } from '../../core/access/api-keys.ts'
import { type AwsStore, openStore } from '../../service/aws-store.ts'
import { createTables, LOCAL, type LocalDynamoDb } from '../aws/dynamodb-local.ts'
import { describeOnDynamoDb, sharedDynamoDb } from '../aws/on-dynamodb.ts'
import { putDomain, sampleContent, sampleDomain, sampleMail } from '../contract/sample.ts'
import { startSecrets, type TestSecrets } from '../support/secrets.ts'

const SECRET = 'the secret of the edge'
const SECRET_ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:origin-a1B2c3'

/** The handler with DynamoDB Local, called by the official client as CloudFront and an HTTP API would. */
describeOnDynamoDb('MCP on AWS', () => {
  let dynamo: LocalDynamoDb
  let secrets: TestSecrets
  let store: AwsStore
  let domain: string
  let client: Client
  let handler: (event: HttpApiEvent) => Promise<HttpApiResult>

  beforeAll(async () => {
    dynamo = await sharedDynamoDb()
    secrets = await startSecrets({ [SECRET_ARN]: [SECRET] })
    const tables = await createTables(dynamo.client)
    Object.assign(process.env, {
      AWS_REGION: LOCAL.region,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
      [ENV.mailTable]: tables.mailTable,
      [ENV.keysTable]: tables.keysTable,
      [ENV.bucket]: 'bucket',
      [ENV.mxHost]: 'mx.example',
      [ENV.retentionHours]: '24',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      [ENV.originSecretArn]: SECRET_ARN,
    })
    ;({ handler } = await import('../../lambdas/mcp.ts'))
    store = openStore({ ...tables, bucket: 'bucket', dynamo: dynamo.client })
    domain = (await putDomain(store.domains, sampleDomain())).name
    const keys = new ApiKeyService(store.keys, store.limits, Date.now, randomBytes)
    const { key } = await keys.issue('203.0.113.9', '')
    client = new Client({ name: 'test', version: '1' })
    await client.connect(
      new StreamableHTTPClientTransport(new URL('https://mail.example/mcp'), {
        fetch: async (_url, init) => fetched(new Request('https://mail.example/mcp', init), SECRET),
        requestInit: { headers: { Authorization: `Bearer ${key}` } },
      }),
    )
  }, 40_000)
  afterAll(async () => {
    await client?.close()
    await secrets.close()
    await dynamo.stop()
  })

  async function fetched(request: Request, secret: string): Promise<Response> {
    const body = await request.text()
    const result = await handler({
      rawPath: '/mcp',
      rawQueryString: '',
      headers: {
        ...Object.fromEntries(request.headers),
        [EDGE_HEADERS.secret]: secret,
        [EDGE_HEADERS.viewer]: '203.0.113.9:4711',
        [EDGE_HEADERS.path]: '/mcp',
      },
      ...(body !== '' && { body }),
      isBase64Encoded: false,
      requestContext: { requestId: 'r', http: { method: request.method } },
    })
    const bytes = Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8')
    return new Response(bytes.length === 0 ? null : bytes, {
      status: result.statusCode,
      headers: result.headers,
    })
  }

  const call = async (name: string, input: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: input })).structuredContent as Record<string, unknown>

  test('an agent makes an inbox, and waits for a code that comes later', async () => {
    const { address } = (await call('create_inbox', { domain })) as { address: string }
    const waiting = call('wait_for_code', { address, timeout: 10 })
    // As it is let in: the domain is new, and an email of it gets an id from after its beginning.
    const registrations = { [domain]: (await store.domains.find(domain))!.visibleAfter }
    const content = sampleContent({ codes: ['739105'] })
    await store.emails.store(sampleMail([address], { summary: content, visibleAfter: registrations }))
    expect(await waiting).toMatchObject({ found: true, code: '739105' })
    expect((await call('list_emails', { address })).emails).toMatchObject([
      { subject: expect.stringContaining('Your code') },
    ])
    expect(await call('wait_for_code', { address: `empty@${domain}`, timeout: 1 })).toMatchObject({
      found: false,
    })
  })

  test('whoever passes CloudFront by is sent away', async () => {
    const request = new Request('https://api.example/mcp', { method: 'POST', body: '{}' })
    expect((await fetched(request, 'no secret')).status).toBe(403)
  })
})
