import { expect, test } from '@jest/globals'
import { furtherCommands, testsOf } from './changed.ts'

const ALWAYS = ['test/structure.test.ts', 'test/docs.test.ts', 'test/texts.test.ts']

test.each([
  ['core/inbox/filter.ts', ['test/core/{access,events,inbox}/**/*.test.ts']],
  ['adapters/send-apis/ses/xml.ts', ['test/adapters/send-apis/**/*.test.ts']],
  ['web/inbox/query.ts', ['test/web/**/*.test.ts']],
  ['test/support/mail.ts', ['test/support/**/*.test.ts']],
  ['test/core/address.test.ts', ['test/core/address.test.ts']],
  ['README.md', []],
])('a change of %s runs its suites', (path, tests) => {
  expect(testsOf([path, path])).toEqual([...ALWAYS, ...tests])
})

test('a change of a part of the service runs a suite that puts a service together by hand', () => {
  expect(testsOf(['core/events/live.ts'])).toContain('test/adapters/http/endpoints.test.ts')
})

test.each([
  ['web/inbox/rows.tsx', ['test:pages']],
  ['packages/python/src/mayfly/_filter.py', ['test:python', 'test:packages']],
  ['lib/storage.ts', ['test:aws']],
  ['core/address.ts', []],
])('a change of %s names the suites that it does not run', (path, commands) => {
  expect(furtherCommands([path])).toEqual(commands)
})
