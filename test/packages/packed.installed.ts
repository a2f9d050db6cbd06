import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { build } from 'esbuild'
import { ended } from '../support/service.ts'
import { commandLineTests } from './command-line.ts'
import { commandOptionTests } from './command-options.ts'
import { cypressTests } from './fixtures.ts'
import { type InstalledService, startInstalled } from './installed-service.ts'
import { typeTests } from './types.ts'

describe('the packages, installed from their tarballs into an empty folder', () => {
  let service: InstalledService

  beforeAll(async () => {
    service = await startInstalled()
  })
  afterAll(() => service?.remove())

  test('the client has no dependency, and is under 10 KB compressed', async () => {
    const { outputFiles } = await build({
      entryPoints: [join(service.folder, 'node_modules/@mayfly/client/dist/index.js')],
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
    })
    const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
    process.stderr.write(`@mayfly/client: ${size} bytes compressed\n`)
    expect(size).toBeLessThan(10_000)
    const manifest = await readFile(join(service.folder, 'node_modules/@mayfly/client/package.json'), 'utf8')
    expect(JSON.parse(manifest).dependencies).toBeUndefined()
  })

  test('every entry of the client exists, and those for Node alone import Node', async () => {
    const folder = join(service.folder, 'node_modules/@mayfly/client')
    const { exports } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    /** The files of an entry, each with its conditions. */
    const filesOf = (entry: object | string, conditions: string): [string, string][] =>
      typeof entry === 'string'
        ? [[conditions, entry]]
        : Object.entries(entry).flatMap(([name, more]) => filesOf(more, `${conditions} ${name}`))
    for (const [conditions, file] of filesOf(exports, '')) {
      const text = await readFile(join(folder, file), 'utf8')
      const extension = file.endsWith('.json') ? '' : conditions.includes('require') ? '.c[tj]s' : '.[tj]s'
      expect([conditions, file]).toEqual([conditions, expect.stringMatching(new RegExp(`${extension}$`))])
      if (/^ \. (browser|workerd|default)/.test(conditions))
        expect([file, /["']node:/.test(text)]).toEqual([file, false])
    }
    const license = fileURLToPath(new URL('../../LICENSE', import.meta.url))
    expect(await readFile(join(folder, 'LICENSE'), 'utf8')).toBe(await readFile(license, 'utf8'))
  })

  test('both packages take less than 5 MB, without AWS and CDK', async () => {
    const modules = join(service.folder, 'node_modules')
    const files = await readdir(modules, { recursive: true, withFileTypes: true })
    let size = 0
    for (const file of files.filter((entry) => entry.isFile())) {
      size += (await stat(join(file.parentPath, file.name))).size
    }
    const seconds = (service.installMs / 1000).toFixed(1)
    process.stderr.write(`installed: ${(size / 1e6).toFixed(1)} MB in ${seconds} s\n`)
    expect(size).toBeLessThan(5e6)
    expect((await readdir(modules)).filter((name) => !name.startsWith('.'))).toEqual(['@mayfly', 'mayfly'])
    const code = files
      .filter(({ name }) => name.endsWith('.js'))
      .map((file) => join(file.parentPath, file.name))
    for (const file of code) {
      // A failing `toContain` would print the whole file.
      expect([file, /DynamoDBClient|CfnOutput/.test(await readFile(file, 'utf8'))]).toEqual([file, false])
    }
  })

  test('the action contains these packages', async () => {
    const temporary = await mkdtemp(join(tmpdir(), 'mayfly-packed-'))
    const folder = join(temporary, 'packages')
    const root = fileURLToPath(new URL('../..', import.meta.url))
    const packing = spawn(process.execPath, [join(root, 'action/build.ts'), folder])
    expect(await ended(packing)).toMatchObject({ code: 0 })
    const hashes = async (packages: string) =>
      Promise.all(
        (await readdir(packages)).sort().map(async (name) => {
          const hash = createHash('sha256').update(await readFile(join(packages, name)))
          return [name, hash.digest('hex')]
        }),
      )
    // If this fails, run `npm run build:action`.
    expect(await hashes(join(root, 'action/packages'))).toEqual(await hashes(folder))
    await rm(temporary, { recursive: true })
  })

  test('both packages export the same class to ES modules and to CommonJS', async () => {
    await writeFile(
      join(service.folder, 'classes.cjs'),
      `const client = require('@mayfly/client')
const mayfly = require('mayfly')
import('./classes.mjs').then(async ({ client: client2, mayfly: mayfly2 }) => {
  const service = await mayfly.startMayfly()
  const error = await (await service.inbox()).waitForMail({ timeout: 0 }).catch((reason) => reason)
  await service.stop()
  console.log([client, mayfly, client2, mayfly2].map(({ MailTimeoutError }) => error instanceof MailTimeoutError).join())
})
`,
    )
    await writeFile(
      join(service.folder, 'classes.mjs'),
      `import * as client from '@mayfly/client'\nimport * as mayfly from 'mayfly'\nexport { client, mayfly }\n`,
    )
    const child = spawn(process.execPath, ['classes.cjs'], {
      cwd: service.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    expect(await ended(child)).toEqual({ code: 0, output: 'true,true,true,true\n' })
  })

  typeTests(() => service)
  commandLineTests(() => service)
  commandOptionTests(() => service)
  cypressTests(() => service)

  test('the service contains the pages and the OpenAPI document', async () => {
    expect(await (await fetch(service.url)).text()).toContain('<title>Inbox · Mayfly</title>')
    expect(await (await fetch(`${service.url}/api/openapi.json`)).json()).toHaveProperty('paths')
  })

  test.each(['/llms.txt', '/SKILL.md'])('%s mentions only paths that exist', async (path) => {
    const answer = await fetch(service.url + path)
    expect(answer.headers.get('Content-Type')).toMatch(/^text\/(plain|markdown); charset=utf-8$/)
    const text = await answer.text()
    const paths = [...text.matchAll(/(?:GET |\]\(|MAYFLY_URL)(\/[\w/.-]*)/g)].map(([, named = '']) => named)
    expect(paths.length).toBeGreaterThan(3)
    const open = paths.filter((named) => !named.startsWith('/api/emails/') && !named.startsWith('/api/sse/'))
    for (const named of open) {
      const { status } = await fetch(service.url + named)
      expect([named, status]).toEqual([named, named === '/mcp' ? 405 : 200])
    }
  })

  test('the description of the skill is valid YAML', async () => {
    const text = await (await fetch(`${service.url}/SKILL.md`)).text()
    const [, description] = /^---\nname: [a-z-]+\ndescription: (.*)\n---\n/.exec(text) ?? []
    expect(JSON.parse(description ?? '')).toMatch(/disposable address: /)
  })
})
