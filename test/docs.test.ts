import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { inboxActivity } from '../adapters/http/endpoints/activity.ts'
import { testMail } from '../adapters/http/endpoints/test-mail.ts'
import { LIVE_ENDPOINTS, REST_ENDPOINTS } from '../adapters/http/endpoints.ts'
import { PROBLEMS } from '../adapters/http/problems.ts'
import { WholeEmail } from '../adapters/http/wire/email.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAGES = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: ROOT })
const PATH =
  /`((?:test|core|reading|service|adapters|lambdas|lib|local-service|sse-service|smtp-service|web|bin|packages)\/[\w./*-]+)`/g
const LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)/g

const SOURCES = globSync('**/*.{ts,tsx,js,mjs,css}', {
  cwd: ROOT,
  exclude: ['**/node_modules/**', '**/dist/**', '.stryker-tmp/**', 'cdk.out/**', '.venv/**'],
})
const COMMENT = /^\s*(?:\/\/|\/\*|\*).*$|\s\/\/ .*$/gm
const FILE =
  /\b(?<![./\w-])((?:test|core|reading|service|adapters|lambdas|lib|local-service|sse-service|smtp-service|web|bin|packages|docs)\/[\w./-]+\.(?:tsx?|m?js|md|json|css))\b/g

test('the contract names every field of an email', () => {
  const text = readFileSync(join(ROOT, 'docs/contract.md'), 'utf8')
  const rows = [...text.matchAll(/^\| ([a-z_, ]+) \| (?:all|lists|single)/gm)]
  const named = rows.flatMap(([, names = '']) => names.split(', '))
  const isNamed = (field: string) => named.includes(field) || text.includes(`\`${field}`)
  expect(Object.keys(WholeEmail.entries).filter((field) => !isNamed(field))).toEqual([])
})

test('the contract names the path of every endpoint', () => {
  const text = readFileSync(join(ROOT, 'docs/contract.md'), 'utf8')
  const endpoints = [...REST_ENDPOINTS, ...LIVE_ENDPOINTS, testMail, inboxActivity]
  const paths = new Set(endpoints.map(({ path }) => path))
  expect([...paths].filter((path) => !text.includes(path))).toEqual([])
})

test('the contract lists every problem with its status', () => {
  const text = readFileSync(join(ROOT, 'docs/contract.md'), 'utf8')
  const list = /^400 `[\s\S]*?(?=\. A 401)/m.exec(text)![0]
  const listed = list.split('·').flatMap((part) => {
    const status = Number(/\d{3}/.exec(part)![0])
    return [...part.matchAll(/`([a-z_]+)`/g)].map(([, code]) => [code, status])
  })
  const statuses = Object.entries(PROBLEMS).map(([code, { status }]) => [code, status])
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(statuses))
})

test('the table of conformance has a row of each suite', () => {
  const text = readFileSync(join(ROOT, 'docs/conformance.md'), 'utf8')
  const suites = globSync('test/conformance/*.conformance.ts', { cwd: ROOT })
  expect(suites.filter((suite) => !text.includes(`](../${suite})`))).toEqual([])
  expect(suites.length).toBeGreaterThan(5)
})

test('comments name files that exist', () => {
  const missing = SOURCES.flatMap((source) =>
    [...readFileSync(join(ROOT, source), 'utf8').matchAll(COMMENT)]
      .flatMap(([comment]) => [...comment.matchAll(FILE)].map(([, path]) => path!))
      .filter((path) => !existsSync(join(ROOT, path)))
      .map((path) => `${source}: ${path}`),
  )
  expect(missing).toEqual([])
})

describe.each(PAGES)('%s', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8')

  test('names files that exist', () => {
    const missing = [...text.matchAll(PATH)]
      .map(([, path]) => path!)
      .filter((path) => globSync(path, { cwd: ROOT }).length === 0)
    expect(missing).toEqual([])
  })

  test('links to pages that exist', () => {
    const missing = [...text.matchAll(LINK)]
      .map(([, path]) => path!)
      .filter((path) => !existsSync(join(ROOT, dirname(page), path)))
    expect(missing).toEqual([])
  })
})

test('published ports of containers are on loopback', () => {
  const texts = [...PAGES, 'Dockerfile', 'compose.yaml'].filter((file) => existsSync(join(ROOT, file)))
  const published = texts.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:[\d.]+:)?\b(?:8025:8025|1025:1025)\b/g)].map(
      ([ports]) => `${file}: ${ports}`,
    ),
  )
  expect(published.filter((ports) => !ports.includes(' 127.0.0.1:'))).toEqual([])
  expect(published.length).toBeGreaterThan(2)
})
