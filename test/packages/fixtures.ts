import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { CHROMIUM, CHROMIUM_ARGUMENTS } from '../e2e/browser.ts'
import { toolFolder } from '../support/tools.ts'
import type { InstalledService } from './installed-service.ts'
import { startSignUpPage } from './sign-up-page.ts'

const run = promisify(execFile)
/** As a string literal, for files in another folder that import it. */
export const NODEMAILER = JSON.stringify(import.meta.resolve('nodemailer'))
const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url))

/** Links the libraries that a user has installed: those of this repository serve as well. */
export async function linkLibraries(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '@playwright'))
  for (const name of ['@playwright/test', 'jest', 'standardwebhooks']) {
    await symlink(join(MODULES, name), join(modules, name))
  }
  await symlink(toolFolder('vitest'), join(modules, 'vitest'))
}

/** Runs the fixtures in the real test runners, in a project with the installed packages. */
export function runnerTests(started: () => InstalledService): void {
  describe('the fixtures', () => {
    const onlyWithBrowser = CHROMIUM === undefined ? test.skip : test
    onlyWithBrowser(
      'Playwright: signs up on a page and types the code',
      async () => {
        const stdout = await playwright(
          started(),
          'sign-up',
          `import { expect, test } from '@mayfly/client/playwright'

test('signs up', async ({ page, inbox }) => {
  await page.goto('/')
  await page.getByLabel('Email').fill(inbox.address)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByLabel('Code').fill(await inbox.waitForCode())
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome aboard' })).toBeVisible()
})

test('in a test without a time-out, a wait has the time-out of the client', async ({ page, inbox }) => {
  test.setTimeout(0)
  await page.goto('/')
  await page.getByLabel('Email').fill(inbox.address)
  const code = inbox.waitForCode()
  await page.getByRole('button', { name: 'Sign up' }).click()
  expect(await code).toMatch(/^\\d+$/)
})

test('a mail that does not arrive fails the test', async ({ page, inbox }) => {
  test.fail()
  await page.goto('/')
  await page.getByLabel('Email').fill(inbox.address)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await inbox.waitForMail({ subject: 'Goodbye', timeout: 1000 })
})
`,
        )
        expect(stdout).toMatch(/3 passed/)
      },
      120_000,
    )

    describe('a mail that never arrives: the runner shows which mails did', () => {
      const NEVER = `
  const inbox = await new Mayfly().inbox()
  await createTransport({ host: process.env.SMTP_HOST, port: process.env.SMTP_PORT, ignoreTLS: true })
    .sendMail({ from: 'news@shop.example', to: inbox.address, subject: 'Newsletter', text: 'x' })
  await inbox.waitForCode()
`
      const SHOWN = /MailTimeoutError[\s\S]*No code arrived for[\s\S]*"Newsletter"/
      const imports = `import { Mayfly } from '@mayfly/client'\nimport { createTransport } from ${NODEMAILER}\n`

      async function project(name: string, files: Record<string, string>): Promise<string> {
        const folder = join(started().folder, name)
        await mkdir(folder)
        for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text)
        return name
      }

      onlyWithBrowser(
        'Playwright',
        async () => {
          const code = `import { createTransport } from ${NODEMAILER}
import { test } from '@mayfly/client/playwright'
test('never', async ({ mayfly }) => {${NEVER.replace('new Mayfly()', 'mayfly')}})\n`
          await expect(playwright(started(), 'never-playwright', code, 8_000)).rejects.toThrow(SHOWN)
        },
        120_000,
      )

      test.each(['with its globalSetup', 'without it'])(
        'Vitest %s',
        async (setup) => {
          const globalSetup = setup === 'without it' ? {} : { globalSetup: '@mayfly/client/vitest' }
          const name = await project(`never-vitest-${Object.keys(globalSetup).length}`, {
            'never.test.mjs': `${imports}import { test } from 'vitest'\ntest('never', async () => {${NEVER}})\n`,
            'vitest.config.mjs': `export default { test: ${JSON.stringify({ include: ['*.test.mjs'], ...globalSetup })} }`,
          })
          const root = join(started().folder, name)
          const args = ['run', '--no-color', '--root', root, '--config', join(root, 'vitest.config.mjs')]
          const env = setup === 'without it' ? await running() : {}
          await expect(runner(started(), 'vitest/vitest.mjs', args, env)).rejects.toThrow(SHOWN)
        },
        60_000,
      )

      test.each(['with its globalSetup', 'without it'])(
        'Jest %s',
        async (setup) => {
          const fixtures = {
            globalSetup: '@mayfly/client/jest',
            globalTeardown: '@mayfly/client/jest-teardown',
          }
          const own = setup === 'without it' ? {} : fixtures
          const name = await project(`never-jest-${Object.keys(own).length}`, {
            'never.test.mjs': `${imports}test('never', async () => {${NEVER}})\n`,
            'jest.config.mjs': `export default ${JSON.stringify({ testMatch: ['**/*.test.mjs'], transform: {}, ...own })}`,
          })
          const options = '--experimental-vm-modules --disable-warning=ExperimentalWarning'
          const env = { NODE_OPTIONS: options, ...(setup === 'without it' ? await running() : {}) }
          const args = ['--rootDir', name, '--config', `${name}/jest.config.mjs`]
          await expect(runner(started(), 'jest/bin/jest.js', args, env)).rejects.toThrow(SHOWN)
        },
        60_000,
      )

      test('node:test', async () => {
        const name = await project('never-node', {
          'never.test.mjs': `${imports}import { test } from 'node:test'\ntest('never', async () => {${NEVER}})\n`,
        })
        const env = { ...withoutOurs(), ...(await running()) }
        const options = { cwd: join(started().folder, name), env }
        const failure = await run(process.execPath, ['--test'], options).catch(
          (error: { stdout: string }) => error,
        )
        expect(failure.stdout).toMatch(SHOWN)
      })

      /** The environment of a user whose service runs already. */
      async function running(): Promise<Record<string, string>> {
        const { url, smtp, newKey } = started()
        const SMTP = { SMTP_HOST: smtp.host, SMTP_PORT: String(smtp.port) }
        return { MAYFLY_URL: url, MAYFLY_API_KEY: await newKey(), ...SMTP }
      }
    })

    /** A user's test, which does not know which runner starts the service. */
    const USERS_TEST = `
  const { SMTP_HOST: host, SMTP_PORT: port } = process.env
  const inbox = await new Mayfly().inbox()
  const transport = createTransport({ host, port, ignoreTLS: true })
  await transport.sendMail({ from: 'a@shop.example', to: inbox.address, text: 'Your code is 739105.' })
  transport.close()
  expect(await inbox.waitForCode()).toBe('739105')
`
    const IMPORTS = `import { Mayfly } from '@mayfly/client'
import { createTransport } from ${NODEMAILER}
`

    test('Vitest: a service for the run', async () => {
      const { folder } = started()
      await mkdir(join(folder, 'unit'))
      await writeFile(
        join(folder, 'unit/code.test.mjs'),
        `import { expect, test } from 'vitest'\n${IMPORTS}test('code', async () => {${USERS_TEST}})\n`,
      )
      await writeFile(
        join(folder, 'vitest.config.mjs'),
        `export default { test: { include: ['unit/*.test.mjs'], globalSetup: '@mayfly/client/vitest' } }`,
      )
      const { stdout } = await runner(started(), 'vitest/vitest.mjs', ['run', '--no-color'], {})
      expect(stdout).toMatch(/Tests +1 passed/)
    })

    test('Jest: a service for the run', async () => {
      const { folder } = started()
      await mkdir(join(folder, 'jest'))
      await writeFile(
        join(folder, 'jest/code.test.mjs'),
        `${IMPORTS}test('code', async () => {${USERS_TEST}})\n`,
      )
      await writeFile(
        join(folder, 'jest.config.mjs'),
        `export default {
  rootDir: ${JSON.stringify(folder)},
  testMatch: ['<rootDir>/jest/*.test.*'],
  transform: {},
  globalSetup: '@mayfly/client/jest',
  globalTeardown: '@mayfly/client/jest-teardown',
}`,
      )
      await writeFile(
        join(folder, 'jest/common.test.cjs'),
        `const { Mayfly } = require('@mayfly/client')
const { createTransport } = require(${JSON.stringify(fileURLToPath(import.meta.resolve('nodemailer')))})
test('code', async () => {${USERS_TEST}})\n`,
      )
      const env = { NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning' }
      const { stderr } = await runner(started(), 'jest/bin/jest.js', ['--config', 'jest.config.mjs'], env)
      expect(stderr).toMatch(/Tests: +2 passed/)
    })
  })
}

