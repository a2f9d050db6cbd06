import { spawn } from 'node:child_process'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { build } from 'esbuild'
import { ended } from '../support/service.ts'
import { commandLineTests } from './command-line.ts'
import { cypressTests } from './fixtures.ts'
import { type InstalledService, startInstalled } from './installed-service.ts'

describe('the packages, installed from their tarballs into an empty folder', () => {
  let service: InstalledService

  beforeAll(async () => {
    service = await startInstalled()
  }, 120_000)
  afterAll(() => service?.remove())

  test('the client has no dependency, and is under 8 KB compressed', async () => {
    const { outputFiles } = await build({
      entryPoints: [join(service.folder, 'node_modules/@mayfly/client/dist/index.js')],
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
    })
    const size = gzipSync(outputFiles[0]!.contents, { level: 9 }).length
    process.stderr.write(`@mayfly/client: ${size} bytes compressed\n`)
    expect(size).toBeLessThan(8000)
    const manifest = await readFile(join(service.folder, 'node_modules/@mayfly/client/package.json'), 'utf8')
    expect(JSON.parse(manifest).dependencies).toBeUndefined()
  })

  test('`mayfly` is under 25 MB with all that it brings, without AWS and CDK', async () => {
    const modules = join(service.folder, 'node_modules')
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
    const { folder } = service
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

  commandLineTests(() => service)
  cypressTests(() => service)

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

  test('the skill says what it is for in a text that is YAML, with a colon in it', async () => {
    const text = await (await fetch(`${service.url}/SKILL.md`)).text()
    const [, description] = /^---\nname: [a-z-]+\ndescription: (.*)\n---\n/.exec(text)!
    expect(JSON.parse(description!)).toMatch(/disposable address: /)
  })
})
