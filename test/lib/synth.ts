import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, CfnOutput, Stack } from 'aws-cdk-lib'
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions'
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { HANDLERS, SERVICES } from '../../lib/bundling/names.ts'
import { readConfig } from '../../lib/config/config.ts'
import { Mayfly } from '../../lib/mayfly.ts'
import { outputsOf } from '../../lib/outputs.ts'
import type { MayflyProps } from '../../lib/props.ts'

// biome-ignore lint/suspicious/noExplicitAny: the properties of a template have no type
export type Properties = Record<string, any>

export interface Synthesised {
  app: App
  stack: Stack
  mayfly: Mayfly
  template: Template
  warnings(): string[]
  /** The properties of every resource of a type, by logical id. */
  all(type: string): Record<string, Properties>
}

/** Placeholders for bundles and pages: synthesis is fast, and only the hashes of assets depend on them. */
const folder = mkdtempSync(join(tmpdir(), 'mayfly-synth-'))
for (const name of [...HANDLERS.map((handler) => `lambdas/${handler}`), ...SERVICES, 'pages']) {
  mkdirSync(join(folder, name), { recursive: true })
}
for (const name of HANDLERS) {
  writeFileSync(join(folder, 'lambdas', name, 'index.mjs'), `export const handler = async () => '${name}'\n`)
}
for (const name of SERVICES) {
  writeFileSync(join(folder, name, 'Dockerfile'), `FROM scratch\nLABEL name=${name}\n`)
}
mkdirSync(join(folder, 'web-function'))
writeFileSync(join(folder, 'web-function', 'index.js'), 'export {}\n')
writeFileSync(join(folder, 'pages/index.html'), 'a page\n')
writeFileSync(join(folder, 'pages/404.html'), '<!doctype html><h1>Page not found</h1>\n')

export const ARTIFACTS = { bundles: folder, pages: join(folder, 'pages') }

export interface SynthOptions {
  pages?: boolean
  /** Props that the configuration has no field for. */
  props?: Pick<MayflyProps, 'image' | 'smtpImage' | 'dnsServer' | 'webAcl'>
  /** Whether received mail has a target (`onReceived`). */
  hasTarget?: boolean
  /** Region of the stack; if unset, it is unknown at synthesis. */
  region?: string | undefined
  /**
   * Checks the template against CDK's rules for CloudFormation, and throws what they find. It takes most of the time of a
   * synthesis, so only test/aws/nag.linted.ts does it.
   */
  validate?: boolean
}

const cache = new Map<string, Synthesised>()

/** Returns the stack of a configuration, by default with pages. Each is synthesised once per test file. */
export function synthesise(config: object = {}, options: SynthOptions = {}): Synthesised {
  const key = JSON.stringify([config, Object.entries(options)])
  const known = cache.get(key)
  if (known !== undefined) return known
  const app = new App({
    outdir: mkdtempSync(join(folder, 'out-')),
    builtinCloudFormationValidation: options.validate ?? false,
    context: { '@aws-cdk/core:validateAgainstDefaultRules': true },
  })
  const { stackName, props } = readConfig(config, 'us-east-1')
  const env = options.region === undefined ? {} : { env: { region: options.region, account: '123456789012' } }
  const stack = new Stack(app, stackName, env)
  const pages = options.pages === false ? undefined : ARTIFACTS.pages
  const mayfly = new Mayfly(stack, 'Mayfly', { ...props(stack), ...options.props }, { ...ARTIFACTS, pages })
  if (options.hasTarget) mayfly.onReceived(new SqsQueue(new Queue(stack, 'Mails', { enforceSSL: true })))
  for (const [name, output] of Object.entries(outputsOf(mayfly))) new CfnOutput(stack, name, output)
  const template = Template.fromStack(stack)
  const made: Synthesised = {
    app,
    stack,
    mayfly,
    template,
    warnings: () =>
      Annotations.fromStack(stack)
        .findWarning('*', Match.anyValue())
        .map(({ entry }) => String(entry.data)),
    all: (type) =>
      Object.fromEntries(
        Object.entries(template.findResources(type)).map(([id, { Properties = {} }]) => [id, Properties]),
      ),
  }
  cache.set(key, made)
  return made
}
