import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Metafile } from 'esbuild'
import { bundleHandler, bundleSseService, HANDLERS } from '../../lib/bundling/bundles.ts'

/** Bytes of JavaScript. A cold start reads and compiles them, so growth is to be decided, not to happen. */
const BUDGETS = {
  api: 1_000_000,
  ingest: 1_700_000,
  setup: 600_000,
  verify: 600_000,
  'sse-service': 1_000_000,
}

/** What no program on AWS needs, and what finding it inside would mean. */
const FORBIDDEN = [
  /aws-cdk-lib/,
  /node_modules\/constructs\//,
  /node:sqlite/,
  /smtp-server/,
  /adapters\/(smtp|sqlite)|local-service/,
  /pino/,
]

describe('the bundles', () => {
  let folder: string
  const metafiles = new Map<string, Metafile>()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-bundles-'))
    for (const name of HANDLERS) metafiles.set(name, await bundleHandler(name, join(folder, name)))
    metafiles.set('sse-service', await bundleSseService(join(folder, 'sse-service')))
  }, 120_000)

  afterAll(() => rm(folder, { recursive: true, force: true }))

  test.each(Object.entries(BUDGETS))(
    '%s is within its budget of %d bytes, with nothing inside that is not for AWS',
    (name, budget) => {
      const { inputs, outputs } = metafiles.get(name)!
      const code = Object.entries(outputs).filter(([file]) => /\.[cm]js$/.test(file))
      const size = code.reduce((sum, [, { bytes }]) => sum + bytes, 0)
      process.stderr.write(`${name}: ${Math.round(size / 1000)} kB of ${budget / 1000}\n`)
      expect(size).toBeLessThan(budget)
      const names = [
        ...Object.keys(inputs),
        ...Object.values(outputs).flatMap(({ imports }) => imports.map(({ path }) => path)),
      ]
      expect(names.filter((input) => FORBIDDEN.some((pattern) => pattern.test(input)))).toEqual([])
    },
  )

  test.each([
    ['api', true],
    ['verify', true],
    ['ingest', false],
  ])('%s asks Amazon SES about domains: %s', (name, asks) => {
    const inside = Object.keys(metafiles.get(name)!.inputs).some((input) =>
      input.includes('@aws-sdk/client-ses'),
    )
    expect(inside).toBe(asks)
  })

  test('the tables of old character sets stand beside ingest, which does not load them at its start', () => {
    const { inputs } = Object.entries(metafiles.get('ingest')!.outputs).find(([file]) =>
      file.endsWith('/index.mjs'),
    )![1]
    expect(Object.keys(inputs).filter((input) => /iconv-lite|encoding-japanese/.test(input))).toEqual([])
    const load = createRequire(join(folder, 'ingest', 'index.mjs'))
    expect(load('./iconv-lite.cjs').decode(Buffer.from('cff0e8e2e5f2', 'hex'), 'windows-1251')).toBe('Привет')
    const japanese = Buffer.from('1b244224332473244b2441244f1b2842', 'hex')
    expect(load('./encoding-japanese.cjs').detect(japanese)).toBe('JIS')
  })

  test.each(HANDLERS)('%s loads where its environment is whole', (name) => {
    const code = `
      const began = performance.now()
      const { handler } = await import(${JSON.stringify(join(folder, name, 'index.mjs'))})
      console.log(typeof handler, Math.round(performance.now() - began))`
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
      encoding: 'utf8',
      env: {
        AWS_REGION: 'us-east-1',
        MAYFLY_MAIL_TABLE: 'mail',
        MAYFLY_KEYS_TABLE: 'keys',
        MAYFLY_BUCKET: 'bucket',
        MAYFLY_MX_HOST: 'mx.example',
        MAYFLY_RETENTION_HOURS: '24',
        MAYFLY_ORIGIN_SECRET: 'secret',
      },
    })
    const [type, ms] = output.trim().split(' ')
    process.stderr.write(`${name}: imported in ${ms} ms on this machine\n`)
    expect(type).toBe('function')
  })

  test.each(['api', 'ingest', 'verify', 'sse-service'])(
    '%s names every variable that is missing at once',
    (name) => {
      const result = () =>
        execFileSync(process.execPath, [join(folder, name, 'index.mjs')], {
          encoding: 'utf8',
          env: {},
          stdio: 'pipe',
        })
      let output = ''
      try {
        result()
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string }
        output = stdout + stderr
      }
      for (const missing of [
        'MAYFLY_MAIL_TABLE',
        'MAYFLY_KEYS_TABLE',
        'MAYFLY_BUCKET',
        'MAYFLY_RETENTION_HOURS',
      ]) {
        expect(output).toContain(`${missing} is missing`)
      }
    },
  )
})
