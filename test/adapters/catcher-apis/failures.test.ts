import { expect, test } from '@jest/globals'
import { type CatcherOptions, createCatcherApis } from '../../../adapters/catcher-apis/catcher-apis.ts'

test('a request that fails is 500 without its reason, which the log gets', async () => {
  const failures: unknown[] = []
  // There is no store, so the request fails.
  const options = { needsKey: false, failed: (error: unknown) => failures.push(error) }
  const apis = createCatcherApis(options as unknown as CatcherOptions)
  const answer = await apis(new Request('http://localhost/api/v1/messages'), 'client')
  expect([answer.status, await answer.text()]).toEqual([500, 'The service failed. Its log has the reason.'])
  expect(failures).toEqual([expect.any(TypeError)])
})
