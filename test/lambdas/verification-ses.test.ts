import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ENV, IDENTITY_TAG } from '../../adapters/aws/env.ts'
import { openMailProvider } from '../../service/aws-store.ts'
import { type LocalDeployment, openLocalDeployment } from '../aws/local-deployment.ts'
import { describeOnDynamoDb } from '../aws/on-dynamodb.ts'
import { putDomain, sampleDomain, unique } from '../contract/sample.ts'
import { startDns } from '../support/dns-server.ts'
import { askThroughEdge, EDGE_SECRET, type HttpHandler } from '../support/edge-request.ts'
import { listening } from '../support/http-server.ts'
import { startSecrets, type TestSecrets } from '../support/secrets.ts'

const ORIGIN_ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:origin-a1B2c3'
const TAGS = [{ Key: IDENTITY_TAG, Value: 'Stage-Mayfly' }]
const IDENTITIES = '/v2/email/identities'

/** The handler with DynamoDB Local, a DNS server and the identities of SES (its API version 2). */
describeOnDynamoDb('the verification of domains whose mail SES receives', () => {
  let deployment: LocalDeployment
  let secrets: TestSecrets
  let dns: Awaited<ReturnType<typeof startDns>>
  let ses: Awaited<ReturnType<typeof listening>>
  let handler: HttpHandler
  const identities = new Map<string, object>()

  beforeAll(async () => {
    deployment = await openLocalDeployment()
    secrets = await startSecrets({ [ORIGIN_ARN]: [EDGE_SECRET] })
    dns = await startDns()
    ses = await listening(
      createServer(async (request, response) => {
        if (request.method === 'POST') {
          const { EmailIdentity, Tags } = (await json(request)) as { EmailIdentity: string; Tags: object[] }
          identities.set(EmailIdentity, { Tags, DkimAttributes: { Tokens: ['one'] } })
          response.end(JSON.stringify(identities.get(EmailIdentity)))
          return
        }
        const name = decodeURIComponent(request.url!.slice(IDENTITIES.length + 1))
        const identity = identities.get(name)
        if (request.method === 'DELETE') identities.delete(name)
        if (identity === undefined) {
          response.writeHead(404, { 'X-Amzn-ErrorType': 'NotFoundException' })
        }
        response.end(JSON.stringify(identity ?? {}))
      }),
    )
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      AWS_ENDPOINT_URL_SESV2: ses.url,
      [ENV.mxHost]: 'mx.example',
      [ENV.retentionHours]: '24',
      [ENV.originSecretArn]: ORIGIN_ARN,
      [ENV.dnsServer]: dns.address,
      [ENV.identityOwner]: 'Stage-Mayfly',
    })
    ;({ handler } = (await import('../../lambdas/verification.ts')) as never)
  })
  afterAll(async () => {
    await ses?.close()
    await dns?.close()
    await secrets?.close()
    await deployment?.close()
  })

  async function verify(domain: string) {
    const { statusCode, answer } = await askThroughEdge(handler, { path: `/api/domain/verify/${domain}` })
    return { statusCode, ...answer }
  }

  test('creates an identity of SES with the tag of the deployment, and waits for its records', async () => {
    const domain = `${unique()}.example`
    dns.set('MX', domain, ['10 mx.example'])
    const { statusCode, status, records } = await verify(domain)
    expect([statusCode, status]).toEqual([200, 'pending'])
    expect(records).toContainEqual(
      expect.objectContaining({ name: `one._domainkey.${domain}`, value: 'one.dkim.amazonses.com' }),
    )
    expect(identities.get(domain)).toMatchObject({ Tags: TAGS })
  })

  test.each([
    { mailProvider: undefined, domain: 'any', claimed: { confirmed: false }, isCreated: true },
    { mailProvider: 'smtp', domain: 'any', claimed: { confirmed: true, records: [] }, isCreated: false },
    {
      mailProvider: 'ses-shared',
      domain: 'any',
      claimed: { confirmed: false, records: [] },
      isCreated: false,
    },
    { mailProvider: 'ses-shared', domain: 'configured', claimed: { confirmed: false }, isCreated: true },
  ])(
    'the provider $mailProvider creates an identity for $domain domain: $isCreated',
    async ({ mailProvider, domain, claimed, isCreated }) => {
      const name = `${unique()}.example`
      await putDomain(deployment.store.domains, sampleDomain({ name, configured: domain === 'configured' }))
      const provider = openMailProvider(deployment.store, { mailProvider, identityOwner: 'Stage-Mayfly' })
      expect(await provider.claim(name)).toMatchObject(claimed)
      expect(identities.has(name)).toBe(isCreated)
      // The identity of a configured domain belongs to the stack.
      await provider.release(name)
      expect(identities.has(name)).toBe(domain === 'configured')
    },
  )
})
