import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { EDGE_HEADERS, ENV } from '../../adapters/aws/env.ts'
import { ApiKeyService } from '../../core/access/api-keys.ts'
import type { AwsStore } from '../../service/aws-store.ts'
import { type SseService, startSseService } from '../../sse-service/service.ts'
import { type LocalDeployment, openLocalDeployment } from '../aws/local-deployment.ts'
import { describeOnDynamoDb } from '../aws/on-dynamodb.ts'
import { putDomain, sampleContent, sampleDomain, sampleMail } from '../contract/sample.ts'
import { startSecrets, type TestSecrets } from '../support/secrets.ts'

const SECRET = 'origin-secret'
const ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:'
const OPERATOR_KEY = 'operator-key-0123456789'

/** The stream service with DynamoDB Local, called by the official client as CloudFront would forward its requests. */
describeOnDynamoDb('MCP on AWS', () => {
  let deployment: LocalDeployment
  let secrets: TestSecrets
  let store: AwsStore
  let domain: string
  let service: SseService
  const clients: Client[] = []

  beforeAll(async () => {
    deployment = await openLocalDeployment()
    secrets = await startSecrets({
      [`${ARN}origin-a1B2c3`]: [SECRET],
      [`${ARN}operator-a1B2c3`]: [`${OPERATOR_KEY}, another-key-0123456789`],
    })
    process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = secrets.url
    service = await startSseService({
      ...deployment.variables,
      [ENV.mailStreamArn]: deployment.tables.mailStreamArn,
      [ENV.mxHost]: 'mx.test',
      [ENV.retentionHours]: '24',
      [ENV.originSecretArn]: `${ARN}origin-a1B2c3`,
      [ENV.operatorKeysArn]: `${ARN}operator-a1B2c3`,
      [ENV.stackName]: 'test',
      [ENV.streamPollMs]: '20',
      // Lambda assigns the address of a web function.
      AWS_LAMBDA_HTTP_ENDPOINT: '127.0.0.1:0',
    })
    store = deployment.store
    domain = (await putDomain(store.domains, sampleDomain())).name
  })
  afterAll(async () => {
    for (const client of clients) await client.close()
    await service?.stop(1000)
    await secrets?.close()
    await deployment?.close()
  })

  const edge = (secret: string) => ({
    [EDGE_HEADERS.secret]: secret,
    [EDGE_HEADERS.viewer]: '203.0.113.9:4711',
    [EDGE_HEADERS.path]: '/mcp',
  })

  async function connect(key: string): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' })
    clients.push(client)
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${service.port}/mcp`), {
        // CloudFront sends no Authorization here; its function copies it to another header.
        requestInit: { headers: { ...edge(SECRET), [EDGE_HEADERS.authorization]: `Bearer ${key}` } },
      }),
    )
    return client
  }

  const call = async (client: Client, name: string, input: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: input })).structuredContent as Record<string, unknown>

  test('an agent creates an inbox, and waits for a code that arrives later', async () => {
    const keys = new ApiKeyService(store.keys, store.limits, Date.now, randomBytes)
    const client = await connect((await keys.issue('203.0.113.9', '')).key)
    const { address } = (await call(client, 'create_inbox', { domain })) as { address: string }
    const waiting = call(client, 'wait_for_code', { address, timeout: 20 })
    const visibleAfter = { [domain]: (await store.domains.find(domain))!.visibleAfter }
    const content = sampleContent({ codes: ['739105'] })
    await store.emails.store(sampleMail([address], { summary: content, visibleAfter }))
    expect(await waiting).toMatchObject({ found: true, code: '739105' })
    expect(await call(client, 'wait_for_code', { address: `empty@${domain}`, timeout: 1 })).toMatchObject({
      found: false,
    })
  })

  test.each([OPERATOR_KEY, 'another-key-0123456789'])(
    "the operator's key %s has no rate limit",
    async (key) => {
      const answer = await fetch(`http://127.0.0.1:${service.port}/api/emails/bot@${domain}/wait?timeout=1`, {
        headers: { ...edge(SECRET), 'X-API-Key': key },
      })
      expect([answer.status, answer.headers.get('ratelimit-limit')]).toEqual([200, null])
    },
  )

  test.each(['/mcp', '/api/sse/a@b.example', '/api/emails/a@b.example/wait'])(
    'a request to %s that bypasses CloudFront is refused',
    async (path) => {
      const method = path === '/mcp' ? 'POST' : 'GET'
      const url = `http://127.0.0.1:${service.port}${path}`
      expect((await fetch(url, { method, headers: edge('wrong') })).status).toBe(403)
      expect((await fetch(url, { method })).status).toBe(403)
    },
  )
})
