import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { expect, test } from '@jest/globals'
import { PROBLEMS } from '../../adapters/http/problems.ts'
import { pathToFile } from '../../lib/path-to-file.ts'
import { PAGE_FILES } from '../../web/headers.ts'
import { type Properties, synthesise } from './synth.ts'

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
  expect(answer('/domains/')).toMatchObject({ statusCode: 308, headers: { location: { value: '/domains' } } })
})

const NO_PAGES = [
  '/nothing',
  '/index.html',
  '/404.html',
  '/api',
  '/constructor',
  '/__proto__',
  '/domains/x',
  '//',
]

test.each(NO_PAGES)('%s is no page: a browser gets the page for that, with status 404', (path) => {
  const { statusCode, headers, body } = answer(path, BROWSER)
  expect([statusCode, body]).toEqual([404, '<!doctype html><h1>Page not found</h1>\n'])
  expect(headers).toMatchObject({
    'content-type': { value: 'text/html; charset=utf-8' },
    'content-security-policy': { value: expect.stringContaining("default-src 'none'") },
    'x-content-type-options': { value: 'nosniff' },
  })
})

test.each([undefined, '*/*', 'application/json'])('a client that accepts %s gets a problem', (accept) => {
  const { statusCode, headers, body } = answer('/nothing', accept)
  expect([statusCode, headers['content-type']]).toEqual([404, { value: 'application/problem+json' }])
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
  await writeFile(join(folder, '404.html'), 'x'.repeat(10_000))
  expect(() => pathToFile(folder)).toThrow(
    /404\.html is too large: the function has 1\d{4} bytes of at most 10240/,
  )
  await rm(folder, { recursive: true })
  // The gate builds the pages before it runs the tests.
  if (existsSync(BUILT)) expect(Buffer.byteLength(pathToFile(BUILT))).toBeLessThan(6000)
})
