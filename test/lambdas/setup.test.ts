import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'

/** SES, as far as the active rule set goes, and the place where CloudFormation waits for an answer. */
describe('the custom resource of a deployment, when the stack goes', () => {
  let server: Server
  let url: string
  let active: string | undefined
  let calls: string[]
  let answers: Record<string, unknown>[]
  let handler: (request: object) => Promise<void>

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const body = await text(request)
      if (request.method === 'PUT') {
        expect(request.headers['content-type']).toBe('')
        answers.push(JSON.parse(body))
        response.end()
        return
      }
      const parameters = new URLSearchParams(body)
      const action = parameters.get('Action')!
      calls.push(`${action} ${parameters.get('RuleSetName') ?? ''}`.trim())
      if (action === 'SetActiveReceiptRuleSet') active = parameters.get('RuleSetName') ?? undefined
      if (action === 'Broken' || active === 'broken') response.statusCode = 400
      const metadata = active === undefined ? '' : `<Metadata><Name>${active}</Name></Metadata>`
      response.end(`<${action}Response><${action}Result>${metadata}</${action}Result></${action}Response>`)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_SES: url,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    })
    handler = (await import('../../lambdas/setup.ts')).handler as never
  })

  beforeEach(() => {
    calls = []
    answers = []
  })

  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const request = (type: string) => ({
    RequestType: type,
    ResponseURL: `${url}/answer`,
    StackId: 's',
    RequestId: 'r',
    LogicalResourceId: 'l',
    ResourceProperties: { ruleSet: 'ours' },
  })

  test('its rule set is active no more', async () => {
    active = 'ours'
    await handler(request('Delete'))
    expect(calls).toEqual(['DescribeActiveReceiptRuleSet', 'SetActiveReceiptRuleSet'])
    expect(active).toBeUndefined()
    expect(answers).toEqual([
      {
        Status: 'SUCCESS',
        StackId: 's',
        RequestId: 'r',
        LogicalResourceId: 'l',
        PhysicalResourceId: 'mayfly-setup',
      },
    ])
  })

  test('a rule set that somebody else has made active stays so', async () => {
    active = 'theirs'
    await handler(request('Delete'))
    expect(calls).toEqual(['DescribeActiveReceiptRuleSet'])
    expect([active, answers[0]!.Status]).toEqual(['theirs', 'SUCCESS'])
  })

  test('and where none is active, nothing is done', async () => {
    active = undefined
    await handler(request('Delete'))
    expect(calls).toEqual(['DescribeActiveReceiptRuleSet'])
  })

  test('a fault is told to CloudFormation, which would wait for an hour otherwise', async () => {
    await handler(request('Create'))
    expect(answers[0]).toMatchObject({ Status: 'FAILED', PhysicalResourceId: 'mayfly-setup' })
    expect(answers[0]!.Reason).toContain('MAYFLY_MAIL_TABLE is missing')
  })
})
