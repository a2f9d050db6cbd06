import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAGES = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: ROOT })
const PATH =
  /`((?:test|core|reading|service|adapters|lambdas|lib|local-service|sse-service|smtp-service|web|bin|packages)\/[\w./*-]+)`/g
const LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)/g

describe.each(PAGES)('%s', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8')

  test('names files that are there', () => {
    const missing = [...text.matchAll(PATH)]
      .map(([, path]) => path!)
      .filter((path) => globSync(path, { cwd: ROOT }).length === 0)
    expect(missing).toEqual([])
  })

  test('links to pages that are there', () => {
    const missing = [...text.matchAll(LINK)]
      .map(([, path]) => path!)
      .filter((path) => !existsSync(join(ROOT, dirname(page), path)))
    expect(missing).toEqual([])
  })
})
