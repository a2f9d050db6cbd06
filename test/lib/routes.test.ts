import { createContext, runInContext } from 'node:vm'
import { expect, test } from '@jest/globals'
import { LIVE_ENDPOINTS, REST_ENDPOINTS } from '../../adapters/http/endpoints.ts'
import { LIVE_PATHS } from '../../lib/edge.ts'
import { ROUTES } from '../../lib/rest-api.ts'
import { PAGE_FILES } from '../../web/headers.ts'
import { type Properties, synthesise } from './synth.ts'

const braced = (path: string) => path.replace(/:(\w+)/g, '{$1}')

test('the HTTP API has a route for each REST endpoint, and no other', () => {
  const endpoints = REST_ENDPOINTS.map(({ method, path }) => `${method} ${braced(path)}`)
  const routes = ROUTES.flatMap(({ path, methods }) => methods.map((method) => `${method} ${path}`))
  expect(routes.sort()).toEqual([...endpoints, 'GET /api/openapi.json'].sort())
})

test('CloudFront sends clients of the Model Context Protocol to their function', () => {
  const { all } = synthesise()
  const [{ DistributionConfig }] = Object.values(all('AWS::CloudFront::Distribution')) as [Properties]
  const behaviour = DistributionConfig.CacheBehaviors.find(
    ({ PathPattern }: Properties) => PathPattern === '/mcp',
  )
  const policy = all('AWS::CloudFront::OriginRequestPolicy')[behaviour.OriginRequestPolicyId.Ref]!
  const { Headers } = policy.OriginRequestPolicyConfig.HeadersConfig
  // CloudFront accepts no Authorization in this list, so the function at the edge copies it to another header.
  expect(Headers).toContain('x-mayfly-authorization')
  expect(Headers.length).toBeLessThanOrEqual(10)
  expect(Headers).not.toContain('Authorization')
})

test('CloudFront sends the live endpoints to the stream service, and no other', () => {
  const patterns = LIVE_PATHS.map((path) => new RegExp(`^${path.replaceAll('*', '.*')}$`))
  const isLive = (path: string) => patterns.some((pattern) => pattern.test(path))
  const example = (path: string) => path.replace(/:(\w+)/g, '01J0')
  for (const { path } of LIVE_ENDPOINTS) expect([path, isLive(example(path))]).toEqual([path, true])
  for (const { path } of REST_ENDPOINTS) expect([path, isLive(example(path))]).toEqual([path, false])
})

test('CloudFront maps every path of a page to its file, and no other path', () => {
  const code = Object.values(synthesise().all('AWS::CloudFront::Function'))
    .map(({ FunctionCode }: Properties) => FunctionCode as string)
    .find((text) => text.includes('var files'))
  const handler = runInContext(`${code}\nhandler`, createContext({})) as (event: {
    context: { requestId: string }
    request: { uri: string; headers: object }
  }) => { uri?: string; statusCode?: number }
  for (const path of ['/favicon.ico', '/robots.txt', '/manifest.webmanifest', '/inbox'])
    expect(Object.keys(PAGE_FILES)).toContain(path)
  const answer = (uri: string) => handler({ context: { requestId: 'r' }, request: { uri, headers: {} } })
  for (const [path, file] of Object.entries(PAGE_FILES))
    expect([path, answer(path).uri]).toEqual([path, `/${file}`])
  expect(answer('/package.json').statusCode).toBe(404)
}, 60_000)
