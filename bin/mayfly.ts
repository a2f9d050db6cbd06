/** The CDK app: the configuration in, the stack out. docs/aws.md. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { App, CfnOutput, Stack, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks } from 'cdk-nag'
import { ConfigError } from '../core/errors.ts'
import { readConfig } from '../lib/config.ts'
import { Mayfly } from '../lib/mayfly.ts'
import { outputsOf } from '../lib/outputs.ts'

const path = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url))

const app = new App()
const text = (name: string): string | undefined => app.node.tryGetContext(name)

try {
  const { stackName, props } = readConfig(readJson(text('config')), process.env.CDK_DEFAULT_REGION)
  // In a process of its own, so that the app loads no bundler.
  execFileSync(process.execPath, [path('lib/bundling/build.ts')], { stdio: 'inherit' })
  // By its name, so that `cdk destroy <name>` with another configuration finds no stack instead of a wrong one.
  const stack = new Stack(app, stackName, { description: 'Mayfly, a disposable-mailbox service' })
  const images = { image: text('image'), smtpImage: text('smtpImage') }
  const mayfly = new Mayfly(
    stack,
    'Mayfly',
    { ...props(stack), ...images, dnsServer: text('dnsServer') },
    { bundles: path('dist'), pages: text('pages') ?? path('web/dist') },
  )
  for (const [name, { value, description }] of Object.entries(outputsOf(mayfly)))
    new CfnOutput(stack, name, { value, description })
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exit(1)
}

/** The file that `-c config=<file>` names, else mayfly.config.json; a service without domains when there is none. */
function readJson(file: string | undefined): unknown {
  const name = file ?? path('mayfly.config.json')
  if (file === undefined && !existsSync(name)) return {}
  try {
    return JSON.parse(readFileSync(name, 'utf8'))
  } catch (error) {
    throw new ConfigError([`${name} cannot be read: ${(error as Error).message}`])
  }
}
