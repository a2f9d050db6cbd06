/** The CDK app: reads the configuration and defines the stack (docs/aws.md). */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { App, CfnOutput, PermissionsBoundary, Stack } from 'aws-cdk-lib'
import { DISABLE_ASSET_STAGING_CONTEXT } from 'aws-cdk-lib/cx-api'
import { ConfigError } from '../core/errors.ts'
import { WebAclStack } from '../lib/api/web-acl-stack.ts'
import { readConfig } from '../lib/config/config.ts'
import { Mayfly } from '../lib/mayfly.ts'
import { outputsOf } from '../lib/outputs.ts'

const path = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url))

const app = new App()
const text = (name: string): string | undefined => app.node.tryGetContext(name)

try {
  const config = readConfig(readJson(text('config')), process.env.CDK_DEFAULT_REGION)
  const bundles = bundled()
  // `cdk destroy <name>` with another configuration finds no stack, rather than the wrong one.
  const { stackName, tags, terminationProtection, webAclStack } = config
  const stack = new Stack(app, stackName, {
    description: 'Mayfly, a disposable-mailbox service',
    tags,
    terminationProtection,
    ...(config.permissionsBoundary && {
      permissionsBoundary: PermissionsBoundary.fromArn(config.permissionsBoundary),
    }),
  })
  if (webAclStack !== undefined) {
    const { name, requestsPerFiveMinutes } = webAclStack
    const description = `The web ACL of ${stackName}`
    const settings = { description, tags, terminationProtection, requestsPerFiveMinutes }
    new WebAclStack(app, name, { ...settings, reader: stack })
  }
  const images = { image: text('image'), smtpImage: text('smtpImage') }
  const mayfly = new Mayfly(
    stack,
    'Mayfly',
    { ...config.props(stack), ...images, dnsServer: text('dnsServer') },
    { bundles, pages: text('pages') ?? path('web/dist') },
  )
  for (const [name, { value, description }] of Object.entries(outputsOf(mayfly)))
    new CfnOutput(stack, name, { value, description })
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exit(1)
}

/**
 * Returns the folder of the bundles. It belongs to this process, because several stages may be
 * deployed from one checkout at the same time. CDK copies what it deploys to its output folder.
 */
function bundled(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-bundles-'))
  process.once('exit', () => {
    if (!app.node.tryGetContext(DISABLE_ASSET_STAGING_CONTEXT)) rmSync(folder, { recursive: true })
  })
  // In a separate process, so that the app loads no bundler.
  execFileSync(process.execPath, [path('lib/bundling/build.ts'), folder], { stdio: 'inherit' })
  return folder
}

/**
 * Reads the file of `-c config=<file>`, otherwise mayfly.config.json; without either, all settings
 * are defaults.
 */
function readJson(file: string | undefined): unknown {
  const name = file ?? path('mayfly.config.json')
  if (file === undefined && !existsSync(name)) return {}
  try {
    return JSON.parse(readFileSync(name, 'utf8'))
  } catch (error) {
    throw new ConfigError([`${name} cannot be read: ${(error as Error).message}`])
  }
}
