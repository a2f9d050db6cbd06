import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { AWS_VARIABLES } from '../support/aws-variables.ts'
import { listening } from '../support/http-server.ts'
import { askCustomResource, type SignedUrl, startSignedUrl } from '../support/signed-url.ts'

/** The stack as CloudFormation lists it, by logical id. */
let deployed: Record<string, string>
/** The status of each of them. */
let status: string
/** The stack that the handler asked for. */
let askedFor: string | null
let cloudFormation: Awaited<ReturnType<typeof listening>>
let signedUrl: SignedUrl
let handler: (request: object) => Promise<void>

const STACK = 'arn:aws:cloudformation:us-east-1:123456789012:stack/Mayfly/00000000'
const KEPT = ['MayflyStorageInboxesD45947BB', 'MayflyStorageKeys1A4C22EE']
const GUARDED = '^Mayfly(?:OriginSecret|Storage|Inbound|Webhooks)\\w*$'

beforeAll(async () => {
  cloudFormation = await listening(
    createServer(async (request, response) => {
      const asked = new URLSearchParams(await text(request))
      askedFor = asked.get('StackName')
      const members = Object.entries(deployed).map(
        ([id, type]) =>
          `<member><LogicalResourceId>${id}</LogicalResourceId><ResourceType>${type}</ResourceType>` +
          `<ResourceStatus>${status}</ResourceStatus></member>`,
      )
      // A page holds one resource; CloudFormation lists a hundred on each.
      const page = Number(asked.get('NextToken') ?? 0)
      const next = page + 1 < members.length ? `<NextToken>${page + 1}</NextToken>` : ''
      response.setHeader('Content-Type', 'text/xml')
      response.end(
        '<ListStackResourcesResponse><ListStackResourcesResult><StackResourceSummaries>' +
          `${members[page] ?? ''}</StackResourceSummaries>${next}</ListStackResourcesResult></ListStackResourcesResponse>`,
      )
    }),
  )
  signedUrl = await startSignedUrl()
  Object.assign(process.env, {
    ...AWS_VARIABLES,
    AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
  })
  handler = (await import('../../lambdas/upgrade-guard.ts')).handler as never
})
beforeEach(() => {
  status = 'CREATE_COMPLETE'
})
afterAll(async () => {
  await cloudFormation?.close()
  await signedUrl?.close()
})

async function deploy(resources: Record<string, string>, type = 'Create', id?: string) {
  deployed = resources
  return askCustomResource(handler, signedUrl, {
    RequestType: type,
    StackId: STACK,
    ...(id && { PhysicalResourceId: id }),
    ResourceProperties: { kept: KEPT, guarded: GUARDED },
  })
}

const TABLE = 'AWS::DynamoDB::Table'

test.each([
  ['a new stack', {}],
  ['a stack with the same tables', { [KEPT[0]!]: TABLE, [KEPT[1]!]: TABLE }],
  ['a function that the template no longer has', { MayflyInboundOldFunction: 'AWS::Lambda::Function' }],
  ['another table of the stack', { OrdersTable12345678: TABLE }],
])('%s is deployed', async (_, resources) => {
  expect(await deploy(resources)).toMatchObject({ Status: 'SUCCESS' })
  expect(askedFor).toBe(STACK)
})

test.each([
  ['a table with another logical id', { [KEPT[0]!]: TABLE, MayflyStorageOldABCDEF01: TABLE }],
  ['a queue with another logical id', { MayflyInboundQueueOLD: 'AWS::SQS::Queue' }],
])('%s is refused, with what to do', async (_, resources) => {
  const { Status, Reason } = await deploy(resources, 'Update')
  expect(Status).toBe('FAILED')
  for (const id of Object.keys(resources).filter((name) => !KEPT.includes(name))) expect(Reason).toContain(id)
  expect(Reason).toMatch(/Nothing was changed.*"stackName": "Mayfly-2".*npx cdk destroy Mayfly/)
})

test('a table that an earlier deployment has deleted is no loss', async () => {
  status = 'DELETE_COMPLETE'
  expect(await deploy({ MayflyStorageOldABCDEF01: TABLE }, 'Update')).toMatchObject({ Status: 'SUCCESS' })
  status = 'DELETE_FAILED'
  expect(await deploy({ MayflyStorageOldABCDEF01: TABLE }, 'Update')).toMatchObject({ Status: 'FAILED' })
})

test('an update keeps the physical resource, because CloudFormation deletes a replaced one', async () => {
  expect(await deploy({})).toMatchObject({ PhysicalResourceId: 'mayfly-upgrade-guard' })
  expect(await deploy({}, 'Update', 'of-an-older-version')).toMatchObject({
    PhysicalResourceId: 'of-an-older-version',
  })
})

test('a deletion is never refused', async () => {
  expect(await deploy({ MayflyStorageOldABCDEF01: TABLE }, 'Delete')).toMatchObject({ Status: 'SUCCESS' })
})