/** The fixtures for Cypress, whose binary is not on npm. */
export function cypressTests(started: () => InstalledService): void {
  test('Cypress: the commands call the tasks', async () => {
    const { folder, url, smtp, newKey } = started()
    // Between the browser of Cypress and its tasks, values pass as JSON.
    await writeFile(
      join(folder, 'cypress.mjs'),
      `import { createTransport } from ${NODEMAILER}
import { mayflyTasks } from '@mayfly/client/cypress/plugin'
const tasks = {}
mayflyTasks((event, more) => Object.assign(tasks, more))
const json = (value) => JSON.parse(JSON.stringify(value ?? null))
globalThis.cy = { task: async (name, argument) => json(await tasks[name](json(argument))) }
const commands = {}
globalThis.Cypress = { Commands: { add: (name, command) => (commands[name] = command) } }
await import('@mayfly/client/cypress')
const address = await commands.mayflyInbox({ prefix: 'cy' })
const transport = createTransport({ ...${JSON.stringify(smtp)}, ignoreTLS: true })
const send = (text) => transport.sendMail({ from: 'a@shop.example', to: address, subject: 'Hi', text })
await send('Your code is 739105.')
await send('Terms: https://shop.example/terms')
const link = await commands.mayflyLink(address, { match: '/terms' })
const code = await commands.mayflyCode(address)
await send('the third')
const { subject, body_text } = await commands.mayflyMail(address, { q: 'third' })
transport.close()
const late = await commands.mayflyCode(address, { timeout: 100 }).catch((error) => error.name)
console.log(JSON.stringify({ address, link, code, subject, body_text, late }))`,
    )
    const { stdout } = await run(process.execPath, ['cypress.mjs'], {
      cwd: folder,
      env: { ...withoutOurs(), MAYFLY_URL: url, MAYFLY_API_KEY: await newKey() },
    })
    expect(JSON.parse(stdout)).toEqual({
      address: expect.stringMatching(/^cy-/),
      link: 'https://shop.example/terms',
      code: '739105',
      subject: 'Hi',
      body_text: 'the third\n',
      late: 'MailTimeoutError',
    })
  })
}

