import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import type { InstalledService } from './installed-service.ts'

const run = promisify(execFile)
const TYPESCRIPT = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

const MODULE = `import { type Inbox, MailTimeoutError, Mayfly } from '@mayfly/client'
import { startMayfly } from 'mayfly'

export async function use() {
  const service = await startMayfly({ MAYFLY_DOMAINS: 'shop.test' })
  const inbox: Inbox = await service.inbox()
  const other: Inbox = await new Mayfly({ url: service.url, timeout: 5 }).inbox({ prefix: 'a' })
  const code: string = await inbox.waitForCode({ subject: /code/, pattern: /\\d+/ })
  const none: string | null = await inbox.waitForCode({ orNull: true })
  const bytes: Uint8Array = await (await other.waitForMail()).raw()
  for await (const mail of inbox.stream()) console.log(mail.actionLink?.kind, mail.data.codes, code, none, bytes)
  await inbox[Symbol.asyncDispose]()
  // @ts-expect-error
  const wrong: number = await inbox.waitForCode()
  // @ts-expect-error
  await inbox.waitForCode({ subjct: 'x' })
  // @ts-expect-error
  await startMayfly({ MAYFLY_DOMAIN: 'x' })
  return [new MailTimeoutError('', '', { waitedMs: 0, timeout: 0 }, { arrived: [], earlier: [], refused: [] }).arrived[0]?.code, wrong]
}
`
const CYPRESS = `import '@mayfly/client/cypress'
declare const cy: Cypress.Chainable
export const address: Cypress.Chainable<string> = cy.mayflyInbox({ prefix: 'a' })
export const code: Cypress.Chainable<string> = cy.mayflyCode('a@mayfly.test', { subject: 'x' })
// @ts-expect-error
cy.mayflyCode('a@mayfly.test', { subject: /x/ })
`

/** Without skipLibCheck: the declarations themselves are checked too. */
const STRICT = '--noEmit --strict --target es2022 --lib es2022,dom'

/** Compiles uses of the packages; what the compiler printed, which is nothing if they are right. */
async function compile(folder: string, typescript: string): Promise<string> {
  const source = join(folder, 'typed')
  await mkdir(source, { recursive: true })
  for (const [name, text] of Object.entries({
    'module.mts': MODULE,
    'common.cts': MODULE,
    'cypress.mts': CYPRESS,
    'bundled.ts': MODULE,
  })) {
    await writeFile(join(source, name), text)
  }
  const programs = [
    ['--module', 'node16', 'typed/module.mts', 'typed/common.cts', 'typed/cypress.mts'],
    ['--module', 'nodenext', 'typed/module.mts', 'typed/common.cts'],
    ['--module', 'esnext', '--moduleResolution', 'bundler', 'typed/bundled.ts'],
  ]
  const printed: string[] = []
  for (const program of programs) {
    const args = [typescript, ...STRICT.split(' '), ...program]
    await run(process.execPath, args, { cwd: folder }).catch(({ stdout, message }) => {
      printed.push(program[1] ?? '', stdout || message)
    })
  }
  return printed.join('\n')
}

export function typeTests(started: () => InstalledService): void {
  test('the types work in ES modules, CommonJS, bundlers and Cypress', async () => {
    expect(await compile(started().folder, TYPESCRIPT)).toBe('')
  })
}
