import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'

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
