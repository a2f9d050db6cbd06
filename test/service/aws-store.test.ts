import { beforeEach, expect, jest, test } from '@jest/globals'

/* A function that verifies no domain must not pay for the SES client at its cold start. */

let loads = 0
const claimed: string[] = []
const client = () => {
  loads++
  return {
    openProvider: () => ({
      claim: async (domain: string) => void claimed.push(domain),
      release: async () => {},
    }),
  }
}
jest.unstable_mockModule('../../adapters/ses/client.ts', client)
const { openMailProvider } = await import('../../service/aws-store.ts')
type Domains = Parameters<typeof openMailProvider>[0]['domains']
const domains = { find: async () => undefined } as Partial<Domains> as Domains

beforeEach(() => {
  claimed.length = 0
})

test('the SES client is loaded when the first domain is claimed', async () => {
  const provider = openMailProvider({ domains }, {})
  // An import that has begun ends in a later turn of the event loop.
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(loads).toBe(0)
  await provider.claim('one.example')
  await provider.claim('two.example')
  expect([loads, claimed]).toEqual([1, ['one.example', 'two.example']])
})
