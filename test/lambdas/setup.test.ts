import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { Table } from '../../adapters/dynamodb/table.ts'
import { type LocalDeployment, openLocalDeployment } from '../aws/local-deployment.ts'
import { describeOnDynamoDb } from '../aws/on-dynamodb.ts'
import { type FakeSes, startFakeSes } from '../support/fake-ses.ts'
import { startHeldDynamoDb } from '../support/held-dynamodb.ts'
import { collectLog } from '../support/logged.ts'
import { askCustomResource, type SignedUrl, startSignedUrl } from '../support/signed-url.ts'

/** With the rule sets of SES, DynamoDB Local, and a server in place of the signed URL of CloudFormation. */
describeOnDynamoDb('the custom resource of a deployment', () => {
  let ses: FakeSes
  let deployment: LocalDeployment
  let signedUrl: SignedUrl
  let handler: (request: object) => Promise<void>

  beforeAll(async () => {
    ses = await startFakeSes()
    signedUrl = await startSignedUrl()
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_SES: ses.endpoint,
      MAYFLY_MX_HOST: 'mx.example',
      MAYFLY_RETENTION_HOURS: '24',
    })
    handler = (await import('../../lambdas/setup.ts')).handler as never
  })

  beforeEach(async () => {
    ses.calls = []
    ses.ruleSets = new Set(['ours', 'theirs', 'others'])
    deployment = await openLocalDeployment()
  })

  afterEach(() => deployment.close())
  afterAll(async () => {
    await signedUrl?.close()
    await ses?.close()
  })

  type Properties = { ruleSet: string; takeOver: string; domains?: string[] }
  const ours = { ruleSet: 'ours', takeOver: 'false', domains: ['configured.example'] }

  const ask = (type: string, properties: Properties, old?: Properties) =>
    askCustomResource(handler, signedUrl, {
      RequestType: type,
      ResourceProperties: properties,
      ...(old && { OldResourceProperties: old }),
    })

  test('without an active rule set, ours becomes active, and its deletion leaves none', async () => {
    ses.active = undefined
    expect(await ask('Create', ours)).toEqual({
      Status: 'SUCCESS',
      StackId: 's',
      RequestId: 'r',
      LogicalResourceId: 'l',
      PhysicalResourceId: 'mayfly-setup',
    })
    expect(ses.active).toBe('ours')
    await ask('Delete', ours)
    expect(ses.active).toBeUndefined()
  })

  test('another active rule set stays active, and the refusal says what to do', async () => {
    ses.active = 'theirs'
    const refused = await ask('Create', ours)
    expect(refused.Status).toBe('FAILED')
    expect(refused.Reason).toMatch(/"theirs" is active.*receiptRuleSet.*takeOver.*inbound/)
    // CloudFormation rolls back and deletes the new resources.
    expect((await ask('Delete', ours)).Status).toBe('SUCCESS')
    expect(ses.active).toBe('theirs')
    expect(ses.calls.filter((call) => call.startsWith('Set'))).toEqual([])
  })

  test('takeOver replaces the active rule set, and the deletion activates it again', async () => {
    ses.active = 'theirs'
    const takeOver = { ...ours, takeOver: 'true' }
    await ask('Create', takeOver)
    expect(ses.active).toBe('ours')
    // Later versions must find it under this key.
    const table = new Table(deployment.dynamo.client, deployment.tables.keysTable)
    const previous = await table.get({ pk: { S: 'setup#previous-rule-set' } })
    expect(previous?.name).toEqual({ S: 'theirs' })
    await ask('Update', takeOver, takeOver)
    expect(ses.active).toBe('ours')
    await ask('Delete', takeOver)
    expect(ses.active).toBe('theirs')
  })

  test('a replaced rule set that was deleted since is not activated again', async () => {
    ses.active = 'theirs'
    const takeOver = { ...ours, takeOver: 'true' }
    await ask('Create', takeOver)
    ses.ruleSets.delete('theirs')
    expect((await ask('Delete', takeOver)).Status).toBe('SUCCESS')
    expect(ses.active).toBeUndefined()
  })

  test('a rule set that an operator activated since stays active, at an update and at the deletion', async () => {
    ses.active = undefined
    await ask('Create', ours)
    ses.active = 'others'
    const { lines, restore } = collectLog()
    expect((await ask('Update', ours, ours)).Status).toBe('SUCCESS')
    expect(ses.active).toBe('others')
    restore()
    const message = 'another receipt rule set is active: no mail arrives by SES'
    expect(lines).toEqual([{ level: 'warn', message, active: 'others', ours: 'ours' }])
    await ask('Delete', ours)
    expect(ses.active).toBe('others')
  })

  test('an update to a shared rule set deactivates ours, and its rollback activates it again', async () => {
    ses.active = 'theirs'
    const takeOver = { ...ours, takeOver: 'true' }
    const shared = { ruleSet: '', takeOver: 'false' }
    await ask('Create', takeOver)
    await ask('Update', shared, takeOver)
    expect(ses.active).toBe('theirs')
    await ask('Update', takeOver, shared)
    expect(ses.active).toBe('ours')
    // The rollback may replace the rule set that it activated before.
    ses.active = 'theirs'
    await ask('Update', ours, shared)
    expect(ses.active).toBe('ours')
  })

  test('an update activates our rule set again if none is active, and says nothing if it is', async () => {
    const { lines, restore } = collectLog()
    ses.active = undefined
    for (let n = 0; n < 2; n++) {
      expect((await ask('Update', ours, ours)).Status).toBe('SUCCESS')
      expect(ses.active).toBe('ours')
    }
    expect(ses.calls.filter((call) => call.startsWith('Set'))).toHaveLength(1)
    expect(lines).toEqual([])
    restore()
  })

  test('an update that allows it takes over the rule set that an operator activated', async () => {
    ses.active = 'others'
    expect((await ask('Update', { ...ours, takeOver: 'true' }, ours)).Status).toBe('SUCCESS')
    expect(ses.active).toBe('ours')
  })

  test('a deletion that SES refuses fails, and leaves our rule set active', async () => {
    ses.active = 'theirs'
    const takeOver = { ...ours, takeOver: 'true' }
    await ask('Create', takeOver)
    ses.refusal = 'CannotDelete'
    const { Status, Reason } = await ask('Delete', takeOver)
    ses.refusal = undefined
    expect([Status, ses.active]).toEqual(['FAILED', 'ours'])
    expect(Reason).toContain('mayfly-setup')
  })

  test('the configured domains are registered before mail arrives', async () => {
    ses.active = 'theirs'
    await ask('Create', ours)
    expect(await deployment.store.domains.find('configured.example')).toMatchObject({
      status: 'pending',
      configured: true,
    })
  })

  test('CloudFormation gets no answer before the domains are registered', async () => {
    ses.active = 'ours'
    const dynamo = await startHeldDynamoDb(deployment.dynamo.endpoint, 'configured.example')
    process.env.AWS_ENDPOINT_URL_DYNAMODB = dynamo.url
    try {
      const answered = ask('Create', ours)
      await dynamo.held
      // A handler that does not wait for the write answers now.
      await Promise.race([answered, sleep(300)])
      expect(signedUrl.answers).toEqual([])
      dynamo.release()
      expect((await answered).Status).toBe('SUCCESS')
    } finally {
      await dynamo.close()
    }
  })

  test('CloudFormation receives a fault, instead of waiting an hour', async () => {
    delete process.env.MAYFLY_MAIL_TABLE
    const { lines, restore } = collectLog()
    const answer = await ask('Create', ours)
    restore()
    expect(lines).toMatchObject([{ level: 'error', message: 'the deployment failed here' }])
    expect(answer).toMatchObject({ Status: 'FAILED', PhysicalResourceId: 'mayfly-setup' })
    expect(answer.Reason).toContain('MAYFLY_MAIL_TABLE is missing')
  })

  test('an answer that the signed URL refuses is sent again', async () => {
    signedUrl.statuses.push(503, 500)
    ses.active = 'ours'
    const { lines, restore } = collectLog()
    expect((await ask('Create', ours)).Status).toBe('SUCCESS')
    restore()
    expect(lines.map(({ level, tries }) => [level, tries])).toEqual([
      ['warn', 1],
      ['warn', 2],
    ])
    // A signed URL without a content type refuses any other.
    expect(signedUrl.contentTypes).toEqual(['', '', ''])
  })
})
