import { execFile, spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { CHROMIUM } from '../e2e/browser.ts'
import { NODEMAILER, playwright } from './fixtures.ts'
import type { InstalledService } from './installed-service.ts'
import { isOtherLanguage, runOtherLanguage } from './other-languages.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Pages with snippets. The word after the language of a block says how it is tested. */
const PAGES = [
  'README.md',
  'docs/sdk.md',
  'docs/cli.md',
  'docs/recipes.md',
  'docs/webhooks.md',
  'packages/client/README.md',
  'packages/mayfly/README.md',
]

const TESTED = ['run', 'serve', 'module', 'playwright']

interface Snippet {
  page: string
  line: number
  language: string
  /**
   * `run`; `serve` (starts a service); `module` (is imported); `playwright` (a test file); `example` is not run. Those
   * of the README that begin with a clone are run by readme.installed.ts.
   */
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

/** The surroundings of the snippets: an application that mails a code at sign-up, and the request of a webhook. */
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

/** Runs every snippet of the pages in a project with the installed packages, against its service. */
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
        XDG_CACHE_HOME: join(folder, 'cache'),
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
      if (kind === 'serve') await serves(code, options.env)
      else if (language === 'sh') await run('bash', ['-euo', 'pipefail', '-c', code], options)
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

    test('every block of a language that can be run says how it is tested', async () => {
      const silent = (await snippets()).filter(
        ({ language, kind }) =>
          (['js', 'sh'].includes(language) || isOtherLanguage(language)) &&
          ![...TESTED, 'example', 'clone', 'project'].includes(kind),
      )
      expect(silent).toEqual([])
    })

    // Go and Maven download and compile their dependencies the first time.
    test('every tested block succeeds', async () => {
      const faults: string[] = []
      let count = 0
      for (const snippet of await snippets()) {
        if (!TESTED.includes(snippet.kind)) continue
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

/** Starts a command that runs until it is stopped, and waits for its ready line. */
async function serves(code: string, env: NodeJS.ProcessEnv): Promise<void> {
  const free = { ...env, MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0' }
  // The group, because npx starts the service as a child.
  const child = spawn('bash', ['-c', code], {
    cwd: env.HOME,
    env: free,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.startsWith('mayfly ready')) return
    }
    throw new Error(`\`${code.trim()}\` ended before it was ready.`)
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
  }
}
