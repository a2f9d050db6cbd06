import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { expect, test } from '@jest/globals'
import { LIVE_ENDPOINTS, REST_ENDPOINTS } from '../../adapters/http/endpoints.ts'
import { PROBLEMS } from '../../adapters/http/problems.ts'
import { LIVE_PATHS } from '../../lib/api/edge.ts'
import { pathToFile } from '../../lib/api/path-to-file.ts'
import { ROUTES } from '../../lib/api/rest-api.ts'
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

test('the pages have the paths that browsers and users ask for', () => {
  for (const path of ['/favicon.ico', '/robots.txt', '/manifest.webmanifest', '/inbox'])
    expect(Object.keys(PAGE_FILES)).toContain(path)
})

const BUILT = new URL('../../web/dist', import.meta.url).pathname

/** Runs the function of the template as CloudFront does: in a context without Node's modules. */
function answer(path: string, accept?: string): Properties {
  const [[, { FunctionCode }]] = Object.entries(synthesise().all('AWS::CloudFront::Function')).filter(
    ([id]) => id.includes('PathToFile'),
  ) as [[string, Properties]]
  const handler = runInContext(`${FunctionCode}\nhandler`, createContext({}))
  const headers = accept === undefined ? {} : { accept: { value: accept } }
  return handler({ context: { requestId: 'an-id' }, request: { uri: path, headers } })
}

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8'

test.each(Object.entries(PAGE_FILES))('%s is the file %s', (path, file) => {
  expect(answer(path, BROWSER)).toEqual({ uri: `/${file}`, headers: { accept: { value: BROWSER } } })
})

test('the type of every problem is one page', () => {
  expect(answer('/problems/not_found')).toMatchObject({ uri: '/problems.html' })
})

test('a slash at the end of a page redirects to the page', () => {
  for (const path of ['/domains/', '/domains//'])
    expect(answer(path)).toEqual({
      statusCode: 308,
      statusDescription: 'Permanent Redirect',
      headers: { location: { value: '/domains' } },
    })
})

const NO_PAGES = [
  '/nothing',
  '/package.json',
  '/index.html',
  '/404.html',
  '/api',
  '/constructor',
  '/__proto__',
  '/domains/x',
  '//',
]

test.each(NO_PAGES)('%s is no page: a browser gets the page for that, with status 404', (path) => {
  const { headers, ...others } = answer(path, BROWSER)
  const body = '<!doctype html><h1>Page not found</h1>\n'
  expect(others).toEqual({ statusCode: 404, statusDescription: 'Not Found', body })
  expect(headers).toMatchObject({
    'cache-control': { value: 'no-cache' },
    'content-type': { value: 'text/html; charset=utf-8' },
    'content-security-policy': { value: expect.stringContaining("default-src 'none'") },
    'strict-transport-security': { value: 'max-age=31536000' },
    'x-content-type-options': { value: 'nosniff' },
  })
})

test.each([undefined, '*/*', 'application/json'])('a client that accepts %s gets a problem', (accept) => {
  const { statusCode, headers, body } = answer('/nothing', accept)
  expect([statusCode, headers]).toEqual([
    404,
    { 'content-type': { value: 'application/problem+json' }, 'cache-control': { value: 'no-store' } },
  ])
  expect(JSON.parse(body)).toEqual({
    type: '/problems/not_found',
    title: PROBLEMS.not_found.title,
    status: PROBLEMS.not_found.status,
    detail: expect.stringContaining('/api/openapi.json'),
    code: 'not_found',
    success: false,
    request_id: 'an-id',
  })
})

test('the distribution replaces no error, so those of the API stay problems', () => {
  const [{ DistributionConfig: config }] = Object.values(
    synthesise().all('AWS::CloudFront::Distribution'),
  ) as [Properties]
  for (const response of config.CustomErrorResponses)
    expect(response).toEqual({ ErrorCode: response.ErrorCode, ErrorCachingMinTTL: 0 })
  const api = config.CacheBehaviors.find(({ PathPattern }: Properties) => PathPattern === '/api/*')
  expect(JSON.stringify(api.FunctionAssociations)).not.toContain('PathToFile')
})

test('S3 answers 404 for a missing file, because CloudFront may list the bucket of pages', () => {
  const [, { PolicyDocument }] = Object.entries(synthesise().all('AWS::S3::BucketPolicy')).find(([id]) =>
    id.includes('PagesFiles'),
  ) as [string, Properties]
  const allowed = PolicyDocument.Statement.filter(({ Principal }: Properties) => Principal.Service)
  expect(allowed.map(({ Action, Principal }: Properties) => [Principal.Service, Action])).toEqual([
    ['cloudfront.amazonaws.com', ['s3:GetObject', 's3:ListBucket']],
  ])
  expect(JSON.stringify(allowed[0].Condition)).toContain('Distribution')
  expect(synthesise().warnings().join()).not.toContain('LIST')
})

test('a page that CloudFront would refuse is refused at synthesis', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-pages-'))
  const page = (bytes: number) => writeFile(join(folder, '404.html'), 'x'.repeat(bytes))
  await page(0)
  const rest = Buffer.byteLength(pathToFile(folder))
  await page(10_240 - rest)
  expect(Buffer.byteLength(pathToFile(folder))).toBe(10_240)
  await page(10_241 - rest)
  expect(() => pathToFile(folder)).toThrow(
    '404.html is too large: the function has 10241 bytes of at most 10240',
  )
  await rm(folder, { recursive: true })
  // The gate builds the pages before it runs the tests.
  if (existsSync(BUILT)) expect(Buffer.byteLength(pathToFile(BUILT))).toBeLessThan(6000)
})
