import { type ExecFileOptions, execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { build } from 'esbuild'
import { freshAddress, sendMail } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { CACHE, PYTHON } from './installed.ts'
import { recordRow } from './row.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const VERSION = '7.16.0'
/** Installed by .ci/conformance. */
const GENERATOR = join(CACHE, `openapi-generator-cli-${VERSION}.jar`)
const API_KEY = 'operator-key-of-the-conformance-suite'

let service: RunningService
let folder: string
/** The classes that the tags ask for, as all four languages spell them. */
let classes: string[]

beforeAll(async () => {
  service = await startService({ MAYFLY_API_KEYS: API_KEY })
  folder = await mkdtemp(join(tmpdir(), 'mayfly-clients-'))
  const document = await (await fetch(`${service.http}/api/openapi.json`)).text()
  await writeFile(join(folder, 'openapi.json'), document)
  const { tags } = JSON.parse(document) as { tags: { name: string }[] }
  classes = tags.map(({ name }) => `${name.replaceAll(' ', '')}api`.toLowerCase()).sort()
})

afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs a program; an error contains its output. */
async function run(program: string, args: string[], options: ExecFileOptions = {}): Promise<void> {
  const all = { maxBuffer: 2 ** 26, ...options }
  await promisify(execFile)(program, args, all).catch((error: Error & { stdout: string; stderr: string }) => {
    throw new Error(error.stdout + error.stderr, { cause: error })
  })
}

/** Generates a client; returns its folder. */
async function generated(language: string, args: string[] = []): Promise<string> {
  const to = join(folder, language)
  const parts = ['apiTests', 'modelTests', 'apiDocs', 'modelDocs'].map((part) => `${part}=false`).join()
  await run('java', [
    ...['-jar', GENERATOR, 'generate', '-i', join(folder, 'openapi.json'), '-g', language, '-o', to],
    ...['--global-property', parts, ...args],
  ])
  return to
}

/** The names in the files of a folder that match, in lower case. */
async function namesIn(at: string, pattern: RegExp): Promise<string[]> {
  const names = (await readdir(at)).flatMap((name) => pattern.exec(name)?.[1] ?? [])
  return names.map((name) => name.replaceAll('_', '').toLowerCase()).sort()
}

test('a client in Java has a class for each tag, and compiles', async () => {
  const client = await generated('java', ['--library', 'native'])
  const sources = 'src/main/java/org/openapitools/client/api'
  expect(await namesIn(join(client, sources), /^(\w+Api)\.java$/)).toEqual(classes)
  await run('mvn', ['--quiet', '--batch-mode', 'compile'], { cwd: client })
}, 300_000)

test('a client in Go has a file and a service for each tag, and compiles', async () => {
  const client = await generated('go')
  const names = await namesIn(client, /^api_(\w+)\.go$/)
  expect(names.map((name) => `${name}api`).sort()).toEqual(classes)
  // .ci/conformance installs a newer Go beside Python where that of the distribution is too old.
  const bin = dirname(PYTHON)
  await run('go', ['build', './...'], {
    cwd: client,
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
  })
}, 300_000)

/** Loads every module, and reads failures with each kind of id. */
const READS_FAILURES = `
import importlib, json, pkgutil, openapi_client
for module in pkgutil.walk_packages(openapi_client.__path__, "openapi_client."):
    importlib.import_module(module.name)
for id in (None, "a", 7):
    failure = {"jsonrpc": "2.0", "id": id, "error": {"code": -32700, "message": "x"}}
    assert openapi_client.McpFailure.from_json(json.dumps(failure)).to_dict()["id"] == id
`

test('a client in Python has a module for each tag, and reads an id that may be null', async () => {
  const client = await generated('python')
  expect(await namesIn(join(client, 'openapi_client/api'), /^(\w+_api)\.py$/)).toEqual(classes)
  await run(PYTHON, ['-c', READS_FAILURES], { cwd: client })
}, 300_000)

test('a client in TypeScript has a class for each tag, and reads a code', async () => {
  const client = await generated('typescript-fetch')
  expect(await namesIn(join(client, 'apis'), /^(\w+Api)\.ts$/)).toEqual(classes)
  await run(process.execPath, [
    join(ROOT, 'node_modules/typescript/bin/tsc'),
    ...[
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom',
    ],
    ...['--module', 'esnext', '--moduleResolution', 'bundler', join(client, 'index.ts')],
  ])
  const outfile = join(folder, 'client.mjs')
  await build({
    entryPoints: [join(client, 'index.ts')],
    bundle: true,
    format: 'esm',
    outfile,
    logLevel: 'error',
  })
  const { Configuration, EmailsApi } = await import(pathToFileURL(outfile).href)
  const emails = new EmailsApi(new Configuration({ basePath: service.http, apiKey: API_KEY }))
  const address = freshAddress()
  const waiting = emails.waitForEmail({ address, has: 'code' })
  await sendMail(service.smtp, {
    to: address,
    subject: 'Your code',
    text: 'Your verification code is 739105.',
  })
  expect((await waiting).email.codes).toEqual(['739105'])
  recordRow({
    suite: 'OpenAPI Generator',
    version: VERSION,
    examined: `clients in Java, Go, Python and TypeScript: ${classes.length} classes, compiled or loaded; the last one reads a code`,
    accepted: 0,
    failedIn030: 'one class with every operation in each language',
  })
}, 300_000)
