/** The CDK app: reads the configuration and defines the stack (docs/aws.md). */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { App, CfnOutput, PermissionsBoundary, Stack } from 'aws-cdk-lib'
import { ConfigError } from '../core/errors.ts'
import { readConfig } from '../lib/config.ts'
import { Mayfly } from '../lib/mayfly.ts'
import { outputsOf } from '../lib/outputs.ts'

const path = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url))

const app = new App()
const text = (name: string): string | undefined => app.node.tryGetContext(name)

try {
  const config = readConfig(readJson(text('config')), process.env.CDK_DEFAULT_REGION)
  // In a separate process, so that the app loads no bundler.
  execFileSync(process.execPath, [path('lib/bundling/build.ts')], { stdio: 'inherit' })
  // `cdk destroy <name>` with another configuration finds no stack, rather than the wrong one.
  const stack = new Stack(app, config.stackName, {
    description: 'Mayfly, a disposable-mailbox service',
    tags: config.tags,
    terminationProtection: config.terminationProtection,
    ...(config.permissionsBoundary && {
      permissionsBoundary: PermissionsBoundary.fromArn(config.permissionsBoundary),
    }),
  })
  const images = { image: text('image'), smtpImage: text('smtpImage') }
  const mayfly = new Mayfly(
    stack,
    'Mayfly',
    { ...config.props(stack), ...images, dnsServer: text('dnsServer') },
    { bundles: path('dist'), pages: text('pages') ?? path('web/dist') },
  )
  for (const [name, { value, description }] of Object.entries(outputsOf(mayfly)))
    new CfnOutput(stack, name, { value, description })
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exit(1)
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
