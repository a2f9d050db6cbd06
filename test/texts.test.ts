import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { textsOf } from './support/texts.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDERS = [
  'adapters',
  'core',
  'lambdas',
  'lib',
  'local-service',
  'packages/cdk',
  'packages/client',
  'packages/mayfly',
  'service',
  'smtp-service',
  'sse-service',
  'web',
]

/**
 * Every sentence that the code says to clients, operators and people at the pages, and every icon.
 * Most tests of a refusal check its code, and the tests of the pages see no icon, so that a sentence
 * could lose its half without this list. The list also shows a reviewer each change of wording.
 */
test.each(FOLDERS)('the texts of %s', (folder) => {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.d\.ts$|^dist\/|node_modules/.test(file))
    .sort()
    .map((file) => join(ROOT, folder, file))
  const texts = files.map((file) => [relative(ROOT, file), textsOf(file)] as const)
  expect(Object.fromEntries(texts.filter(([, found]) => found.length > 0))).toMatchSnapshot()
})
