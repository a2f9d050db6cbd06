import { execFile } from 'node:child_process'
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { inBrowser } from '../e2e/browser.ts'
import { install } from './installed.ts'
import type { InstalledService } from './installed-service.ts'
import { openPostOffice, type PostOffice } from './post-office.ts'

const run = promisify(execFile)

/** Runtimes besides the Node that runs the tests, as npm packages. */
const BROUGHT_BY_NPM = ['node@20', 'node@22', 'deno', 'bun']

/** Runs the same scenarios in every runtime that the client supports. */
export function runtimeTests(started: () => InstalledService): void {
  describe('the SDK', () => {
    let office: PostOffice

    beforeAll(async () => {
      const { folder, url } = started()
      office = await openPostOffice(started(), join(folder, 'node_modules/@mayfly/client/dist'))
      await copyFile(new URL('./sdk-scenarios.mjs', import.meta.url), join(folder, 'sdk-scenarios.mjs'))
      await writeFile(
        join(folder, 'run.mjs'),
        `import * as client from '@mayfly/client'
        import { runAll } from './sdk-scenarios.mjs'
        const post = async (mail) => {
          await fetch('${office.url}/post', { method: 'POST', body: JSON.stringify(mail) })
        }
        const apiKey = await (await fetch('${office.url}/key')).text()
        const failures = await runAll({ ...client, url: '${url}', apiKey, post })
        for (const failure of failures) console.log(failure)
        console.log('done')`,
      )
    })
    afterAll(() => office?.close())

    test.each(BROUGHT_BY_NPM)(
      'in %s',
      async (name) => {
        const { folder } = started()
        const other = await install([name])
        for (const file of ['run.mjs', 'sdk-scenarios.mjs'])
          await copyFile(join(folder, file), join(other.folder, file))
        const program = name.split('@')[0]!
        const args = program === 'deno' ? ['run', '--allow-all', 'run.mjs'] : ['run.mjs']
        const bin = join(other.folder, 'node_modules/.bin', program)
        expect((await run(bin, args, { cwd: other.folder })).stdout).toBe('done\n')
        await other.remove()
      },
      300_000,
    )

    inBrowser('in Chromium', {}, (stage) => {
      test('as a module of a page', async () => {
        const context = await stage().browser.newContext()
        const page = await context.newPage()
        await page.goto(office.url)
        const code = `(async () => {
          const client = await import('/index.js')
          const { runAll } = await import('/sdk-scenarios.mjs')
          const post = async (mail) => { await fetch('/post', { method: 'POST', body: JSON.stringify(mail) }) }
          const apiKey = await (await fetch('/key')).text()
          return runAll({ ...client, url: '${started().url}', apiKey, post })
        })()`
        expect(await page.evaluate(code)).toEqual([])
        await context.close()
      })
    })
  })

  test('the service in Node 22', async () => {
    const { folder, remove } = await install(['node@22'])
    await writeFile(
      join(folder, 'start.mjs'),
      `import { createTransport } from ${JSON.stringify(import.meta.resolve('nodemailer'))}
      import { startMayfly } from 'mayfly'
      const service = await startMayfly()
      const inbox = await service.inbox()
      const transport = createTransport({ ...service.smtp, ignoreTLS: true })
      await transport.sendMail({ from: 'a@shop.example', to: inbox.address, text: 'Your code is 739105.' })
      transport.close()
      console.log(process.versions.node.split('.')[0], await inbox.waitForCode())
      await service.stop()`,
    )
    const { stdout } = await run(join(folder, 'node_modules/.bin/node'), ['start.mjs'], { cwd: folder })
    expect(stdout).toBe('22 739105\n')
    await remove()
  }, 300_000)
}
