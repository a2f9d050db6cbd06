import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'

const ROOT = new URL('../..', import.meta.url).pathname
const BOUNDARY = 'arn:aws:iam::123456789012:policy/limit'

/** The CDK app as `cdk synth` runs it, which gives it the context in an environment variable. */
describe('the CDK app', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-app-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function synth(
    configuration: string,
    context: Record<string, string> = {},
    { output = folder, region = 'us-east-1', env = {} } = {},
  ) {
    const config = join(output, 'config.json')
    await writeFile(config, configuration)
    await promisify(execFile)(process.execPath, ['bin/mayfly.ts'], {
      cwd: ROOT,
      env: {
        ...process.env,
        CDK_OUTDIR: output,
        CDK_CONTEXT_JSON: JSON.stringify({ config, ...context }),
        CDK_DEFAULT_REGION: region,
        ...env,
      },
    })
  }

  test('applies the settings of the stack and the context', async () => {
    const settings = { stackName: 'Staging', tags: { team: 'qa' }, terminationProtection: true }
    const images = { image: 'example.test/sse:1', smtpImage: 'example.test/smtp:2' }
    await synth(JSON.stringify({ ...settings, permissionsBoundary: BOUNDARY, inbound: ['smtp'] }), {
      ...images,
      dnsServer: '192.0.2.53',
      pages: join(folder, 'none'),
    })
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
    expect(manifest.artifacts.Staging.properties).toMatchObject({
      terminationProtection: true,
      tags: { team: 'qa' },
    })
    const text = await readFile(join(folder, 'Staging.template.json'), 'utf8')
    const { Description, Outputs, Resources } = JSON.parse(text)
    expect(Description).toBe('Mayfly, a disposable-mailbox service')
    expect(Object.keys(Outputs).sort()).toEqual(['BaseUrl', 'MxRecord'])
    type Resource = { Type: string; Properties: Record<string, unknown> }
    const roles = (Object.values(Resources) as Resource[]).filter(({ Type }) => Type === 'AWS::IAM::Role')
    expect(new Set(roles.map(({ Properties }) => Properties.PermissionsBoundary))).toEqual(
      new Set([BOUNDARY]),
    )
    for (const value of [...Object.values(images), '192.0.2.53']) expect(text).toContain(`"${value}"`)
    // Without pages there is one bucket.
    expect(text.match(/"AWS::S3::Bucket"/g)).toHaveLength(1)
    // It bundles every program.
  }, 600_000)

  test('two synthesise at the same time, each with complete programs', async () => {
    const outputs = await Promise.all(['one', 'two'].map((name) => mkdtemp(join(folder, `${name}-`))))
    const names = ['One', 'Two']
    const context = { image: 'example.test/sse:1', pages: join(folder, 'none') }
    await Promise.all(
      names.map((stackName, i) => synth(JSON.stringify({ stackName }), context, { output: outputs[i]! })),
    )
    const assets = outputs.map((output) =>
      readdirSync(output)
        .filter((name) => name.startsWith('asset.'))
        .map((name) => [name, readdirSync(join(output, name)).sort()]),
    )
    expect(assets[0]!.length).toBeGreaterThan(8)
    expect(assets[0]).toEqual(assets[1])
    for (const [, files] of assets[0]!) expect(files).not.toEqual([])
  }, 600_000)

  test('has a second stack for a web ACL outside us-east-1, which is deployed first', async () => {
    const output = await mkdtemp(join(folder, 'web-acl-'))
    const context = { image: 'example.test/sse:1', pages: join(folder, 'none') }
    const settings = { tags: { team: 'qa' }, terminationProtection: true }
    await synth(JSON.stringify({ webAcl: {}, ...settings }), context, { output, region: 'eu-west-1' })
    const { artifacts } = JSON.parse(await readFile(join(output, 'manifest.json'), 'utf8'))
    expect(artifacts['Mayfly-WebAcl-eu-west-1']).toMatchObject({
      environment: 'aws://unknown-account/us-east-1',
      properties: settings,
    })
    expect(artifacts.Mayfly.dependencies).toContain('Mayfly-WebAcl-eu-west-1')
  }, 600_000)

  test.each([
    ['{"retentionHours": 0}', 'retentionHours must be'],
    ['{', 'config.json cannot be read'],
  ])('refuses the configuration %s with its faults, and no stack trace', async (configuration, fault) => {
    const failed = await synth(configuration).catch((error) => error)
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining(fault) })
    expect(failed.stderr).not.toMatch(/\n\s+at /)
  })

  test('shows where any other fault is', async () => {
    const env = { TMPDIR: join(folder, 'missing') }
    const failed = await synth('{}', {}, { env }).catch((error) => error)
    expect(failed.stderr).toMatch(/ENOENT.*\n\s+at .*\n\s+at bundled/s)
  })
})
