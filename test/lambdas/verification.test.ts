import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { EDGE_HEADERS, ENV } from '../../adapters/aws/env.ts'
import { type LocalDeployment, openLocalDeployment } from '../aws/local-deployment.ts'
import { describeOnDynamoDb } from '../aws/on-dynamodb.ts'
import { startDns, type TestDns } from '../support/dns-server.ts'
import { askThroughEdge, EDGE_SECRET, type HttpHandler } from '../support/edge-request.ts'
import { startSecrets, type TestSecrets } from '../support/secrets.ts'

const ORIGIN_ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:origin-a1B2c3'

/** The handler with DynamoDB Local and a DNS server, for a deployment whose mail arrives by SMTP. */
describeOnDynamoDb('the endpoint that verifies domains', () => {
  let deployment: LocalDeployment
  let secrets: TestSecrets
  let dns: TestDns
  let handler: HttpHandler

  beforeAll(async () => {
    deployment = await openLocalDeployment()
    secrets = await startSecrets({ [ORIGIN_ARN]: [EDGE_SECRET] })
    dns = await startDns()
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      [ENV.mxHost]: 'mx.example',
      [ENV.retentionHours]: '24',
      [ENV.originSecretArn]: ORIGIN_ARN,
      [ENV.mailProvider]: 'smtp',
      [ENV.dnsServer]: dns.address,
    })
    ;({ handler } = (await import('../../lambdas/verification.ts')) as never)
  })
  afterAll(async () => {
    await dns?.close()
    await secrets?.close()
    await deployment?.close()
  })

  async function get(path: string, secret = EDGE_SECRET) {
    const { statusCode, answer } = await askThroughEdge(handler, {
      path,
      headers: { [EDGE_HEADERS.secret]: secret },
    })
    return { statusCode, ...answer }
  }

  test('registers a domain whose MX record names this deployment', async () => {
    dns.set('MX', 'mail.example', ['10 mx.example'])
    const answer = await get('/api/domain/verify/mail.example')
    expect(answer).toMatchObject({ statusCode: 200, verified: true })
    expect(await deployment.store.domains.find('mail.example')).toMatchObject({ status: 'verified' })
  })

  test('answers no other path, and only requests that came through CloudFront', async () => {
    expect(await get('/api/info')).toMatchObject({ statusCode: 404, code: 'not_found' })
    expect(await get('/api/domain/verify/other.example', 'guess')).toMatchObject({ statusCode: 403 })
    expect(await deployment.store.domains.find('other.example')).toBeUndefined()
  })
})
