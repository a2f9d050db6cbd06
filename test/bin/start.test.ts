import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { freshAddress, sendMail } from '../support/mail.ts'
import { runToEnd, startService } from '../support/service.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** What the service consists of. */
const COPIED = [
  'adapters',
  'bin',
  'core',
  'local-service',
  'packages/client/src',
  'reading',
  'service',
  'web',
]
const SOURCE = 'core/errors.ts'
const KEY = 'fm_0123456789abcdef0123456789abcdef'
const LIBRARIES = 'node_modules/.package-lock.json'
/** What the source says about a wrong configuration, and what it said when the bundle was built. */
const [SAID, SAID_BEFORE] = ['The configuration is not valid', 'The CONFIGURATION is not valid']

/** `npm start` in a copy of the project, whose bundle shows that it is the bundle. */
describe('npm start', () => {
  let tree: string
  let program: string
  let built: string

  beforeAll(() => {
    tree = mkdtempSync(join(tmpdir(), 'mayfly-start-'))
    program = join(tree, 'bin/start.js')
    built = join(tree, 'built')
    for (const path of COPIED) cpSync(join(ROOT, path), join(tree, path), { recursive: true })
    cpSync(join(ROOT, 'package.json'), join(tree, 'package.json'))
    mkdirSync(join(tree, 'node_modules'))
    for (const name of readdirSync(join(ROOT, 'node_modules'))) {
      const [from, to] = [ROOT, tree].map((root) => join(root, 'node_modules', name))
      if (name === '.package-lock.json') cpSync(from!, to!)
      else if (name !== '.cache') symlinkSync(from!, to!)
    }
  })

  afterAll(() => rmSync(tree, { recursive: true, force: true }))

  function run(file: string) {
    // With its own compiled code.
    const env = { ...process.env, NODE_COMPILE_CACHE: undefined }
    const { status, stderr } = spawnSync(process.execPath, [join(tree, file)], { encoding: 'utf8', env })
    expect([status, stderr]).toEqual([0, ''])
  }

  const set = (path: string, seconds: number) => utimesSync(join(tree, path), seconds, seconds)
  const now = () => Math.floor(Date.now() / 1000)

  /** Builds the bundle of a source that afterwards has another text, of the same time and length. */
  function build(changedAt = now() - 60) {
    const text = readFileSync(join(tree, SOURCE), 'utf8')
    expect(text).toContain(SAID)
    const write = (version: string) => {
      writeFileSync(join(tree, SOURCE), version)
      set(SOURCE, changedAt)
    }
    write(text.replace(SAID, SAID_BEFORE))
    run('bin/build.js')
    write(text)
  }

  /** The program that `npm start` runs: what it prints names it. */
  async function used(): Promise<'bundle' | 'sources'> {
    const { code, output } = await runToEnd({ MAYFLY_HTTP_PORT: 'x' }, program)
    expect(code).toBe(78)
    expect(output).toMatch(/^The configuration is not valid:\n {2}MAYFLY_HTTP_PORT must be /i)
    return output.includes(SAID_BEFORE) ? 'bundle' : 'sources'
  }

  describe('which program it runs', () => {
    beforeEach(() => build())

    test('the bundle that is current', async () => {
      expect(await used()).toBe('bundle')
    })

    test.each<[string, () => void]>([
      ['a source is newer', () => set(SOURCE, now())],
      ['a source is older, as a copy that was moved back', () => set(SOURCE, now() - 3600)],
      [
        'a source has another size',
        () => {
          const { mtimeMs } = statSync(join(tree, SOURCE))
          appendFileSync(join(tree, SOURCE), '\n')
          set(SOURCE, mtimeMs / 1000)
        },
      ],
      ['npm has installed other libraries', () => set(LIBRARIES, now())],
      ['there is no bundle', () => rmSync(built, { recursive: true })],
      ['the build was interrupted before its end', () => rmSync(join(built, 'states.json'))],
      ['the build was interrupted at its end', () => truncateSync(join(built, 'states.json'), 5000)],
      ['a file of the bundle is missing', () => rmSync(join(built, 'ingest-thread.js'))],
      ['a file of the bundle is incomplete', () => truncateSync(join(built, 'reader-thread.js'), 10)],
      ['a source was written during the build', () => build(now() + 60)],
    ])('the sources if %s', async (_, change) => {
      change()
      expect(await used()).toBe('sources')
    })
  })

  describe('the bundle', () => {
    beforeAll(() => build())

    beforeEach(async () => expect(await used()).toBe('bundle'))

    const latest = async (http: string, address: string) => {
      const headers = { 'X-API-Key': KEY }
      return (await fetch(`${http}/api/emails/${address}/latest`, { headers })).json()
    }

    /** Sends a mail by a send API. */
    const post = async (http: string, mail: { to: string; subject: string; text: string }) => {
      const answer = await fetch(`${http}/resend/emails`, {
        method: 'POST',
        headers: { Authorization: 'Bearer re_test', 'Content-Type': 'application/json' },
        body: JSON.stringify({ from: 'a@mayfly.test', ...mail }),
      })
      expect(answer.status).toBe(200)
    }

    test('reads a small mail, one for a reader thread and one of a send API, and has them after a crash and a stop', async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'mayfly-data-'))
      const service = await startService({ MAYFLY_API_KEYS: KEY }, { dataDir, program })
      const addresses = [freshAddress(), freshAddress(), freshAddress()] as const
      const mailOf = (filling: string) => ({ subject: 'Hello', text: `Your code is 739105.\n${filling}` })
      await sendMail(service.smtp, { to: addresses[0], ...mailOf('') })
      await sendMail(service.smtp, { to: addresses[1], ...mailOf('Words to read.\n'.repeat(30_000)) })
      await post(service.http, { to: addresses[2], ...mailOf('') })
      await service.kill()
      for (let start = 0; start < 2; start++) {
        const next = await startService({ MAYFLY_API_KEYS: KEY }, { dataDir, program })
        for (const address of addresses) {
          expect(await latest(next.http, address)).toMatchObject({ email: { codes: ['739105'] } })
        }
        expect((await fetch(next.http)).status).toBe(200)
        expect(await next.stop()).toBe(0)
      }
      rmSync(dataDir, { recursive: true })
    })

    // A cache is written when a process ends by itself, and not when it is killed because it did not.
    test('finds the compiled code of all its threads when `npm ci` has warmed it', async () => {
      // Of the tests above.
      rmSync(join(tree, 'node_modules/.cache'), { recursive: true, force: true })
      run('bin/warm.js')
      const service = await startService({ NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }, { program })
      const mail = { to: freshAddress(), subject: 'Hello', text: 'Your code is 739105.' }
      await sendMail(service.smtp, mail)
      await post(service.http, mail)
      expect(await service.stop()).toBe(0)
      const files = (what: string) =>
        [...service.output().matchAll(new RegExp(`${what} for ESM file://\\S+/built/([\\w-]+)`, 'g'))].map(
          ([, name]) => name!.replace(/-[0-9A-Z]{8}$/, ''),
        )
      expect(files('V8 code cache')).toEqual(
        expect.arrayContaining(['run', 'ingest-thread', 'read', 'send-thread']),
      )
      expect(files('writing cache')).toEqual([])
    })

    test('keeps compiled code in the folder that the user names, also that of a thread', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'mayfly-code-'))
      const env = { NODE_COMPILE_CACHE: folder, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
      const service = await startService(env, { program })
      expect(await service.stop()).toBe(0)
      const used = [...service.output().matchAll(/resolved path (\S+) \+/g)].map(([, path]) => path)
      expect(used).toEqual([folder, folder])
      rmSync(folder, { recursive: true })
    })
  })
})