/** Runs a file of Playwright tests against a sign-up page; returns what the runner printed. */
export async function playwright(
  started: InstalledService,
  name: string,
  code: string,
  timeout = 30_000,
  reporter = 'line',
): Promise<string> {
  const { folder, url, smtp, newKey } = started
  const page = await startSignUpPage(smtp)
  await mkdir(join(folder, name))
  await writeFile(join(folder, name, 'page.spec.mjs'), code)
  const launchOptions = { executablePath: CHROMIUM, args: CHROMIUM_ARGUMENTS }
  const config = { testDir: '.', timeout, workers: 1, use: { baseURL: page.url, launchOptions } }
  await writeFile(join(folder, name, 'playwright.config.mjs'), `export default ${JSON.stringify(config)}`)
  const args = ['test', `--reporter=${reporter}`, '--config', join(name, 'playwright.config.mjs')]
  try {
    const env = {
      MAYFLY_URL: url,
      MAYFLY_API_KEY: await newKey(),
      SMTP_HOST: smtp.host,
      SMTP_PORT: String(smtp.port),
    }
    return (await runner(started, '@playwright/test/cli.js', args, env)).stdout
  } finally {
    await page.close()
  }
}

/** Runs a test runner that `linkLibraries` linked into the project. If a test fails, the error is what the runner printed. */
async function runner(
  { folder }: InstalledService,
  program: string,
  args: string[],
  env: Record<string, string | undefined>,
): Promise<{ stdout: string; stderr: string }> {
  const options = { cwd: folder, env: { ...withoutOurs(), CI: '1', ...env } }
  return run(process.execPath, [join(folder, 'node_modules', program), ...args], options).catch(
    (error: Error & { stdout: string; stderr: string }) => {
      throw new Error(error.stdout + error.stderr, { cause: error })
    },
  )
}

/** The environment without the variables that Jest sets for its own tests. */
function withoutOurs(): NodeJS.ProcessEnv {
  const { JEST_WORKER_ID: _, NODE_OPTIONS: __, NODE_ENV: ___, ...env } = process.env
  return env
}
