import { expect, test } from '@jest/globals'
import { NODEMAILER, playwright } from './fixtures.ts'
import type { InstalledService } from './installed-service.ts'

/** Runs the fixture `inbox` in Playwright without a browser. */
export function reportTests(started: () => InstalledService): void {
  test('Playwright: a passed test clears its inbox, and the report of a failed one has its mails', async () => {
    const code = `import { createTransport } from ${NODEMAILER}
import { expect, test } from '@mayfly/client/playwright'
test.use({ mayflyOptions: { timeout: 300 } })
const { SMTP_HOST: host, SMTP_PORT: port } = process.env
async function receive(inbox) {
  const transport = createTransport({ host, port, ignoreTLS: true })
  await transport.sendMail({ from: 'a@shop.example', to: inbox.address, subject: 'Newsletter', text: 'x' })
  transport.close()
  await inbox.waitForMail({ timeout: 20_000 })
}
let address
test('passes', async ({ inbox }) => {
  await receive(inbox)
  address = inbox.address
})
test('is cleared', async ({ mayfly }) => {
  const inbox = await mayfly.inbox({ address, history: true })
  expect(await inbox.mails()).toEqual([])
})
test('fails', async ({ inbox }) => {
  await receive(inbox)
  await inbox.waitForCode()
})
`
    const printed = await playwright(started(), 'report', code, 30_000, 'json').then(
      () => 'no test failed',
      ({ message }: Error) => message,
    )
    const { suites } = JSON.parse(printed.slice(printed.indexOf('{'), printed.lastIndexOf('}') + 1))
    const results = suites[0].specs.map(
      ({ tests }: { tests: { results: object[] }[] }) => tests[0]?.results[0],
    )
    expect(results).toMatchObject([
      { status: 'passed', attachments: [] },
      { status: 'passed' },
      { status: 'failed' },
    ])
    // The time-out of the client, and not what remains of the test's 30 s.
    expect(results[2].error.message).toMatch(/No code arrived for \S+ within \d(\.\d)? s/)
    const attached = results[2].attachments.find(({ name }: { name: string }) => name === 'inbox')
    expect(attached.contentType).toBe('application/json')
    const text = Buffer.from(attached.body, 'base64').toString()
    const report = JSON.parse(text)
    // Indented, for people.
    expect(text).toBe(JSON.stringify(report, undefined, 2))
    expect(report).toEqual({
      address: expect.stringMatching(/@mayfly\.test$/),
      mails: [expect.objectContaining({ subject: 'Newsletter' })],
    })
  }, 120_000)
}
