import { execFile, spawn } from 'node:child_process'
import { copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { build } from 'esbuild'
import { inBrowser } from '../e2e/browser.ts'
import { startDns, type TestDns } from '../support/dns-server.ts'
import { ended } from '../support/service.ts'
import { commandLineTests } from './command-line.ts'
import { fixtureTests, type Started } from './fixtures.ts'
import { imageTests } from './image.ts'
import { type Installed, install } from './installed.ts'
import { openPostOffice, type PostOffice } from './post-office.ts'

const run = promisify(execFile)

/** Other runtimes, brought by npm: `npm run test:packages` names them, for they are hundreds of megabytes. */
const RUNTIMES = (process.env.MAYFLY_RUNTIMES ?? '').split(' ').filter((name) => name !== '')

describe('the packages, installed from their tarballs into an empty folder', () => {
  let installed: Installed
  let bin: string

  beforeAll(async () => {
    installed = await install()
    bin = join(installed.folder, 'node_modules/.bin/mayfly')
  }, 120_000)
  afterAll(() => installed?.remove())

  test('the client has no dependency, and is under 8 KB compressed', async () => {
    const { outputFiles } = await build({
      entryPoints: [join(installed.folder, 'node_modules/@mayfly/client/dist/index.js')],
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
    })
    const size = gzipSync(outputFiles[0]!.contents, { level: 9 }).length
    process.stderr.write(`@mayfly/client: ${size} bytes compressed\n`)
    expect(size).toBeLessThan(8000)
    const manifest = await readFile(
      join(installed.folder, 'node_modules/@mayfly/client/package.json'),
      'utf8',
    )
    expect(JSON.parse(manifest).dependencies).toBeUndefined()
  })

  test('`mayfly` is under 25 MB with all that it brings, without AWS and CDK', async () => {
    const modules = join(installed.folder, 'node_modules')
    const files = await readdir(modules, { recursive: true, withFileTypes: true })
    let size = 0
    for (const file of files.filter((entry) => entry.isFile())) {
      size += (await stat(join(file.parentPath, file.name))).size
    }
    process.stderr.write(`installed: ${(size / 1e6).toFixed(1)} MB\n`)
    expect(size).toBeLessThan(25e6)
    expect((await readdir(modules)).filter((name) => !name.startsWith('.'))).toEqual(['@mayfly', 'mayfly'])
    const code = files
      .filter(({ name }) => name.endsWith('.js'))
      .map((file) => join(file.parentPath, file.name))
    for (const file of code) {
      // A text of the expected length would be the whole file.
      expect([file, /DynamoDBClient|CfnOutput/.test(await readFile(file, 'utf8'))]).toEqual([file, false])
    }
  })

  test('the types are understood by a project that checks all of them', async () => {
    const { folder } = installed
    await writeFile(
      join(folder, 'use.ts'),
      `import { type Inbox, MailTimeoutError, Mayfly } from '@mayfly/client'
import { startMayfly } from 'mayfly'
await using service = await startMayfly({ MAYFLY_DOMAINS: 'shop.test' })
const inbox: Inbox = await new Mayfly({ url: service.url }).inbox({ prefix: 'a' })
const code: string = await inbox.waitForCode({ subject: /code/ })
for await (const mail of inbox.stream()) console.log(mail.actionLink?.kind, mail.data.codes, code)
const other: string = (await service.inbox()).address
// @ts-expect-error
const wrong: number = await inbox.waitForCode()
console.log(new MailTimeoutError('', '', 0, []).arrived[0]?.code, other, wrong)
`,
    )
    const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
    const options =
      '--noEmit --strict --module nodenext --target es2024 --lib es2024,esnext.disposable,dom use.ts'
    const child = spawn(process.execPath, [compiler, ...options.split(' ')], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    expect(await ended(child)).toEqual({ code: 0, output: '' })
  })

  test('20 services side by side in one process', async () => {
    await writeFile(
      join(installed.folder, 'many.mjs'),
      `import { startMayfly } from 'mayfly'
      const began = performance.now()
      const first = await startMayfly()
      const ms = performance.now() - began
      const others = await Promise.all(Array.from({ length: 19 }, () => startMayfly()))
      const all = [first, ...others]
      const inboxes = await Promise.all(all.map((service) => service.inbox()))
      console.log(JSON.stringify({ ms, urls: new Set(all.map(({ url }) => url)).size, addresses: inboxes.length }))
      await Promise.all(all.map((service) => service.stop()))`,
    )
    const { stdout } = await run(process.execPath, ['many.mjs'], { cwd: installed.folder })
    const { ms, ...counts } = JSON.parse(stdout)
    process.stderr.write(`startMayfly: ready in ${Math.round(ms)} ms\n`)
    expect(counts).toEqual({ urls: 20, addresses: 20 })
  }, 60_000)

  imageTests(() => installed.folder)

  describe('a service that the command started', () => {
    let service: { url: string; smtp: { host: string; port: number }; stop(): Promise<unknown> }
    let dns: TestDns
    let office: PostOffice
    let clients = 0

    beforeAll(async () => {
      dns = await startDns()
      service = await startCommand(bin, installed.folder, {
        MAYFLY_DNS_SERVER: dns.address,
        MAYFLY_MX_HOST: 'mx.mayfly.example',
      })
      office = await openPostOffice(
        { ...service, newKey },
        join(installed.folder, 'node_modules/@mayfly/client/dist'),
      )
      const { folder } = installed
      await copyFile(new URL('./sdk-scenarios.mjs', import.meta.url), join(folder, 'sdk-scenarios.mjs'))
      await writeFile(
        join(folder, 'run.mjs'),
        `import * as client from '@mayfly/client'
        import { runAll } from './sdk-scenarios.mjs'
        const post = async (mail) => {
          await fetch('${office.url}/post', { method: 'POST', body: JSON.stringify(mail) })
        }
        const apiKey = await (await fetch('${office.url}/key')).text()
        const failures = await runAll({ ...client, url: '${service.url}', apiKey, post })
        for (const failure of failures) console.log(failure)
        console.log('done')`,
      )
    }, 60_000)
    afterAll(async () => {
      await office?.close()
      await service?.stop()
      await dns?.close()
    })

    const started = (): Started & { dns: TestDns } => ({ ...service, folder: installed.folder, newKey, dns })
    commandLineTests(started)
    fixtureTests(started)

    /** The runs share neither a key's requests of a minute nor a client address's keys of a day. */
    async function newKey(): Promise<string> {
      const headers = { 'X-Forwarded-For': `203.0.113.${++clients}` }
      const answer = await fetch(`${service.url}/api/keys`, { method: 'POST', headers })
      return ((await answer.json()) as { key: string }).key
    }

    test('the SDK in this Node', async () => {
      const { stdout } = await run(process.execPath, ['run.mjs'], { cwd: installed.folder })
      expect(stdout).toBe('done\n')
    }, 60_000)

    test('the pages and the document of the API are inside', async () => {
      expect(await (await fetch(service.url)).text()).toContain('<title>Inbox · Mayfly</title>')
      expect(await (await fetch(`${service.url}/api/openapi.json`)).json()).toHaveProperty('paths')
    })

    test.each(['/llms.txt', '/SKILL.md'])(
      '%s tells an agent what is there, and nothing that is not',
      async (path) => {
        const answer = await fetch(service.url + path)
        expect(answer.headers.get('Content-Type')).toMatch(/^text\/(plain|markdown); charset=utf-8$/)
        const text = await answer.text()
        const paths = [...text.matchAll(/(?:GET |\]\(|MAYFLY_URL)(\/[\w/.-]*)/g)].map(([, named]) => named!)
        expect(paths.length).toBeGreaterThan(3)
        const open = paths.filter(
          (named) => !named.startsWith('/api/emails/') && !named.startsWith('/api/sse/'),
        )
        for (const named of open) {
          const { status } = await fetch(service.url + named)
          expect([named, status]).toEqual([named, named === '/mcp' ? 405 : 200])
        }
      },
    )

    for (const name of RUNTIMES) {
      test(`the SDK in ${name}`, async () => {
        const other = await install([name])
        await copyFile(join(installed.folder, 'run.mjs'), join(other.folder, 'run.mjs'))
        await copyFile(join(installed.folder, 'sdk-scenarios.mjs'), join(other.folder, 'sdk-scenarios.mjs'))
        const program = name.split('@')[0]!
        const args = program === 'deno' ? ['run', '--allow-all', 'run.mjs'] : ['run.mjs']
        const { stdout } = await run(join(other.folder, 'node_modules/.bin', program), args, {
          cwd: other.folder,
        })
        expect(stdout).toBe('done\n')
        await other.remove()
      }, 300_000)
    }

    inBrowser('in Chromium', {}, (stage) => {
      test('the SDK', async () => {
        const context = await stage().browser.newContext()
        const page = await context.newPage()
        await page.goto(office.url)
        const code = `(async () => {
          const client = await import('/index.js')
          const { runAll } = await import('/sdk-scenarios.mjs')
          const post = async (mail) => { await fetch('/post', { method: 'POST', body: JSON.stringify(mail) }) }
          const apiKey = await (await fetch('/key')).text()
          return runAll({ ...client, url: '${service.url}', apiKey, post })
        })()`
        expect(await page.evaluate(code)).toEqual([])
        await context.close()
      }, 60_000)
    })
  })
})

/** The installed command as a shell starts it; resolves when it is ready. */
async function startCommand(bin: string, folder: string, env: Record<string, string>) {
  const began = performance.now()
  const child = spawn(bin, [], {
    cwd: folder,
    env: {
      PATH: `${join(process.execPath, '..')}:${process.env.PATH}`,
      MAYFLY_HTTP_PORT: '0',
      MAYFLY_SMTP_PORT: '0',
      MAYFLY_TRUST_PROXY: '127.0.0.1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url, host, port] = /^mayfly ready http=(\S+) smtp=(\S+):(\d+)$/.exec(line) ?? []
    if (url === undefined) continue
    process.stderr.write(`mayfly: ready in ${Math.round(performance.now() - began)} ms\n`)
    return {
      url,
      smtp: { host: host!, port: Number(port) },
      stop: () => {
        const exit = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGTERM')
        return exit
      },
    }
  }
  throw new Error('the command ended before it was ready')
}
