import { describe, expect, test } from '@jest/globals'
import type { Endpoint } from '../../../adapters/http/endpoint.ts'
import { inboxActivity } from '../../../adapters/http/endpoints/activity.ts'
import { ALL_MAIL_ENDPOINTS } from '../../../adapters/http/endpoints/all-mail.ts'
import { mcp } from '../../../adapters/http/endpoints/mcp.ts'
import { metrics } from '../../../adapters/http/endpoints/metrics.ts'
import { openApi } from '../../../adapters/http/endpoints/openapi.ts'
import { testMail } from '../../../adapters/http/endpoints/test-mail.ts'
import { LIVE_ENDPOINTS, REST_ENDPOINTS } from '../../../adapters/http/endpoints.ts'
import { openApiDocument } from '../../../adapters/http/openapi/document.ts'
import type { ProblemCode } from '../../../core/errors.ts'
import { linesOf } from '../../support/lines.ts'

/**
 * Every operation: its path, its name and group, for which a generated client has a function and a class,
 * who may call it, and where it reads the key of a private domain.
 */
const OPERATIONS = `
  GET    | /api/openapi.json                    | openApi           | Service               | public   |
  GET    | /api/emails                          | allMail           | All mail              | operator |
  GET    | /api/emails/latest                   | latestOfAllMail   | All mail              | operator |
  GET    | /api/emails/wait                     | waitForAnyEmail   | All mail              | operator |
  DELETE | /api/emails                          | clearAllMail      | All mail              | operator |
  GET    | /api/sse                             | allMailStream     | All mail              | operator |
  GET    | /api/refusals                        | refusals          | All mail              | operator |
  GET    | /api/sse/:address                    | addressStream     | Streams               | public   | query
  GET    | /api/user-dashboard/sse              | domainsStream     | Streams               | public   |
  GET    | /api/emails/:address/wait            | waitForEmail      | Emails                | api key  | header
  GET    | /api/random-username                 | randomUsername    | Addresses and domains | public   |
  GET    | /api/domains                         | listDomains       | Addresses and domains | public   |
  GET    | /api/domains/random                  | randomDomain      | Addresses and domains | public   |
  GET    | /api/domain/verify/:domain           | verifyDomain      | Addresses and domains | public   | header
  GET    | /api/public/emails/:address          | publicInbox       | Emails                | public   | header or query
  GET    | /api/emails/:address                 | inbox             | Emails                | api key  | header
  DELETE | /api/emails/:address                 | clearInbox        | Emails                | api key  | header
  POST   | /api/emails/:address/read            | readInbox         | Emails                | api key  | header
  GET    | /api/emails/:address/latest          | latestEmail       | Emails                | api key  | header
  GET    | /api/emails/:address/:id             | readEmail         | Emails                | api key  | header
  DELETE | /api/emails/:address/:id             | deleteEmail       | Emails                | api key  | header
  GET    | /api/emails/:address/:id/raw         | rawMessage        | Emails                | api key  | header
  GET    | /api/emails/:address/:id/attachments/:n | attachment | Emails              | api key  | header
  POST   | /api/emails/:address/:id/link-check  | checkLinks        | Emails                | api key  | header
  GET    | /api/keys                            | keyQuota          | API keys              | public   |
  POST   | /api/keys                            | newKey            | API keys              | public   |
  GET    | /api/keys/current                    | currentKey        | API keys              | api key  |
  DELETE | /api/keys/current                    | revokeKey         | API keys              | api key  |
  POST   | /api/session                         | openSession       | Service               | public   |
  POST   | /api/webhooks                        | newWebhook        | Webhooks              | api key  | header
  GET    | /api/webhooks                        | listWebhooks      | Webhooks              | api key  |
  GET    | /api/webhooks/:id                    | getWebhook        | Webhooks              | api key  |
  DELETE | /api/webhooks/:id                    | deleteWebhook     | Webhooks              | api key  |
  POST   | /api/webhooks/:id/test               | testWebhook       | Webhooks              | api key  |
  GET    | /api/webhooks/:id/deliveries         | webhookDeliveries | Webhooks              | api key  |
  GET    | /api/health                          | health            | Service               | public   |
  GET    | /api/info                            | info              | Service               | public   |
  POST   | /mcp                                 | mcp               | Agents                | bearer   | header
  POST   | /api/test-mail                       | sendTestMail      | Service               | public   |
  GET    | /api/activity/:address               | inboxActivity     | Service               | public   | header
  GET    | /metrics                             | metrics           | Service               | public   |
`

const REST = [...ALL_MAIL_ENDPOINTS, ...LIVE_ENDPOINTS, ...REST_ENDPOINTS]
const UNUSED = () => Promise.reject(new Error('no request is made'))
const ALL: Endpoint<never>[] = [openApi([]), ...REST, mcp(REST, UNUSED), testMail, inboxActivity, metrics]

