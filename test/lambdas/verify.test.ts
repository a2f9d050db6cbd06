import { crc32 } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals'
import { ENV } from '../../adapters/aws/env.ts'
import { DomainVerifier } from '../../core/access/verifier.ts'
import { DAY_MS, MINUTE_MS } from '../../core/limits.ts'
import type { AwsStore } from '../../service/aws-store.ts'
import { type LocalDeployment, openLocalDeployment } from '../aws/local-deployment.ts'
import { describeOnDynamoDb } from '../aws/on-dynamodb.ts'
import { putDomain, sampleDomain } from '../contract/sample.ts'
import { startDns } from '../support/dns-server.ts'
import { collectLog, type LogLine } from '../support/logged.ts'

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
  let logged: LogLine[]
  beforeEach(() => {
    logged = collectLog().lines
  })
  afterEach(() => void jest.restoreAllMocks())
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
    let calls = 0
    await handler({}, { getRemainingTimeInMillis: () => (calls++ === 0 ? 30_000 : 29_000) })
    expect((await statuses(names)).sort()).toEqual(['pending', 'verified'])
    await handler({}, { getRemainingTimeInMillis: () => 29_000 })
    expect((await statuses(names)).sort()).toEqual(['pending', 'verified'])
    const message = 'the time ran out before all domains were verified'
    expect(logged.filter(({ level }) => level === 'warn')).toEqual([
      { level: 'warn', message, domains: 1 },
      { level: 'warn', message, domains: 1 },
    ])
  })

  test('a domain that fails does not keep others from their verification', async () => {
    const names = await pending('one')
    dns.misbehave(names[0], 'servfail')
    await handler({}, { getRemainingTimeInMillis: () => 240_000 })
    expect(await statuses(names)).toEqual(['pending', 'verified'])
    expect(logged).toEqual(
      expect.arrayContaining([
        {
          level: 'warn',
          message: 'the domain was not verified',
          name: names[0],
          error: expect.stringContaining('Error'),
        },
        { level: 'info', message: 'domain', name: names[1], was: 'pending', is: 'verified' },
      ]),
    )
  })

  test('a verified domain is verified in one of the 288 runs of a day', async () => {
    const name = 'turn.example'
    await putDomain(store.domains, sampleDomain({ name }))
    dns.set('MX', name, [`10 ${MX}`])
    const verify = jest.spyOn(DomainVerifier.prototype, 'verify')
    const turn = crc32(name) % 288
    for (const run of [turn - 1, turn, turn + 1, turn + 288]) {
      // A run starts some seconds after its period.
      const now = jest.spyOn(Date, 'now').mockReturnValue(900 * DAY_MS + (run * 5 + 1) * MINUTE_MS)
      verify.mockClear()
      await handler({}, { getRemainingTimeInMillis: () => 30_000 })
      now.mockRestore()
      const verified = verify.mock.calls.filter(([of]) => of === name)
      expect([run - turn, verified]).toEqual([run - turn, run % 288 === turn ? [[name, undefined]] : []])
    }
    verify.mockRestore()
  })
})
