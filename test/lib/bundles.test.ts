import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Metafile } from 'esbuild'
import { bundleHandler, bundleService } from '../../lib/bundling/bundles.ts'
import { HANDLERS, SERVICES } from '../../lib/bundling/names.ts'
import { startSecrets, type TestSecrets } from '../support/secrets.ts'

/** Bytes of JavaScript. A cold start reads and compiles them, so growth is to be decided, not to happen. */
const BUDGETS = {
  api: 1_000_000,
  ingest: 1_050_000,
  setup: 600_000,
  verify: 600_000,
  empty: 500_000,
  receiving: 500_000,
  webhooks: 700_000,
  mcp: 1_800_000,
  publish: 700_000,
  'sse-service': 1_000_000,
  'smtp-service': 3_000_000,
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

/** The SMTP service is the one with SMTP inside, and undici, of which nobody uses the cache in SQLite. */
const isNoSmtp = (pattern: RegExp) => !/smtp|sqlite$/.test(pattern.source)

const run = promisify(execFile)
const SECRET_ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:origin-a1B2c3'

describe('the bundles', () => {
  let secrets: TestSecrets
  let folder: string
  const metafiles = new Map<string, Metafile>()

  beforeAll(async () => {
    secrets = await startSecrets({ [SECRET_ARN]: ['secret'] })
    folder = await mkdtemp(join(tmpdir(), 'mayfly-bundles-'))
    for (const name of HANDLERS) metafiles.set(name, await bundleHandler(name, join(folder, name)))
    for (const name of SERVICES) metafiles.set(name, await bundleService(name, join(folder, name)))
  }, 120_000)

  afterAll(async () => {
    await secrets.close()
    await rm(folder, { recursive: true, force: true })
  })

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
      const forbidden = name === 'smtp-service' ? FORBIDDEN.filter(isNoSmtp) : FORBIDDEN
      expect(names.filter((input) => forbidden.some((pattern) => pattern.test(input)))).toEqual([])
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

  test('nothing is deployed but programs: no source maps', () => {
    const files = [...metafiles.values()].flatMap(({ outputs }) => Object.keys(outputs))
    expect(files.filter((file) => !file.endsWith('.mjs'))).toEqual([])
  })

  test.each(HANDLERS)('%s loads where its environment is whole', async (name) => {
    const code = `
      const began = performance.now()
      const { handler } = await import(${JSON.stringify(join(folder, name, 'index.mjs'))})
      console.log(typeof handler, Math.round(performance.now() - began))
      process.exit()`
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], {
      env: {
        AWS_REGION: 'us-east-1',
        MAYFLY_MAIL_TABLE: 'mail',
        MAYFLY_KEYS_TABLE: 'keys',
        MAYFLY_BUCKET: 'bucket',
        MAYFLY_MX_HOST: 'mx.example',
        MAYFLY_RETENTION_HOURS: '24',
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
        AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
        MAYFLY_ORIGIN_SECRET_ARN: SECRET_ARN,
        MAYFLY_RULE_SET: 'set',
        MAYFLY_RULES: 'rule',
        MAYFLY_WEBHOOK_QUEUE_URL: 'https://sqs.us-east-1.amazonaws.com/1/q',
        MAYFLY_VALKEY_URL: 'redis://127.0.0.1:1',
      },
    })
    const [type, ms] = stdout.trim().split(' ')
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