test('operations keep their names, their groups, and who may call them', () => {
  const rows = ALL.map(({ method, path, name, tag, access, inbox, domainKey }) =>
    [method, path, name, tag, access, inbox ?? (domainKey ? 'header' : '')].join(' | ').trimEnd(),
  )
  const expected = OPERATIONS.trim().split('\n')
  expect(rows).toEqual(expected.map((row) => row.replace(/ +/g, ' ').trim()))
})

/** The problems that an operation has besides those of every other one with its access and its parameters. */
const PROBLEMS: Record<string, ProblemCode[]> = {
  waitForAnyEmail: ['too_many_streams'],
  allMailStream: ['too_many_streams'],
  addressStream: ['too_many_streams'],
  domainsStream: ['domain_key_missing', 'domain_key_invalid', 'rate_limited', 'too_many_streams'],
  waitForEmail: ['too_many_streams'],
  randomDomain: ['domain_not_found'],
  verifyDomain: ['invalid_domain', 'rate_limited', 'domain_quota_exceeded', 'dns_unavailable'],
  readEmail: ['email_not_found'],
  deleteEmail: ['email_not_found'],
  rawMessage: ['email_not_found', 'range_not_satisfiable'],
  attachment: ['email_not_found', 'attachment_not_found', 'range_not_satisfiable'],
  checkLinks: ['email_not_found', 'link_check_refused'],
  newKey: ['key_quota_exceeded'],
  revokeKey: ['method_not_allowed'],
  newWebhook: [
    'invalid_webhook_url',
    'invalid_address',
    'invalid_domain',
    'domain_not_found',
    'domain_key_missing',
    'domain_key_invalid',
    'webhook_quota_exceeded',
  ],
  getWebhook: ['webhook_not_found'],
  deleteWebhook: ['webhook_not_found'],
  testWebhook: ['webhook_not_found'],
  webhookDeliveries: ['webhook_not_found'],
  health: ['unavailable'],
  sendTestMail: ['invalid_address', 'domain_not_found', 'unavailable'],
  metrics: ['api_key_missing', 'operator_key_required'],
}

test('operations keep the problems of their own', () => {
  const declared = ALL.flatMap(({ name, problems = [] }) => (problems.length === 0 ? [] : [[name, problems]]))
  expect(Object.fromEntries(declared)).toEqual(PROBLEMS)
})

test.each(ALL.map((each) => [each.name, each] as const))(
  'the parameters of %s are where it reads them',
  (_, endpoint) => {
    const { paths } = openApiDocument([endpoint], { version: '1', baseUrl: undefined })
    const [[operation] = []] = Object.values(paths as object).map(Object.values)
    const parameters: { name: string; in: string; required: boolean }[] = operation.parameters
    const placed = Object.groupBy(parameters, (parameter) => parameter.in)
    const namesIn = (place: string) => placed[place]?.map(({ name }) => name) ?? []
    // A generated client would give this spelling of a parameter the name of the other one.
    const query = Object.keys(endpoint.query.entries).filter((name) => name !== 'lastEventId')
    expect([namesIn('path'), namesIn('query'), namesIn('header')]).toEqual([
      Array.from(endpoint.path.matchAll(/:(\w+)/g), ([, name]) => name),
      query,
      endpoint.headers ?? [],
    ])
    expect(parameters.filter(({ required }) => required)).toEqual(placed.path ?? [])
  },
)

/**
 * The whole document, as a contract: users generate clients from it. After an intended change,
 * `npm test -- test/adapters/http/operations.test.ts -u` writes the snapshots; read their diff.
 */
describe('the document keeps', () => {
  expect.addSnapshotSerializer({ test: (value) => typeof value === 'string', print: String })

  const { paths, ...others } = openApiDocument(ALL, { version: '1.2.3', baseUrl: undefined })
  const operations = Object.values(paths as object).flatMap(Object.values)
  const isRefusal = (status: string) => status >= '400'
  // biome-ignore lint/suspicious/noExplicitAny: a response may have any shape
  const responsesOf = ({ responses }: any) => Object.entries<any>(responses)

  test.each(operations.map((each) => [each.operationId, each] as const))('%s', (_, operation) => {
    const responses = Object.fromEntries(responsesOf(operation).filter(([status]) => !isRefusal(status)))
    const refused = responsesOf(operation).map(([status]) => status)
    const lines = linesOf('operation', { ...operation, responses, refused: refused.filter(isRefusal) })
    expect(lines.join('\n')).toMatchSnapshot()
  })

  test('its refusals', () => {
    const all = operations.flatMap(responsesOf).filter(([status]) => isRefusal(status))
    const lines = all.map(([status, { description, headers }]) =>
      [status, description, ...Object.keys(headers)].join(' | '),
    )
    expect([...new Set(lines)].sort().join('\n')).toMatchSnapshot()
  })

  test.each(Object.entries(others))('%s', (name, part) => {
    expect(linesOf(name, part).join('\n')).toMatchSnapshot()
  })
})
