import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Catcher, startCatcher } from './catcher.ts'

let catcher: Catcher

beforeAll(async () => {
  catcher = await startCatcher()
})

afterAll(() => catcher.stop())

const search = async (path: string, terms: number) => {
  const query = Array.from({ length: terms }, (_, n) => `-w${n}`).join('+')
  const answer = await fetch(`${catcher.url}${path}?query=${query}`)
  return [answer.status, await answer.text()]
}

test.each([
  ['/api/v1/search', 200],
  ['/api/v1/message/latest', 404],
  ['/view/latest.html', 404],
])('%s has at most 50 terms, because each is looked for in every message', async (path, status) => {
  expect(await search(path, 50)).toEqual([status, expect.any(String)])
  expect(await search(path, 51)).toEqual([400, 'Error: a search has at most 50 terms'])
})
