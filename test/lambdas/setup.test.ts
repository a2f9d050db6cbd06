import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createTables, LOCAL, type LocalDynamoDb } from '../aws/dynamodb-local.ts'
import { describeOnDynamoDb, sharedDynamoDb } from '../aws/on-dynamodb.ts'
import { type FakeSes, startFakeSes } from '../support/fake-ses.ts'

/** With the rule sets of SES, DynamoDB Local, and a server in place of the signed URL of CloudFormation. */
describeOnDynamoDb('the custom resource of a deployment', () => {
  let ses: FakeSes
  let dynamo: LocalDynamoDb
  let server: Server
  let url: string
  let answers: Record<string, unknown>[]
  let contentTypes: unknown[]
  /** Statuses of the next answers of the signed URL. */
  let statuses: number[]
  let handler: (request: object) => Promise<void>

  beforeAll(async () => {
    ses = await startFakeSes()
    dynamo = await sharedDynamoDb()
    server = createServer(async (request, response) => {
      contentTypes.push(request.headers['content-type'])
      const body = JSON.parse(await text(request))
      response.statusCode = statuses.shift() ?? 200
      if (response.statusCode === 200) answers.push(body)
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_SES: ses.endpoint,
      AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: LOCAL.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: LOCAL.credentials.secretAccessKey,
      MAYFLY_BUCKET: 'bucket',
      MAYFLY_MX_HOST: 'mx.example',
      MAYFLY_RETENTION_HOURS: '24',
    })
    handler = (await import('../../lambdas/setup.ts')).handler as never
  })

  beforeEach(async () => {
    answers = []
    contentTypes = []
    statuses = []
    ses.calls = []
    ses.ruleSets = new Set(['ours', 'theirs', 'others'])
    const { mailTable, keysTable } = await createTables(dynamo.client)
    Object.assign(process.env, { MAYFLY_MAIL_TABLE: mailTable, MAYFLY_KEYS_TABLE: keysTable })
  })

  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await ses.close()
    await dynamo.stop()
  })

  type Properties = { ruleSet: string; takeOver: string; domains?: string[] }
  const ours = { ruleSet: 'ours', takeOver: 'false', domains: ['configured.example'] }

  /** Returns the answer to CloudFormation. */
  async function ask(type: string, properties: Properties, old?: Properties) {
    await handler({
      RequestType: type,
      ResponseURL: `${url}/answer`,
      StackId: 's',
      RequestId: 'r',
      LogicalResourceId: 'l',
      ResourceProperties: properties,
      ...(old && { OldResourceProperties: old }),
    })
    return answers.at(-1)!
  }

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
    expect((await ask('Update', ours, ours)).Status).toBe('SUCCESS')
    expect(ses.active).toBe('others')
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

  test('the configured domains are registered before mail arrives', async () => {
    ses.active = 'theirs'
    await ask('Create', ours)
    const { openStore } = await import('../../service/aws-store.ts')
    const { MAYFLY_MAIL_TABLE: mailTable = '', MAYFLY_KEYS_TABLE: keysTable = '' } = process.env
    const store = openStore({ mailTable, keysTable, bucket: 'bucket', dynamo: dynamo.client })
    expect(await store.domains.find('configured.example')).toMatchObject({
      status: 'pending',
      configured: true,
    })
  })

  test('CloudFormation receives a fault, instead of waiting an hour', async () => {
    delete process.env.MAYFLY_MAIL_TABLE
    const answer = await ask('Create', ours)
    expect(answer).toMatchObject({ Status: 'FAILED', PhysicalResourceId: 'mayfly-setup' })
    expect(answer.Reason).toContain('MAYFLY_MAIL_TABLE is missing')
  })

  test('an answer that the signed URL refuses is sent again', async () => {
    statuses = [503, 500]
    ses.active = 'ours'
    expect((await ask('Create', ours)).Status).toBe('SUCCESS')
    // A signed URL without a content type refuses any other.
    expect(contentTypes).toEqual(['', '', ''])
  })
})
