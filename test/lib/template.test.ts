import { describe, expect, test } from '@jest/globals'
import { FULL, IN_VPC, PREBUILT, SHARED_RULES, SMTP_FIRST, WEB_FUNCTION } from './configurations.ts'
import { type Rendered, renderedTemplate } from './rendered.ts'
import { type SynthOptions, synthesise } from './synth.ts'

/**
 * Every property of every resource, as a contract: permissions, environments, dependencies, metrics. After an
 * intended change, `npm test -- test/lib/template.test.ts -u` writes the snapshot, and its diff shows what a
 * deployment will change. The snapshots after the first hold only the lines that differ from the first.
 */
describe('the template', () => {
  expect.addSnapshotSerializer({ test: (value) => typeof value === 'string', print: String })

  const stacks: [string, object, SynthOptions][] = [
    ['the smallest configuration', {}, {}],
    ['every option', FULL, {}],
    ['an existing network, a key and SMTP', IN_VPC, {}],
    ['a web function', WEB_FUNCTION, {}],
    ['a rule set of others', SHARED_RULES, {}],
    ['SMTP first, prebuilt images and a DNS server, without pages', SMTP_FIRST, PREBUILT],
  ]

  test.each(stacks)('%s', (name, config, options) => {
    const first = name === stacks[0]![0] ? new Map() : renderedTemplate(synthesise())
    const template = renderedTemplate(synthesise(config, options))
    for (const kind of [...new Set([...first.keys(), ...template.keys()])].sort()) {
      const lines = changes(first.get(kind) ?? {}, template.get(kind) ?? {})
      if (lines.length > 0) expect(lines.join('\n')).toMatchSnapshot(kind)
    }
  })
})

/** Returns the lines of each new resource, and of each changed one the new lines and `-` with the removed ones. */
function changes(before: Rendered, after: Rendered): string[] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return ids.flatMap((id) => {
    const [old, now] = [before[id], after[id]]
    if (now === undefined) return [`- ${id}`]
    if (old === undefined) return [id, ...now]
    const lines = [
      ...old.filter((line) => !now.includes(line)).map((line) => `-${line}`),
      ...now.filter((line) => !old.includes(line)),
    ]
    return lines.length === 0 ? [] : [id, ...lines]
  })
}

/**
 * Resources that hold data, or a name that others rely on, with their logical ids. CloudFormation
 * replaces a resource whose logical id changes, and deletes the old one with its data. A change here loses mail,
 * keys, a base URL or an MX target of a running deployment.
 */
const PINNED: Record<string, string[]> = {
  'AWS::DynamoDB::Table': ['MayflyStorageInboxesD45947BB', 'MayflyStorageKeys1A4C22EE'],
  'AWS::S3::Bucket': ['MayflyEdgePagesFiles7959348E', 'MayflyStorageMessages895AAEDB'],
  'AWS::SecretsManager::Secret': ['MayflyOriginSecret62F29699'],
  'AWS::SQS::Queue': [
    'MayflyInboundDeadLetters572C24B1',
    'MayflyInboundQueue088749BE',
    'MayflyInboundSubscriptionDeadLetters33ADD1FB',
    'MayflyWebhooksDeadLettersF3090819',
    'MayflyWebhooksQueue0F53DE7B',
  ],
  'AWS::SNS::Topic': ['MayflyInboundReceived4BB7439A', 'MayflyOperationsAlarms1B804837'],
  'AWS::SES::ReceiptRuleSet': ['MayflyInboundRulesRuleSet269F4565'],
  'AWS::SES::EmailIdentity': [
    'MayflyIdentitiesmailexamplecomIdentity8F79C05C',
    'MayflyIdentitiesotherexampleIdentity63F457AC',
  ],
  'AWS::CloudFront::Distribution': ['MayflyEdgeDistribution08324AD6'],
  'AWS::ElasticLoadBalancingV2::LoadBalancer': [
    'MayflySmtpLoadBalancer7FF4D8E0',
    'MayflySseLoadBalancer81411718',
  ],
}

test.each(Object.entries(PINNED))('%s keeps its logical ids', (type, ids) => {
  expect(Object.keys(synthesise(FULL).all(type)).sort()).toEqual(ids)
})

test('tables keep their keys, index and stream, which CloudFormation cannot change in place', () => {
  const tables = Object.values(synthesise(FULL).all('AWS::DynamoDB::Table'))
  expect(
    tables.map(({ KeySchema, GlobalSecondaryIndexes = [], StreamSpecification }) => ({
      keys: KeySchema.map(({ AttributeName }: { AttributeName: string }) => AttributeName),
      indexes: GlobalSecondaryIndexes.map(({ IndexName }: { IndexName: string }) => IndexName),
      stream: StreamSpecification?.StreamViewType,
    })),
  ).toEqual([
    { keys: ['pk', 'sk'], indexes: ['groups'], stream: 'NEW_AND_OLD_IMAGES' },
    { keys: ['pk'], indexes: [], stream: undefined },
  ])
})
