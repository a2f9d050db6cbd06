import { expect, test } from '../../../../packages/client/src/fixtures/playwright.ts'

let address: string

test.fail('fails, as is expected', async ({ inbox, mayfly }) => {
  address = inbox.address
  await fetch(`${mayfly.url}/api/test-mail`, { method: 'POST', body: JSON.stringify({ address }) })
  await inbox.waitForMail({ timeout: 20_000 })
  expect(address).toBe('')
})

test('clears the inbox of a test that failed as expected', async ({ mayfly }) => {
  const inbox = await mayfly.inbox({ address, history: true })
  expect(await inbox.mails()).toEqual([])
})
