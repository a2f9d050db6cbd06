import { beforeAll, describe, expect, test } from '@jest/globals'
import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api'
import { Construct } from 'constructs'
import { Mayfly } from '../../lib/mayfly.ts'
import { nagFindings } from './nag.ts'
import { ARTIFACTS, type Properties } from './synth.ts'

/** A construct above the service, with a name that leaves no space for others. */
const TEAM = 'Team'.padEnd(150, 'x')

describe('the service in a stack of others', () => {
  let app: App
  let template: Template
  const all = (type: string) => Object.entries(template.findResources(type)) as [string, Properties][]

  beforeAll(() => {
    // An app of `cdk init` sets all flags.
    app = new App({ builtinCloudFormationValidation: false, context: CURRENTLY_RECOMMENDED_FLAGS })
    const stack = new Stack(app, 'Theirs', { stackName: 'Theirs'.padEnd(128, '-x') })
    const team = new Construct(stack, TEAM)
    const props = {
      image: 'example.test/mayfly:1',
      alarmEmail: 'ops@example.com',
      silenceAlarm: Duration.hours(12),
      fanOut: 'valkey',
      webAcl: { requestsPerFiveMinutes: 100 },
    } as const
    const mail = new Mayfly(team, 'Mail', { ...props, accessLogs: true }, ARTIFACTS)
    mail.onReceived(new SqsQueue(new Queue(stack, 'All')))
    const some = mail.onReceived(new SqsQueue(new Queue(stack, 'Some')))
    some.addEventPattern({ detail: { domain: ['mail.example.com'] } })
    const resources = {
      Table: mail.table.tableName,
      Bucket: mail.bucket.bucketName,
      Distribution: mail.distribution.distributionId,
      Topic: mail.alarmTopic.topicArn,
    }
    for (const [name, value] of Object.entries(resources)) new CfnOutput(stack, `Their${name}`, { value })
    template = Template.fromStack(stack)
  })

  const ours = () =>
    all('AWS::Events::Rule').filter(([, { Properties: of }]) => of.EventPattern !== undefined)

  test('the function that stores mail may put events on the bus of its stack only', () => {
    const [[bus], ...others] = all('AWS::Events::EventBus') as [[string, Properties]]
    expect(others).toEqual([])
    const functions = all('AWS::Lambda::Function').filter(([, { Properties: of }]) =>
      JSON.stringify(of.Environment ?? '').includes('MAYFLY_EVENT_BUS'),
    )
    expect(functions.map(([id]) => id)).toEqual([expect.stringMatching(/^Teamx+MailInboundIngest/)])
    expect(functions[0]![1].Properties.Environment.Variables.MAYFLY_EVENT_BUS).toEqual({ Ref: bus })
    const granted = all('AWS::IAM::Policy').flatMap(([id, { Properties: of }]) =>
      of.PolicyDocument.Statement.filter(({ Action }: Properties) => Action === 'events:PutEvents').map(
        ({ Resource }: Properties) => [id.replace(/^Teamx+|Role.*$/g, ''), Resource],
      ),
    )
    expect(granted).toEqual([['MailInboundIngest', { 'Fn::GetAtt': [bus, 'Arn'] }]])
  })

  test('its table, bucket, distribution and topic are there for other constructs', () => {
    const { Outputs: outputs, Resources: all } = template.toJSON() as Properties
    const typeOf = (name: string) => all[outputs[name].Value.Ref].Type
    expect(['Table', 'Bucket', 'Distribution', 'Topic'].map((name) => typeOf(`Their${name}`))).toEqual([
      'AWS::DynamoDB::Table',
      'AWS::S3::Bucket',
      'AWS::CloudFront::Distribution',
      'AWS::SNS::Topic',
    ])
    expect(outputs.TheirTable.Value.Ref).toMatch(/StorageInboxes/)
  })

  test('each target has a rule for events of emails, which can be narrowed to domains', () => {
    const [[bus]] = all('AWS::Events::EventBus') as [[string, Properties]]
    const rules = ours().map(([, { Properties: of }]) => of)
    expect(rules.map(({ EventBusName }) => EventBusName)).toEqual([{ Ref: bus }, { Ref: bus }])
    const pattern = { source: ['mayfly'], 'detail-type': ['email.received'] }
    expect(rules.map(({ EventPattern }) => EventPattern)).toEqual([
      pattern,
      { ...pattern, detail: { domain: ['mail.example.com'] } },
    ])
    const targets = rules.map(({ Targets }) => Targets.map(({ Arn }: Properties) => Arn['Fn::GetAtt'][0]))
    expect(targets).toEqual([[expect.stringMatching(/^All/)], [expect.stringMatching(/^Some/)]])
  })

  test('the rules exist before mail arrives', () => {
    const [[, { DependsOn }]] = all('Custom::MayflySetup') as [[string, Properties]]
    expect(DependsOn).toEqual(expect.arrayContaining(ours().map(([id]) => id)))
  })

  test('no flag of the app adds a custom resource', () => {
    const { Resources } = template.toJSON() as { Resources: Record<string, Properties> }
    const types = new Set(Object.values(Resources).map(({ Type }) => Type))
    expect([...types].filter((type) => type.startsWith('Custom::')).sort()).toEqual([
      'Custom::AccessLogsDelivery',
      'Custom::AccessLogsDestination',
      'Custom::AccessLogsGroup',
      'Custom::AccessLogsRetention',
      'Custom::AccessLogsSource',
      'Custom::CDKBucketDeployment',
      'Custom::EcsServiceRole',
      'Custom::EdgePrefixList',
      'Custom::MayflyObjects',
      'Custom::MayflySetup',
      'Custom::MayflyUpgradeGuard',
    ])
  })

  test('cdk-nag finds nothing, except for the queues of this test', () => {
    expect(nagFindings(app).filter((finding) => !/Theirs\/(All|Some)/.test(finding))).toEqual([])
  })

  /** The longest names, with the longest name of a Region, by type; CDK leaves out a character of some. */
  const LONGEST: Record<string, [name: string, length: number]> = {
    'AWS::ApiGatewayV2::Api': ['Name', 128],
    'AWS::CloudFront::Function': ['Name', 63],
    'AWS::CloudFront::OriginAccessControl': ['OriginAccessControlConfig.Name', 63],
    'AWS::CloudFront::OriginRequestPolicy': ['OriginRequestPolicyConfig.Name', 127],
    'AWS::CloudFront::ResponseHeadersPolicy': ['ResponseHeadersPolicyConfig.Name', 127],
    'AWS::CloudFront::VpcOrigin': ['VpcOriginEndpointConfig.Name', 63],
    'AWS::ElastiCache::ServerlessCache': ['ServerlessCacheName', 40],
    'AWS::Events::EventBus': ['Name', 256],
    'AWS::Logs::LogGroup': ['LogGroupName', '/aws/vendedlogs/'.length + 200],
    'AWS::SES::ReceiptRuleSet': ['RuleSetName', 60],
    'AWS::WAFv2::WebACL': ['Name', 100],
  }

  test.each(Object.entries(LONGEST))('%s has a name that its service accepts', (type, [path, length]) => {
    const names = all(type).flatMap(([, { Properties: of }]): unknown[] => {
      const name = path.split('.').reduce((value, key) => value?.[key], of)
      return name === undefined ? [] : [name]
    })
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) {
      const [, parts] = (name as Properties)['Fn::Join'] ?? ['', [name]]
      const text = parts.map((part: unknown) => (typeof part === 'string' ? part : 'ap-southeast-3')).join('')
      // With the name of the stack, because two stacks of an account must not share a name.
      expect(text).toMatch(/^(\/aws\/vendedlogs\/)?Theirs-x/i)
      expect(text).toHaveLength(length)
    }
  })

  test('access logs are delivered in us-east-1, under a name with the Region of the deployment', () => {
    const calls = ['Group', 'Source', 'Destination', 'Delivery'].flatMap((kind) => {
      const [[, { Properties: of }]] = all(`Custom::AccessLogs${kind}`) as [[string, Properties]]
      return [of.Create, of.Delete].map((value) => {
        const [, parts] = value['Fn::Join'] ?? ['', [value]]
        const text = parts.map((part: unknown) =>
          typeof part === 'string'
            ? part
            : String((part as Properties).Ref ?? 'x').replace('AWS::Region', 'ap-southeast-3'),
        )
        return JSON.parse(text.join(''))
      })
    })
    expect(calls.map(({ region }) => region)).toEqual(Array(8).fill('us-east-1'))
    for (const { parameters } of calls)
      if (parameters.name !== undefined) {
        expect(parameters.name).toMatch(/^Theirs-x.*-ap-southeast-3$/)
        expect(parameters.name.length).toBeLessThanOrEqual(60)
      }
  })

  test('the guard knows the beginning of every id of the service, and its own parts only', () => {
    const [[, { Properties: of }]] = all('Custom::MayflyUpgradeGuard') as [[string, Properties]]
    const guarded = new RegExp(of.guarded)
    expect(of.kept.length).toBeGreaterThan(5)
    for (const id of of.kept) expect([id, guarded.test(id)]).toEqual([id, /^Teamx+Mail(?!Edge)/.test(id)])
    expect(guarded.test('AllE62F85D1')).toBe(false)
  })
})
