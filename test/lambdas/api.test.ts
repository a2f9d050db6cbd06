import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { HttpApiResult } from '../../adapters/apigateway/http-api.ts'
import { EDGE_HEADERS, ENV } from '../../adapters/aws/env.ts'
import { type LocalDeployment, openLocalDeployment } from '../aws/local-deployment.ts'
import { describeOnDynamoDb } from '../aws/on-dynamodb.ts'
import { startSecrets, type TestSecrets } from '../support/secrets.ts'

const ORIGIN_ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:origin-a1B2c3'
const OPERATOR_ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:operator-a1B2c3'
const OPERATOR = 'operator-key-0123456789'

/** The handler with DynamoDB Local and Secrets Manager. */
describeOnDynamoDb('the REST endpoints on AWS', () => {
  let deployment: LocalDeployment
  let secrets: TestSecrets
  let handler: (event: object) => Promise<HttpApiResult>

  beforeAll(async () => {
    deployment = await openLocalDeployment()
    secrets = await startSecrets({ [ORIGIN_ARN]: ['origin-secret'], [OPERATOR_ARN]: [OPERATOR] })
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      [ENV.mxHost]: 'mx.example',
      [ENV.retentionHours]: '48',
      [ENV.originSecretArn]: ORIGIN_ARN,
      [ENV.operatorKeysArn]: OPERATOR_ARN,
    })
    ;({ handler } = (await import('../../lambdas/api.ts')) as never)
  })
  afterAll(async () => {
    await secrets?.close()
    await deployment?.close()
  })

  /** Returns the status and the JSON of an answer. */
  async function get(path: string, headers: Record<string, string> = {}) {
    const { statusCode, body, isBase64Encoded } = await handler({
      rawPath: path,
      rawQueryString: '',
      headers: {
        [EDGE_HEADERS.secret]: 'origin-secret',
        [EDGE_HEADERS.viewer]: '192.0.2.1:50000',
        [EDGE_HEADERS.path]: path,
        ...headers,
      },
      isBase64Encoded: false,
      requestContext: { requestId: 'r', http: { method: 'GET' } },
    })
    return {
      status: statusCode,
      ...JSON.parse(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body),
    }
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

  test('refuse a request that did not come through CloudFront', async () => {
    const answer = await get('/api/info', { [EDGE_HEADERS.secret]: 'guess' })
    expect(answer).toMatchObject({ status: 403, code: 'wrong_door' })
  })

  test('leave the verification of domains to the function that may change SES', async () => {
    expect(await get('/api/domain/verify/mail.example')).toMatchObject({ status: 404, code: 'not_found' })
    expect(await get('/api/info')).toMatchObject({ status: 200 })
  })
})
