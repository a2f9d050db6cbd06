import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { CHROMIUM } from '../e2e/browser.ts'
import { NODEMAILER, playwright } from './fixtures.ts'
import type { InstalledService } from './installed-service.ts'
import { isOtherLanguage, runOtherLanguage } from './other-languages.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Pages with snippets. Each block of code says behind its language what is done with it here. */
const PAGES = [
  'README.md',
  'docs/sdk.md',
  'docs/cli.md',
  'docs/recipes.md',
  'docs/webhooks.md',
  'packages/client/README.md',
  'packages/mayfly/README.md',
]

interface Snippet {
  page: string
  line: number
  language: string
  /** `run`, `module` (is imported), `playwright` (is run by it), or what says that it is not run. */
  kind: string
  code: string
}

async function snippets(): Promise<Snippet[]> {
  const found: Snippet[] = []
  for (const page of PAGES) {
    const text = await readFile(join(ROOT, page), 'utf8')
    for (const match of text.matchAll(/^```(\w+) ?(\w*)\n(.*?)^```$/gms)) {
      const [, language, kind, code] = match as unknown as [string, string, string, string]
      found.push({ page, line: text.slice(0, match.index).split('\n').length, language, kind, code })
    }
  }
  return found
}

const WEBHOOKS = JSON.stringify(import.meta.resolve('standardwebhooks'))

/** What the snippets take for granted: an application that mails a code to whoever signs up, a webhook's request. */
const PRELUDE = `
import webhooks from ${WEBHOOKS}
globalThis.secret = 'whsec_' + Buffer.alloc(32, 1).toString('base64')
globalThis.body = JSON.stringify({ type: 'email.received', data: { email: { codes: ['739105'] } } })
const now = new Date()
globalThis.headers = {
  'webhook-id': '1',
  'webhook-timestamp': String(Math.floor(now / 1000)),
  'webhook-signature': new webhooks.Webhook(secret).sign('1', now, body),
}
import { createTransport } from ${NODEMAILER}
const there = { host: process.env.SMTP_HOST, port: Number(process.env.SMTP_PORT) }
globalThis.sendMail = async (mail, smtp = there) => {
  const transport = createTransport({ ...smtp, ignoreTLS: true })
  await transport.sendMail({ from: 'Shop <no-reply@shop.example>', ...mail })
  transport.close()
}
globalThis.signUp = (to, smtp) => sendMail({ to, subject: 'Welcome', text: 'Your verification code is 739105.' }, smtp)
`

/** Every snippet of the pages, run in the project where the packages are installed, against its service. */
export function snippetTests(started: () => InstalledService): void {
  describe('the snippets', () => {
    let env: NodeJS.ProcessEnv

    beforeAll(async () => {
      const { folder, url, smtp, newKey } = started()
      await mkdir(join(folder, 'snippets'))
      await writeFile(join(folder, 'snippets/prelude.mjs'), PRELUDE)
      env = {
        PATH: `${join(folder, 'node_modules/.bin')}:${join(process.execPath, '..')}:${process.env.PATH}`,
        HOME: folder,
        MAYFLY_URL: url,
        MAYFLY_API_KEY: await newKey(),
        SMTP_HOST: smtp.host,
        SMTP_PORT: String(smtp.port),
      }
    })

    async function runs({ language, kind, code }: Snippet, name: string): Promise<void> {
      const { folder } = started()
      const path = (extension: string) => join(folder, 'snippets', `${name}.${extension}`)
      const options = { cwd: folder, env }
      if (kind === 'playwright') {
        if (CHROMIUM === undefined) process.stderr.write(`LEFT OUT: ${name} needs Chromium.\n`)
        else await playwright(started(), name, code)
        return
      }
      if (language === 'sh') await run('bash', ['-euo', 'pipefail', '-c', code], options)
      else if (isOtherLanguage(language))
        await runOtherLanguage(language, join(folder, 'snippets', name), code, env)
      else {
        await writeFile(path('mjs'), code)
        const prelude = join(folder, 'snippets/prelude.mjs')
        const check =
          kind === 'module'
            ? [
                '--input-type=module',
                '--eval',
                `if (typeof (await import('${path('mjs')}')).default !== 'object') process.exit(1)`,
              ]
            : ['--import', prelude, path('mjs')]
        await run(process.execPath, ['--disable-warning=ExperimentalWarning', ...check], options)
      }
    }

    test('each one that can be run says that it is, or why it is not', async () => {
      const silent = (await snippets()).filter(
        ({ page, language, kind }) =>
          page !== 'README.md' &&
          (['js', 'sh'].includes(language) || isOtherLanguage(language)) &&
          !['run', 'module', 'playwright', 'example'].includes(kind),
      )
      expect(silent).toEqual([])
    })

    // Go and Maven fetch and compile what they need the first time.
    test('they do what they say', async () => {
      const faults: string[] = []
      let count = 0
      for (const snippet of await snippets()) {
        if (!['run', 'module', 'playwright'].includes(snippet.kind)) continue
        await runs(snippet, `snippet-${count++}`).catch((error: Error & { stderr?: string }) => {
          faults.push(`${snippet.page}:${snippet.line}: ${error.stderr || error.message}`)
        })
      }
      process.stderr.write(`snippets: ${count} run\n`)
      expect(faults).toEqual([])
      expect(count).toBeGreaterThan(10)
    }, 600_000)
  })
}
