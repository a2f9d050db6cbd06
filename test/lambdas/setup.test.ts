import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createTables, LOCAL, type LocalDynamoDb } from '../aws/dynamodb-local.ts'
import { describeOnDynamoDb, sharedDynamoDb } from '../aws/on-dynamodb.ts'
import { type FakeSes, startFakeSes } from '../support/fake-ses.ts'

/** SES, as far as the active rule set goes, DynamoDB Local, and where CloudFormation waits for an answer. */
describeOnDynamoDb('the custom resource of a deployment', () => {
  let ses: FakeSes
  let dynamo: LocalDynamoDb
  let server: Server
  let url: string
  let answers: Record<string, unknown>[]
  let handler: (request: object) => Promise<void>

  beforeAll(async () => {
    ses = await startFakeSes()
    dynamo = await sharedDynamoDb()
    server = createServer(async (request, response) => {
      expect(request.headers['content-type']).toBe('')
      answers.push(JSON.parse(await text(request)))
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
      MAYFLY_DOMAINS: 'configured.example',
    })
    handler = (await import('../../lambdas/setup.ts')).handler as never
  }, 60_000)

  beforeEach(async () => {
    answers = []
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

  type Properties = { ruleSet: string; takeOver: string }
  const ours = { ruleSet: 'ours', takeOver: 'false' }

  /** What CloudFormation is told. */
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

  test('where nothing is active ours becomes so, and at the end nothing again', async () => {
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

  test('another active rule set is left alone, and the refusal says what to do', async () => {
    ses.active = 'theirs'
    const refused = await ask('Create', ours)
    expect(refused.Status).toBe('FAILED')
    expect(refused.Reason).toMatch(/"theirs" is active.*receiptRuleSet.*takeOver.*inbound/)
    // CloudFormation rolls back: what was made is deleted.
    expect((await ask('Delete', ours)).Status).toBe('SUCCESS')
    expect(ses.active).toBe('theirs')
    expect(ses.calls.filter((call) => call.startsWith('Set'))).toEqual([])
  })

  test('it is taken over when told, and given back at the end', async () => {
    ses.active = 'theirs'
    const takeOver = { ...ours, takeOver: 'true' }
    await ask('Create', takeOver)
    expect(ses.active).toBe('ours')
    await ask('Update', takeOver, takeOver)
    expect(ses.active).toBe('ours')
    await ask('Delete', takeOver)
    expect(ses.active).toBe('theirs')
  })

  test('one that was deleted meanwhile cannot be given back: none is active then', async () => {
    ses.active = 'theirs'
    const takeOver = { ...ours, takeOver: 'true' }
    await ask('Create', takeOver)
    ses.ruleSets.delete('theirs')
    expect((await ask('Delete', takeOver)).Status).toBe('SUCCESS')
    expect(ses.active).toBeUndefined()
  })

  test('one that somebody has made active since stays so, at an update and at the end', async () => {
    ses.active = undefined
    await ask('Create', ours)
    ses.active = 'others'
    expect((await ask('Update', ours, ours)).Status).toBe('SUCCESS')
    expect(ses.active).toBe('others')
    await ask('Delete', ours)
    expect(ses.active).toBe('others')
  })

  test('an update to a rule set of somebody else gives back ours, and its roll-back takes it again', async () => {
    ses.active = 'theirs'
    const takeOver = { ...ours, takeOver: 'true' }
    const shared = { ruleSet: '', takeOver: 'false' }
    await ask('Create', takeOver)
    await ask('Update', shared, takeOver)
    expect(ses.active).toBe('theirs')
    await ask('Update', takeOver, shared)
    expect(ses.active).toBe('ours')
    // Also when it was taken over in another way since: what was given back may be had again.
    ses.active = 'theirs'
    await ask('Update', ours, shared)
    expect(ses.active).toBe('ours')
  })

  test('the domains of the configuration are registered before mail comes in', async () => {
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

  test('a fault is told to CloudFormation, which would wait for an hour otherwise', async () => {
    delete process.env.MAYFLY_MAIL_TABLE
    const answer = await ask('Create', ours)
    expect(answer).toMatchObject({ Status: 'FAILED', PhysicalResourceId: 'mayfly-setup' })
    expect(answer.Reason).toContain('MAYFLY_MAIL_TABLE is missing')
  })
})
