import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ENV } from '../../adapters/aws/env.ts'
import type { AwsStore } from '../../service/aws-store.ts'
import { type LocalDeployment, openLocalDeployment } from '../aws/local-deployment.ts'
import { describeOnDynamoDb } from '../aws/on-dynamodb.ts'
import { putDomain, sampleDomain } from '../contract/sample.ts'
import { startDns } from '../support/dns-server.ts'

const MX = 'mx.example'

/** The handler with DynamoDB Local and a DNS server, for a deployment whose mail arrives by SMTP. */
describeOnDynamoDb('the schedule that verifies domains', () => {
  let deployment: LocalDeployment
  let dns: Awaited<ReturnType<typeof startDns>>
  let store: AwsStore
  let handler: (event: unknown, context: { getRemainingTimeInMillis(): number }) => Promise<void>

  beforeAll(async () => {
    deployment = await openLocalDeployment()
    dns = await startDns()
    Object.assign(process.env, {
      // As CloudFormation returns the name of a load balancer.
      [ENV.mxHost]: 'MX.Example',
      [ENV.retentionHours]: '24',
      [ENV.mailProvider]: 'smtp',
      [ENV.dnsServer]: dns.address,
    })
    handler = (await import('../../lambdas/verify.ts')).handler
    store = deployment.store
  })
  afterAll(async () => {
    await dns?.close()
    await deployment?.close()
  })

  /** Two pending domains; the name that sorts first comes first. */
  async function pending(prefix: string): Promise<[string, string]> {
    const names: [string, string] = [`${prefix}-a.example`, `${prefix}-b.example`]
    for (const name of names) {
      await putDomain(store.domains, sampleDomain({ name, status: 'pending' }))
      dns.set('MX', name, [`10 ${MX}`])
    }
    return names
  }

  const statuses = (names: string[]) =>
    Promise.all(names.map(async (name) => (await store.domains.find(name))?.status))

  test('stops when the time runs out, and leaves the domains as they are', async () => {
    const names = await pending('late')
    await handler({}, { getRemainingTimeInMillis: () => 29_000 })
    expect(await statuses(names)).toEqual(['pending', 'pending'])
  })

  test('a domain that fails does not keep others from their verification', async () => {
    const names = await pending('one')
    dns.misbehave(names[0], 'servfail')
    await handler({}, { getRemainingTimeInMillis: () => 240_000 })
    expect(await statuses(names)).toEqual(['pending', 'verified'])
  })
})
