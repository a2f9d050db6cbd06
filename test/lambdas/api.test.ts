import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { EDGE_HEADERS, ENV } from '../../adapters/aws/env.ts'
import { LIVE_ENDPOINTS, REST_ENDPOINTS } from '../../adapters/http/endpoints.ts'
import { MESSAGE_BYTES } from '../../core/limits.ts'
import manifest from '../../package.json' with { type: 'json' }
import { type LocalDeployment, openLocalDeployment } from '../aws/local-deployment.ts'
import { describeOnDynamoDb } from '../aws/on-dynamodb.ts'
import { putDomain, sampleDomain } from '../contract/sample.ts'
import { askThroughEdge, EDGE_SECRET, GATEWAY_REQUEST_ID, type HttpHandler } from '../support/edge-request.ts'
import { startSecrets, type TestSecrets } from '../support/secrets.ts'
import { startSqs, type TestSqs } from '../support/sqs.ts'

const ORIGIN_ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:origin-a1B2c3'
const OPERATOR_ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:operator-a1B2c3'
const OPERATOR = 'operator-key-0123456789'

/** The handler with DynamoDB Local and Secrets Manager. */
describeOnDynamoDb('the REST endpoints on AWS', () => {
  let deployment: LocalDeployment
  let secrets: TestSecrets
  let sqs: TestSqs
  let handler: HttpHandler

  beforeAll(async () => {
    deployment = await openLocalDeployment()
    secrets = await startSecrets({ [ORIGIN_ARN]: [EDGE_SECRET], [OPERATOR_ARN]: [OPERATOR] })
    sqs = await startSqs()
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      AWS_ENDPOINT_URL_SQS: sqs.url,
      [ENV.mxHost]: 'mx.example',
      [ENV.retentionHours]: '48',
      [ENV.originSecretArn]: ORIGIN_ARN,
      [ENV.operatorKeysArn]: OPERATOR_ARN,
      [ENV.webhookQueueUrl]: `${sqs.url}/123456789012/webhooks`,
    })
    ;({ handler } = (await import('../../lambdas/api.ts')) as never)
  })
  afterAll(async () => {
    await sqs?.close()
    await secrets?.close()
    await deployment?.close()
  })

  /** Returns the status and the JSON of an answer. */
  const get = (path: string, headers: Record<string, string> = {}) => call('GET', path, headers)
  async function call(method: string, path: string, headers: Record<string, string>, sent?: object) {
    const { statusCode, answer } = await askThroughEdge(handler, { method, path, headers, sent })
    return { ...answer, status: statusCode }
  }

  test('accept the keys of the operator, and no other key', async () => {
    expect(await get('/api/keys/current', { 'x-api-key': OPERATOR })).toMatchObject({
      status: 200,
      purpose: 'operator',
    })
    expect(await get('/api/keys/current', { 'x-api-key': 'another-key-0123456789' })).toMatchObject({
      status: 401,
      code: 'api_key_invalid',
    })
  })

  test('an answer has the id of the access log, unless the caller sent one', async () => {
    expect(await get('/api/nothing')).toMatchObject({ status: 404, request_id: GATEWAY_REQUEST_ID })
    const own = await get('/api/nothing', { 'x-request-id': 'mine' })
    expect(own).toMatchObject({ request_id: 'mine' })
  })

  test('refuse a request that did not come through CloudFront', async () => {
    const answer = await get('/api/info', { [EDGE_HEADERS.secret]: 'guess' })
    expect(answer).toMatchObject({ status: 403, code: 'wrong_door', request_id: GATEWAY_REQUEST_ID })
  })

  test('leave the verification of domains to the function that may change SES', async () => {
    expect(await get('/api/domain/verify/mail.example')).toMatchObject({ status: 404, code: 'not_found' })
    expect(await get('/api/info')).toEqual({
      status: 200,
      success: true,
      version: manifest.version,
      all_mail: false,
      base_url: expect.any(String),
      // Mail arrives by SES: no caller of the API connects by SMTP.
      smtp: null,
      mx: 'mx.example',
      retention_hours: 48,
      max_message_bytes: MESSAGE_BYTES,
      link_check: false,
    })
  })

  test('are described with those of the other programs behind the same base URL', async () => {
    const { paths } = await get('/api/openapi.json')
    const all = [...LIVE_ENDPOINTS, ...REST_ENDPOINTS].map(({ path }) => path.replace(/:(\w+)/g, '{$1}'))
    expect(Object.keys(paths).sort()).toEqual([...new Set([...all, '/mcp', '/api/openapi.json'])].sort())
  })

  test('queue the first ping of a webhook, and refuse a private target', async () => {
    const { name } = await putDomain(deployment.store.domains, sampleDomain())
    const create = (url: string) =>
      call(
        'POST',
        '/api/webhooks',
        { 'x-api-key': OPERATOR, 'content-type': 'application/json' },
        {
          url,
          address: `bot@${name}`,
        },
      )
    const { status, id } = await create('https://8.8.8.8/hook')
    expect(status).toBe(201)
    expect(
      sqs.sent.map(({ MessageBody, ...message }) => ({ ...message, ...JSON.parse(MessageBody) })),
    ).toEqual([
      {
        QueueUrl: process.env[ENV.webhookQueueUrl],
        DelaySeconds: 0,
        MessageGroupId: id,
        webhook: id,
        address: '',
        email: '',
        attempts: 0,
        due: expect.any(Number),
      },
    ])
    expect(await create('https://127.0.0.1/hook')).toMatchObject({ status: 400, code: 'invalid_webhook_url' })
    expect(sqs.sent).toHaveLength(1)
  })
})
