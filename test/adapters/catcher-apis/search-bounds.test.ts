import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Catcher, startCatcher } from './catcher.ts'

let catcher: Catcher

beforeAll(async () => {
  catcher = await startCatcher()
})

afterAll(() => catcher.stop())

const search = (terms: number) =>
  fetch(`${catcher.url}/api/v1/search?query=${Array.from({ length: terms }, (_, n) => `-w${n}`).join('+')}`)

test('a search has at most 50 terms, because each is looked for in every message', async () => {
  expect((await search(50)).status).toBe(200)
  const refused = await search(51)
  expect([refused.status, await refused.text()]).toEqual([400, 'Error: a search has at most 50 terms'])
})
