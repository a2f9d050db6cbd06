import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Metafile } from 'esbuild'
import { bundleAll } from '../../lib/bundling/bundles.ts'
import { HANDLERS } from '../../lib/bundling/names.ts'
import { startSecrets, type TestSecrets } from '../support/secrets.ts'

/**
 * Sizes in bytes of JavaScript. A cold start reads and compiles them, so growth must be intended.
 */
const BUDGETS = {
  api: 1_000_000,
  ingest: 1_260_000,
  setup: 600_000,
  verify: 600_000,
  empty: 500_000,
  verification: 680_000,
  'upgrade-guard': 500_000,
  'receipt-switch': 500_000,
  canary: 500_000,
  reconcile: 600_000,
  'endpoint-check': 100_000,
  webhooks: 700_000,
  publish: 700_000,
  // This bundle contains the library of MCP.
  'sse-service': 1_500_000,
  'smtp-service': 3_000_000,
}

/** Modules that no program on AWS needs. */
const FORBIDDEN = [
  /aws-cdk-lib/,
  /node_modules\/constructs\//,
  /node:sqlite/,
  /smtp-server/,
  /adapters\/(smtp|sqlite)|local-service/,
  /pino/,
  /node_modules\/bowser\//,
]

/** The SMTP service contains SMTP, and undici, whose cache in SQLite is unused. */
const isNoSmtp = (pattern: RegExp) => !/smtp|sqlite$/.test(pattern.source)

/** Their folders have a file of an earlier bundle. */
const OF_BEFORE = ['api', 'smtp-service']

/** The folder of a program, from which the stack takes it. */
const placeOf = (name: string) =>
  HANDLERS.some((handler) => handler === name) ? join('lambdas', name) : name

const run = promisify(execFile)
const SECRET_ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:origin-a1B2c3'

describe('the bundles', () => {
  let secrets: TestSecrets
  let folder: string
  let metafiles: Map<string, Metafile>

  beforeAll(async () => {
    secrets = await startSecrets({ [SECRET_ARN]: ['secret'] })
    folder = await mkdtemp(join(tmpdir(), 'mayfly-bundles-'))
    for (const name of OF_BEFORE) {
      await mkdir(join(folder, placeOf(name)), { recursive: true })
      await writeFile(join(folder, placeOf(name), 'chunk-OLD.mjs'), '')
    }
    metafiles = await bundleAll(folder)
  })

  afterAll(async () => {
    await secrets.close()
    await rm(folder, { recursive: true, force: true })
  })

  test.each(Object.entries(BUDGETS))(
    '%s is within its budget of %d bytes, and contains only modules for AWS',
    (name, budget) => {
      const { inputs, outputs } = metafiles.get(placeOf(name))!
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
    ['api', false],
    ['verify', true],
    ['verification', true],
    ['ingest', false],
  ])('%s contains the SES client for identities: %s', (name, asks) => {
    const inside = Object.keys(metafiles.get(placeOf(name))!.inputs).some((input) =>
      input.includes('@aws-sdk/client-sesv2'),
    )
    expect(inside).toBe(asks)
  })

  test('only programs are deployed, and no source maps', () => {
    const files = [...metafiles.values()].flatMap(({ outputs }) => Object.keys(outputs))
    expect(files.filter((file) => !file.endsWith('.mjs'))).toEqual([])
  })

  test.each(OF_BEFORE)('%s has no file of an earlier bundle', async (name) => {
    const files = await readdir(join(folder, placeOf(name)))
    expect([files.includes('index.mjs'), files.includes('chunk-OLD.mjs')]).toEqual([true, false])
  })

  test.each(HANDLERS)('%s loads with a complete environment', async (name) => {
    const code = `
      const began = performance.now()
      const { handler } = await import(${JSON.stringify(join(folder, placeOf(name), 'index.mjs'))})
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
        MAYFLY_QUEUE_URL: 'https://sqs.us-east-1.amazonaws.com/1/notifications',
        MAYFLY_WEBHOOK_QUEUE_URL: 'https://sqs.us-east-1.amazonaws.com/1/q',
        MAYFLY_VALKEY_URL: 'redis://127.0.0.1:1',
        MAYFLY_BASE_URL: 'https://d111111abcdef8.cloudfront.net',
        MAYFLY_CANARY_DOMAIN: 'mail.example',
        MAYFLY_STACK_NAME: 'Mayfly-1',
      },
    })
    const [type, ms] = stdout.trim().split(' ')
    process.stderr.write(`${name}: imported in ${ms} ms on this machine\n`)
    expect(type).toBe('function')
  })

  test.each(['api', 'ingest', 'verify', 'sse-service'])(
    '%s reports all missing variables together',
    async (name) => {
      // Node quotes the line of an error that nothing catches, here up to a megabyte of minified code,
      // and cuts it at a full pipe. So the error is caught, as the Lambda runtime does.
      const code = `await import(${JSON.stringify(join(folder, placeOf(name), 'index.mjs'))})
        .catch((error) => console.log(error.message))`
      const child = run(process.execPath, ['--input-type=module', '--eval', code], { env: {} })
      const output = await child.then(
        ({ stdout }) => stdout,
        ({ stdout }: { stdout: string }) => stdout,
      )
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
