import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { readConfig } from '../../lib/config.ts'
import { MailboxStack } from '../../lib/mailbox-stack.ts'

// biome-ignore lint/suspicious/noExplicitAny: a template's properties are what they are
export type Properties = Record<string, any>

export interface Synthesised {
  app: App
  stack: MailboxStack
  template: Template
  /** The properties of every resource of a type, by logical id. */
  all(type: string): Record<string, Properties>
}

/** Bundles and pages that are not the real ones, so that a synth takes no second and is the same each time. */
const folder = mkdtempSync(join(tmpdir(), 'mayfly-synth-'))
for (const name of [
  'lambdas/api',
  'lambdas/ingest',
  'lambdas/setup',
  'lambdas/verify',
  'sse-service',
  'pages',
]) {
  mkdirSync(join(folder, name), { recursive: true })
}
for (const name of ['api', 'ingest', 'setup', 'verify']) {
  writeFileSync(join(folder, 'lambdas', name, 'index.mjs'), 'export const handler = async () => {}\n')
}
writeFileSync(join(folder, 'sse-service/Dockerfile'), 'FROM scratch\n')
writeFileSync(join(folder, 'pages/index.html'), 'a page\n')

/** The stack of a configuration, with pages, unless told otherwise. */
export function synthesise(
  config: object = {},
  options: { pages?: boolean; image?: string } = {},
): Synthesised {
  const app = new App({ outdir: mkdtempSync(join(folder, 'out-')) })
  const stack = new MailboxStack(app, 'Mayfly', {
    config: readConfig(config, 'us-east-1'),
    bundles: folder,
    pages: options.pages === false ? undefined : join(folder, 'pages'),
    image: options.image,
  })
  const template = Template.fromStack(stack)
  return {
    app,
    stack,
    template,
    all: (type) =>
      Object.fromEntries(
        Object.entries(template.findResources(type)).map(([id, { Properties = {} }]) => [id, Properties]),
      ),
  }
}

/** Every option at once. */
export const FULL = {
  stackName: 'Mailbox',
  domains: [
    { name: 'mail.example.com', zone: { id: 'Z0123456789', name: 'example.com' } },
    { name: 'other.example' },
    { name: 'sending.example', identity: 'existing' },
  ],
  retentionHours: 48,
  alarmEmail: 'ops@example.com',
  host: {
    name: 'inbox.example.com',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0000-11',
    zone: { id: 'Z0123456789', name: 'example.com' },
  },
  tasks: { count: 1, cpu: 512, memoryMiB: 1024 },
  webAcl: { requestsPerFiveMinutes: 2000 },
  availabilityZones: ['us-east-1a', 'us-east-1b'],
}
