import { beforeAll, describe, expect, test } from '@jest/globals'
import { App, Stack } from 'aws-cdk-lib'
import { Match, Template } from 'aws-cdk-lib/assertions'
import { Network } from '../../lib/live/network.ts'
import { outputsOf } from '../../lib/outputs.ts'
import { SdkCalls } from '../../lib/sdk-calls.ts'
import { FULL, IN_VPC, PREBUILT, SMTP_FIRST, WEB_FUNCTION } from './configurations.ts'
import { type Properties, type Synthesised, synthesise } from './synth.ts'

/** A stack with as many domains as one may have, each with a name that is as long as possible, in a rule set of others. */
const MANY = Array.from({ length: 150 }, (_, i) => ({
  name: `${`d${i}-`.padEnd(63 - '.example'.length, 'x')}.example`,
  ...(i % 2 === 0 && { zone: { id: 'Z0123456789', name: 'example' } }),
}))
const WITH_MANY = {
  ...FULL,
  domains: MANY,
  canary: MANY[0]!.name,
  takeOver: false,
  receiptRuleSet: 'theirs',
}

/** A stack whose mail arrives by SMTP only, and whose streams need no server. */
const SMTP_ONLY = { inbound: ['smtp'], domains: [{ name: 'a.example' }], live: 'web-function' }

/** In a network whose subnets have tasks and a load balancer, with a canary to an identity that exists. */
const CANARY_IN_VPC = {
  ...IN_VPC,
  vpc: { ...IN_VPC.vpc, publicSubnets: IN_VPC.vpc.subnets },
  domains: [{ name: 'a.example', identity: 'existing' }],
  canary: 'a.example',
}

type Statement = {
  Effect: string
  Action: string | string[]
  Resource?: unknown
  Principal?: unknown
  Condition?: Properties
}

/** A second stage, whose MX records name the SMTP service. */
const STAGING = {
  ...FULL,
  stackName: 'Staging',
  inbound: ['smtp', 'ses'],
  tasks: { count: 2, maxCount: 4 },
}

function expectSecretAtOrigins(all: Synthesised['all']): void {
  const [{ DistributionConfig }] = Object.values(all('AWS::CloudFront::Distribution')) as [Properties]
  const withApi = DistributionConfig.Origins.filter((origin: Properties) => !origin.S3OriginConfig)
  expect(withApi).toHaveLength(2)
  for (const { OriginCustomHeaders } of withApi) {
    expect(OriginCustomHeaders).toHaveLength(1)
    expect(OriginCustomHeaders[0].HeaderName).toBe('x-mayfly-origin')
    expect(JSON.stringify(OriginCustomHeaders[0].HeaderValue)).toMatch(/resolve:secretsmanager/)
  }
}

/** Properties that no configuration may change by accident. */
describe.each([
  ['the smallest configuration', {}],
  ['every option', FULL],
])('the stack with %s', (_, config) => {
  let synthesised: Synthesised
  let all: Synthesised['all']

  beforeAll(() => {
    synthesised = synthesise(config)
    all = synthesised.all
  })

  const statements = (type: string): Statement[] =>
    Object.values(all(type)).flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
  const list = (value: string | string[]) => (Array.isArray(value) ? value : [value])

  test('no bucket is public, and all require TLS', () => {
    const buckets = Object.keys(all('AWS::S3::Bucket'))
    expect(buckets).toHaveLength(2)
    for (const bucket of Object.values(all('AWS::S3::Bucket'))) {
      expect(bucket.PublicAccessBlockConfiguration).toEqual({
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      })
    }
    const secure = Object.values(all('AWS::S3::BucketPolicy')).filter(({ PolicyDocument }) =>
      PolicyDocument.Statement.some(isTlsOnly),
    )
    expect(secure.map(({ Bucket }) => Bucket.Ref).sort()).toEqual(buckets.sort())
  })

  test('queues and topics require TLS', () => {
    for (const [resources, policies] of [
      ['AWS::SQS::Queue', 'AWS::SQS::QueuePolicy'],
      ['AWS::SNS::Topic', 'AWS::SNS::TopicPolicy'],
    ] as const) {
      const covered = Object.values(all(policies)).filter(({ PolicyDocument }) =>
        PolicyDocument.Statement.some(isTlsOnly),
      )
      expect(covered).toHaveLength(Object.keys(all(resources)).length)
    }
  })

  test('only this rule of this account may write and publish', () => {
    const ses = [...statements('AWS::S3::BucketPolicy'), ...statements('AWS::SNS::TopicPolicy')].filter(
      ({ Principal }) => JSON.stringify(Principal) === '{"Service":"ses.amazonaws.com"}',
    )
    expect(ses.map(({ Action }) => Action)).toEqual(['s3:PutObject', 'sns:Publish'])
    const [set] = Object.values(all('AWS::SES::ReceiptRuleSet'))
    const name = set!.RuleSetName
    for (const { Condition } of ses) {
      expect(Condition!.StringEquals['aws:SourceAccount']).toEqual({ Ref: 'AWS::AccountId' })
      expect(JSON.stringify(Condition!.StringEquals['aws:SourceArn'])).toContain(
        `:receipt-rule-set/${name}:receipt-rule/${name}`,
      )
    }
    expect(JSON.stringify(ses[0]!.Resource)).toContain('/inbound/*')
  })

  test('one receipt rule accepts mail for every address, into the bucket and the topic', () => {
    const rules = Object.entries(synthesised.template.findResources('AWS::SES::ReceiptRule'))
    expect(rules).toHaveLength(1)
    const { Properties: rule } = rules[0]![1]
    expect(rule.Rule.Recipients).toBeUndefined()
    expect(rule.Rule).toMatchObject({ Enabled: true, ScanEnabled: true, TlsPolicy: 'Optional' })
    expect(rule.Rule.Actions).toHaveLength(1)
    expect(rule.Rule.Actions[0].S3Action).toMatchObject({ ObjectKeyPrefix: 'inbound/' })
    expect(Object.keys(all('AWS::SNS::Topic'))).toContain(rule.Rule.Actions[0].S3Action.TopicArn.Ref)
  })

  test('mail waits in a queue, and becomes a dead letter if it cannot be stored', () => {
    const [subscription] = Object.values(all('AWS::SNS::Subscription')).filter(
      ({ Protocol }) => Protocol === 'sqs',
    )
    expect(subscription).toMatchObject({ RawMessageDelivery: true, RedrivePolicy: expect.anything() })
    const [mapping] = Object.values(all('AWS::Lambda::EventSourceMapping')).filter(
      ({ ScalingConfig }) => ScalingConfig,
    )
    expect(mapping).toMatchObject({ FunctionResponseTypes: ['ReportBatchItemFailures'] })
  })

  test('functions run on Node 24 on arm64', () => {
    // The functions of CDK have an expression as their description, or no description.
    const described = Object.values(all('AWS::Lambda::Function')).filter(
      ({ Description }) => typeof Description === 'string',
    )
    expect(described.length).toBeGreaterThanOrEqual(5)
    for (const one of described)
      expect(one).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] })
    expect(described.find(({ MemorySize }) => MemorySize === 1536)).toMatchObject({ Timeout: 60 })
  })

  test('the mail table has a stream of images, the other has none; both expire items', () => {
    const tables = Object.values(all('AWS::DynamoDB::Table'))
    expect(tables.map(({ StreamSpecification }) => StreamSpecification?.StreamViewType)).toEqual([
      'NEW_AND_OLD_IMAGES',
      undefined,
    ])
    for (const table of tables) {
      expect(table).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      })
    }
  })

  test('no policy has an action with a wildcard, or all actions of a service', () => {
    // The function of CDK that copies the pages is the only exception.
    const ours = Object.entries(all('AWS::IAM::Policy')).filter(
      ([id]) => !id.startsWith('CustomCDKBucketDeployment'),
    )
    expect(ours.length).toBeGreaterThanOrEqual(6)
    for (const [, { PolicyDocument }] of ours) {
      for (const { Action } of PolicyDocument.Statement)
        expect(list(Action).filter((name) => name.includes('*'))).toEqual([])
    }
  })

  test('only actions without resources are granted on every resource', () => {
    const everywhere = statements('AWS::IAM::Policy').filter(({ Resource }) => Resource === '*')
    const actions = new Set(everywhere.flatMap(({ Action }) => list(Action)))
    // ECR requires this action for pulling an image.
    actions.delete('ecr:GetAuthorizationToken')
    // Network interfaces of a function in a VPC, and the stream that a function reads.
    for (const action of actions)
      if (config === FULL && /NetworkInterface|Subnets|PrivateIp|ListStreams/.test(action))
        actions.delete(action)
    expect([...actions].sort()).toEqual([
      'ec2:DescribeManagedPrefixLists',
      ...(config === FULL
        ? ['logs:DescribeLogGroups', 'logs:DescribeResourcePolicies', 'logs:PutResourcePolicy']
        : []),
      'ses:DescribeActiveReceiptRuleSet',
      ...(config === FULL ? ['ses:DescribeReceiptRule'] : []),
      'ses:SetActiveReceiptRuleSet',
      ...(config === FULL ? ['ses:UpdateReceiptRule'] : []),
    ])
  })

  test('the stream service reads the stream, and may do what the tools of MCP do', () => {
    const [, { PolicyDocument }] = Object.entries(all('AWS::IAM::Policy')).find(([id]) =>
      id.startsWith('MayflySseTaskTaskRole'),
    )!
    const actions = PolicyDocument.Statement.flatMap(({ Action }: Statement) => list(Action))
    // With Valkey, one function reads the stream for all tasks.
    expect(actions.includes('dynamodb:GetRecords')).toBe(config !== FULL)
    expect(actions.filter((name: string) => name.startsWith('s3:')).sort()).toEqual([
      's3:DeleteObject',
      's3:GetObject',
      's3:ListBucket',
    ])
    expect(actions.filter((name: string) => name.startsWith('ses:'))).toEqual([])
  })

  test('only the verification functions change SES identities, and only those with the tag of the stack', () => {
    const changing = Object.entries(all('AWS::IAM::Policy')).flatMap(([id, { PolicyDocument }]) =>
      PolicyDocument.Statement.filter(({ Action }: Statement) =>
        list(Action).some((action) => /^ses:(?!Get)\w*Identity$|^ses:TagResource$/.test(action)),
      ).map((statement: Statement) => ({ id: id.replace(/Role.*$/, ''), ...statement })),
    )
    expect(new Set(changing.map(({ id }) => id))).toEqual(
      new Set(['MayflyVerificationVerify', 'MayflyVerificationEndpoint']),
    )
    for (const { Resource, Condition } of changing) {
      expect(JSON.stringify(Resource)).toMatch(/:identity\/\*/)
      const [[tag, owner]] = Object.entries(Condition!.StringEquals) as [[string, string]]
      expect(tag).toMatch(/^aws:(Request|Resource)Tag\/mayfly$/)
      expect(owner).toContain(config === FULL ? 'Mailbox' : 'Mayfly')
    }
  })

  test('at most two tasks run, because a shard has at most two readers', () => {
    const [service] = Object.values(all('AWS::ECS::Service'))
    if (config === FULL) return
    const { DesiredCount, DeploymentConfiguration, AvailabilityZoneRebalancing } = service!
    expect((DesiredCount * DeploymentConfiguration.MaximumPercent) / 100).toBeLessThanOrEqual(2)
    // At least one task may stop before its successor starts.
    expect(Math.ceil((DesiredCount * DeploymentConfiguration.MinimumHealthyPercent) / 100)).toBeLessThan(
      (DesiredCount * DeploymentConfiguration.MaximumPercent) / 100,
    )
    expect(DeploymentConfiguration.DeploymentCircuitBreaker).toEqual({ Enable: true, Rollback: true })
    expect(AvailabilityZoneRebalancing).toBe('DISABLED')
    expect(all('AWS::ApplicationAutoScaling::ScalableTarget')).toEqual({})
  })

  test('tasks accept connections from the load balancer, which accepts them from CloudFront', () => {
    const ofStreams = (resources: Record<string, Properties>) =>
      Object.entries(resources).flatMap(([id, of]) => (id.startsWith('MayflySse') ? [of] : []))
    const ingress = ofStreams(all('AWS::EC2::SecurityGroupIngress'))
    const groups = ofStreams(all('AWS::EC2::SecurityGroup'))
    expect(groups).toHaveLength(2)
    for (const group of groups) expect(group.SecurityGroupIngress ?? []).toEqual([])
    expect(ingress).toHaveLength(2)
    const [fromFront] = ingress.filter(({ SourcePrefixListId }) => SourcePrefixListId)
    expect(fromFront).toMatchObject({ FromPort: 80, ToPort: 80, IpProtocol: 'tcp' })
    const [fromBalancer] = ingress.filter(({ SourceSecurityGroupId }) => SourceSecurityGroupId)
    expect(fromBalancer).toMatchObject({ FromPort: 8080, ToPort: 8080 })
    expect(JSON.stringify(fromBalancer!.SourceSecurityGroupId)).toContain('LoadBalancerGroup')
    expect(JSON.stringify(ingress)).not.toMatch(/0\.0\.0\.0|::\/0/)
    const [balancer] = ofStreams(all('AWS::ElasticLoadBalancingV2::LoadBalancer'))
    expect(balancer!.Scheme).toBe('internal')
  })

  test('there is no NAT gateway', () => {
    expect(all('AWS::EC2::NatGateway')).toEqual({})
    expect(all('AWS::EC2::EIP')).toEqual({})
  })

  test('both origins receive the secret, whose value is not in the template', () => {
    expectSecretAtOrigins(all)
  })

  test('no environment holds a secret, or a reference that becomes one', () => {
    const made = synthesised
    const functions = Object.entries(made.all('AWS::Lambda::Function'))
    const tasks = Object.entries(made.all('AWS::ECS::TaskDefinition'))
    const environments: [string, unknown][] = [
      ...functions.map(([id, { Environment }]) => [id, Environment] as [string, unknown]),
      ...tasks.flatMap(([id, { ContainerDefinitions }]) =>
        ContainerDefinitions.map(({ Environment, EnvironmentFiles, Secrets }: Properties) => [
          id,
          { Environment, EnvironmentFiles, Secrets },
        ]),
      ),
    ]
    expect(environments.length).toBeGreaterThan(8)
    const secrets = Object.keys(made.all('AWS::SecretsManager::Secret'))
    expect(secrets).toHaveLength(1)
    const operatorKeys = config === FULL ? [JSON.stringify(FULL.operatorKeysSecretArn)] : []
    for (const [id, environment] of environments) {
      const text = JSON.stringify(environment ?? {})
      expect([id, text]).toEqual([id, expect.not.stringMatching(/resolve:|"Secrets"|"EnvironmentFiles"/)])
      // A reference to the secret is its ARN; only the programs that read its value get it.
      const named = secrets.filter((secret) => text.includes(secret))
      expect([id, named]).toEqual([id, /RestHandler|VerificationEndpoint|SseTask/.test(id) ? secrets : []])
    }
    for (const [id, { PolicyDocument }] of Object.entries(made.all('AWS::IAM::Policy'))) {
      const granted = PolicyDocument.Statement.filter(({ Action }: Properties) =>
        JSON.stringify(Action).includes('secretsmanager:'),
      )
      const theirs = granted.map(({ Resource }: Properties) => JSON.stringify(Resource))
      const origin = JSON.stringify({ Ref: secrets[0] })
      if (/RestHandler|VerificationEndpoint|SseTaskTaskRole/.test(id))
        expect([id, theirs]).toEqual([id, [origin, ...operatorKeys]])
      // The sender identifies the webhooks of operator keys, which no table has.
      else if (/WebhooksSender/.test(id)) expect([id, theirs]).toEqual([id, operatorKeys])
      else if (!id.includes('SmtpTaskTaskRole')) expect([id, theirs]).toEqual([id, []])
    }
  })

  test('CloudFront neither caches nor compresses streams', () => {
    const [{ DistributionConfig: config }] = Object.values(all('AWS::CloudFront::Distribution')) as [
      Properties,
    ]
    const behaviours = config.CacheBehaviors as Properties[]
    expect(behaviours.slice(0, 4).map(({ PathPattern }) => PathPattern)).toEqual([
      '/api/sse/*',
      '/api/user-dashboard/sse',
      '/api/emails/*/wait',
      '/api/*',
    ])
    // CachingDisabled (docs.aws.amazon.com/AmazonCloudFront, using-managed-cache-policies.html).
    for (const behaviour of behaviours.slice(0, 4)) {
      expect(behaviour).toMatchObject({
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        Compress: false,
        ViewerProtocolPolicy: 'https-only',
      })
      expect(behaviour.AllowedMethods).toHaveLength(7)
    }
    const live = config.Origins.find(({ Id }: Properties) => Id === behaviours[0]!.TargetOriginId)
    expect(live).toMatchObject({
      ConnectionAttempts: 1,
      VpcOriginConfig: { OriginReadTimeout: 60, OriginKeepaliveTimeout: 60 },
    })
    expect(live.ResponseCompletionTimeout).toBeUndefined()
  })

  test('an origin receives the client address and the path, but not the Host header of the client', () => {
    const [policy] = Object.entries(all('AWS::CloudFront::OriginRequestPolicy')).flatMap(([id, of]) =>
      id.includes('Mcp') ? [] : [of],
    )
    const { HeadersConfig, CookiesConfig, QueryStringsConfig } = policy!.OriginRequestPolicyConfig
    expect(HeadersConfig.HeaderBehavior).toBe('whitelist')
    expect(HeadersConfig.Headers).toEqual(
      expect.arrayContaining(['cloudfront-viewer-address', 'x-mayfly-path']),
    )
    expect(HeadersConfig.Headers.length).toBeLessThanOrEqual(10)
    expect(HeadersConfig.Headers.map((name: string) => name.toLowerCase())).not.toContain('host')
    expect(QueryStringsConfig.QueryStringBehavior).toBe('all')
    // Only the cookie of page sessions is forwarded.
    expect(CookiesConfig.CookieBehavior).not.toBe('all')
  })

  test('every route of the HTTP API is throttled', () => {
    const [stage] = Object.values(all('AWS::ApiGatewayV2::Stage'))
    expect(stage!.DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: expect.any(Number),
      ThrottlingBurstLimit: expect.any(Number),
    })
    expect(stage!.RouteSettings).toBeUndefined()
    expect(stage!.AccessLogSettings.Format).not.toMatch(/path|query|sourceIp|identity/i)
  })

  test('a deployment to a Region without receiving is refused', () => {
    const rules = synthesised.template.toJSON().Rules
    const [receiving] = Object.values(rules) as [Properties]
    expect(receiving.Assertions[0].Assert['Fn::Contains'][1]).toEqual({ Ref: 'AWS::Region' })
    expect(receiving.Assertions[0].Assert['Fn::Contains'][0]).not.toContain('eu-north-1')
  })

  test('everything is deleted with the stack, including the logs of functions', () => {
    const kept = Object.entries(synthesised.template.toJSON().Resources as Record<string, Properties>).filter(
      ([, { DeletionPolicy }]) => DeletionPolicy === 'Retain',
    )
    expect(kept.map(([id]) => id)).toEqual([])
    const withoutLogs = Object.entries(all('AWS::Lambda::Function')).filter(
      ([, { LoggingConfig }]) => LoggingConfig?.LogGroup === undefined,
    )
    expect(withoutLogs.map(([id]) => id)).toEqual([])
  })

  test('a bucket is emptied after deletion has removed its writers', () => {
    const emptiers = Object.entries(synthesised.template.findResources('Custom::MayflyObjects'))
    expect(emptiers.map(([, { Properties: of }]) => of.bucket.Ref).sort()).toEqual(
      Object.keys(all('AWS::S3::Bucket')).sort(),
    )
    for (const type of ['AWS::Lambda::EventSourceMapping', 'Custom::CDKBucketDeployment']) {
      const [[, { DependsOn }]] = Object.entries(synthesised.template.findResources(type)).filter(
        ([id]) => !id.includes('Valkey'),
      ) as [[string, Properties]]
      expect(emptiers.map(([id]) => id)).toEqual(
        expect.arrayContaining(DependsOn.filter((id: string) => /Empties/.test(id))),
      )
      expect(JSON.stringify(DependsOn)).toMatch(/Empties/)
    }
  })

  test('the rule set is activated last, when the queue exists', () => {
    const resources = synthesised.template.toJSON().Resources as Record<string, Properties>
    const [setup] = Object.values(resources).filter(({ Type }) => Type === 'Custom::MayflySetup')
    const [[rule, { DependsOn: ofRule }]] = Object.entries(
      synthesised.template.findResources('AWS::SES::ReceiptRule'),
    ) as [[string, Properties]]
    const needs = Object.keys({
      ...all('AWS::SNS::TopicPolicy'),
      ...all('AWS::S3::BucketPolicy'),
      ...all('AWS::SQS::QueuePolicy'),
      ...all('AWS::SNS::Subscription'),
    }).filter((id) => !/Pages|Alarms|AlarmEmail|DeadLetters|Webhooks|opsexample/.test(id))
    expect(ofRule).toEqual(expect.arrayContaining(needs))
    expect(needs).toHaveLength(4)
    const others = Object.entries(resources).filter(
      ([id, { Type }]) =>
        !/^Mayfly(Setup|UpgradeGuard)/.test(id) && id.startsWith('Mayfly') && Type !== 'AWS::CDK::Metadata',
    )
    expect(others.map(([id]) => id)).toContain(rule)
    // An alarm that exists in us-east-1 only; nothing may depend on it.
    const missing = others.filter(([id]) => !setup!.DependsOn.includes(id) && !id.includes('GlobalAlarms'))
    expect(missing.map(([id]) => id)).toEqual([])
  })

  test('a custom resource runs while its function has its permissions', () => {
    const resources = synthesised.template.toJSON().Resources as Record<string, Properties>
    const own = Object.entries(resources).filter(([, { Type }]) => Type.startsWith('Custom::Mayfly'))
    expect(own.length).toBeGreaterThanOrEqual(4)
    for (const [id, { Properties: of }] of own) {
      const { DependsOn, Properties: called } = resources[of.ServiceToken['Fn::GetAtt'][0]]!
      const role = called.Role['Fn::GetAtt'][0]
      // CloudFormation creates these before the function, and deletes them after it.
      const policies = Object.keys(all('AWS::IAM::Policy')).filter((policy) =>
        policy.startsWith(`${role.slice(0, -8)}DefaultPolicy`),
      )
      expect([id, policies.length]).toEqual([id, 1])
      expect([id, DependsOn]).toEqual([id, expect.arrayContaining([role, ...policies])])
    }
  })

  test('a deployment keeps the files of the pages that browsers have open', () => {
    const uploads = Object.values(all('Custom::CDKBucketDeployment'))
    expect(uploads.map(({ Prune }) => Prune)).toEqual([false])
  })

  test('CloudFront caches no error', () => {
    const [{ DistributionConfig }] = Object.values(all('AWS::CloudFront::Distribution')) as [Properties]
    const never = DistributionConfig.CustomErrorResponses.filter(
      ({ ErrorCachingMinTTL }: Properties) => ErrorCachingMinTTL === 0,
    )
    // The statuses that it caches by default (DeveloperGuide, HTTPStatusCodes.html, and custom error pages).
    expect(never.map(({ ErrorCode }: Properties) => ErrorCode)).toEqual([
      400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504,
    ])
  })

  test('a burst of mail leaves concurrency to other functions', () => {
    const [mapping] = Object.values(all('AWS::Lambda::EventSourceMapping')).filter(({ EventSourceArn }) =>
      JSON.stringify(EventSourceArn).includes('InboundQueue'),
    )
    expect(mapping!.ScalingConfig.MaximumConcurrency).toBe(config === FULL ? 20 : 5)
  })

  test('the role of ECS is created before the first service', () => {
    const [[role, { Create }]] = Object.entries(all('Custom::EcsServiceRole')) as [[string, Properties]]
    // IAM answers this where the account has the role already.
    expect(JSON.stringify(Create)).toMatch(/ignoreErrorCodesMatching\W+InvalidInput/)
    const [{ DependsOn }] = Object.values(synthesised.template.findResources('AWS::ECS::Cluster')) as [
      Properties,
    ]
    expect(DependsOn).toContain(role)
  })

  test('the gateway outlives the tasks', () => {
    for (const { DependsOn } of Object.values(synthesised.template.findResources('AWS::ECS::Service'))) {
      expect(DependsOn.join()).toMatch(/VpcpublicSubnet1DefaultRoute.*VpcpublicSubnet2DefaultRoute/)
    }
  })

  test('a new connection goes to the task with the fewest requests', () => {
    const [group] = Object.values(all('AWS::ElasticLoadBalancingV2::TargetGroup')).filter(
      ({ Protocol }) => Protocol === 'HTTP',
    )
    expect(group!.TargetGroupAttributes).toContainEqual({
      Key: 'load_balancing.algorithm.type',
      Value: 'least_outstanding_requests',
    })
  })
})

describe('what the configuration changes', () => {
  let full: Synthesised

  beforeAll(() => {
    full = synthesise(FULL)
  })

  test('a domain with a hosted zone gets its records; one without gets an output', () => {
    const [group] = Object.values(full.all('AWS::Route53::RecordSetGroup'))
    const of = (type: string) => group!.RecordSets.filter(({ Type }: Properties) => Type === type)
    expect(group!.HostedZoneId).toBe('Z0123456789')
    expect(of('MX')).toMatchObject([{ Name: 'mail.example.com.' }])
    expect(of('CNAME')).toHaveLength(3)
    const outputs = full.template.findOutputs('*')
    expect(JSON.stringify(outputs.RecordsotherDotexample)).toContain('other.example MX 10 ')
    expect(outputs.RecordsmailDotexampleDotcom).toBeUndefined()
  })

  test('names that differ in a hyphen or a dot have separate outputs', () => {
    const names = ['a-b.example', 'ab.example', 'a.b.example'].map((domain) => ({ domain, name: domain }))
    const mayfly = { dnsRecords: names.map((of) => ({ ...of, type: 'MX', value: '10 mx.example' })) }
    expect(Object.keys(outputsOf(mayfly as never)).filter((name) => name.startsWith('Records'))).toEqual([
      'RecordsaDashbDotexample',
      'RecordsabDotexample',
      'RecordsaDotbDotexample',
    ])
  })

  describe('with as many domains as the configuration accepts', () => {
    let many: Synthesised

    beforeAll(() => {
      many = synthesise(WITH_MANY)
    })

    test('fits into a stack', () => {
      const { Resources, Outputs } = many.template.toJSON()
      expect(Object.keys(Resources).length).toBeLessThan(500)
      expect(Object.keys(Outputs).length).toBeLessThan(200)
      const one = { name: 'one.more.example' }
      expect(() => synthesise({ domains: [...MANY, one] })).toThrow('150 fit')
    })

    test('has one group of all records of a zone', () => {
      const groups = Object.values(many.all('AWS::Route53::RecordSetGroup'))
      // One MX record and three for DKIM, for each of 75 domains.
      expect(groups.map(({ RecordSets }) => RecordSets.length)).toEqual([4 * 75])
    })

    test('no environment grows with them, and identities are created one by one', () => {
      const { all, template } = many
      for (const [id, { Environment }] of Object.entries(all('AWS::Lambda::Function')))
        expect([id, JSON.stringify(Environment?.Variables ?? {}).length < 3000]).toEqual([id, true])
      const identities = template.findResources('AWS::SES::EmailIdentity')
      const previous = Object.values(identities).map(({ DependsOn = [] }) =>
        DependsOn.filter((id: string) => id in identities),
      )
      expect(previous.map((ids) => ids.length).sort()).toEqual([0, ...Array.from({ length: 149 }, () => 1)])
      expect(new Set(previous.flat()).size).toBe(149)
      const [{ domains: registered }] = Object.values(all('Custom::MayflySetup')) as [Properties]
      expect(registered).toHaveLength(150)
    })

    test('in an existing rule set: rules for the domains only, and no activation', () => {
      expect(many.all('AWS::SES::ReceiptRuleSet')).toEqual({})
      const rules = Object.values(many.all('AWS::SES::ReceiptRule'))
      expect(rules.map(({ RuleSetName }) => RuleSetName)).toEqual(['theirs', 'theirs', 'theirs'])
      const recipients = rules.flatMap(({ Rule }) => Rule.Recipients)
      expect(recipients).toEqual(MANY.flatMap(({ name }) => [name, `.${name}`]))
      for (const { Rule } of rules) expect(Rule.Recipients).toHaveLength(100)
      const name = rules[0]!.Rule.Name
      expect(rules.map(({ Rule }) => Rule.Name)).toEqual([name, `${name}-2`, `${name}-3`])
      const [setup] = Object.values(many.all('Custom::MayflySetup'))
      expect(setup).toMatchObject({ ruleSet: '', takeOver: 'false' })
      expect(JSON.stringify(many.all('AWS::IAM::Policy'))).not.toContain('SetActiveReceiptRuleSet')
      expect(JSON.stringify(many.all('AWS::Lambda::Function'))).toContain('ses-shared')
      const [{ PolicyDocument }] = Object.values(many.all('AWS::SNS::TopicPolicy')).filter((policy) =>
        JSON.stringify(policy).includes('ses.amazonaws.com'),
      ) as [Properties]
      for (const { Rule } of rules)
        expect(JSON.stringify(PolicyDocument)).toContain(`:receipt-rule/${Rule.Name}`)
      const [stopper] = Object.values(many.all('AWS::Lambda::Function')).filter(
        ({ Environment }) => Environment?.Variables?.MAYFLY_RULES,
      )
      expect(stopper!.Environment.Variables.MAYFLY_RULES).toBe(`${name},${name}-2,${name}-3`)
    })
  })

  test('without a hosted zone the record of the host is an output', () => {
    const { zone: _, ...host } = FULL.host
    const { HostRecord } = synthesise({ ...SMTP_FIRST, host }, PREBUILT).template.findOutputs('*')
    expect(JSON.stringify(HostRecord)).toMatch(/inbox\.example\.com CNAME .*Distribution.*DomainName/)
    expect(full.template.findOutputs('HostRecord')).toEqual({})
  })

  test('alarms without a receiver cause a warning', () => {
    // The id is the one by which an operator acknowledges the warning.
    const warning = '[ack: mayfly:alarms-without-receiver]'
    const [found, ...others] = synthesise().warnings()
    const silence = '[ack: mayfly:silence]'
    expect([found, others]).toEqual([expect.stringContaining(warning), [expect.stringContaining(silence)]])
    expect(full.warnings()).toEqual([])
  })

  test('the upgrade guard is the first step: every other resource waits for it', () => {
    const resources = full.template.toJSON().Resources as Record<string, Properties>
    const [check] = Object.keys(full.all('Custom::MayflyUpgradeGuard'))
    const early = Object.entries(resources)
      .filter(([id]) => id.startsWith('Mayfly') && !id.startsWith('MayflyUpgradeGuard'))
      .filter(([, { DependsOn = [] }]) => ![DependsOn].flat().includes(check))
    expect(early.map(([id]) => id)).toEqual([])
  })

  test('the canary may only send as itself, and reads as any caller does', () => {
    const policies = Object.entries(full.all('AWS::IAM::Policy')).filter(([id]) =>
      id.startsWith('MayflyCanary'),
    )
    expect(policies).toHaveLength(1)
    const statements = policies[0]![1].PolicyDocument.Statement as Statement[]
    expect(statements.map(({ Action }) => Action)).toEqual([
      ['logs:CreateLogStream', 'logs:PutLogEvents'],
      'ses:SendEmail',
    ])
    expect(JSON.stringify(statements[1]!.Resource)).toMatch(/:identity\/mail\.example\.com"/)
    expect(statements[1]!.Condition).toEqual({
      StringEquals: { 'ses:FromAddress': 'mayfly-canary@mail.example.com' },
    })
    const [canary] = Object.entries(full.all('AWS::Lambda::Function')).flatMap(([id, of]) =>
      id.startsWith('MayflyCanary') ? [of] : [],
    )
    expect(canary!.Environment.Variables).toEqual({
      MAYFLY_BASE_URL: 'https://inbox.example.com',
      MAYFLY_CANARY_DOMAIN: 'mail.example.com',
    })
    expect(canary!.VpcConfig).toBeUndefined()
    const invocations = Object.values(full.all('AWS::Lambda::EventInvokeConfig'))
    expect(invocations.map(({ MaximumRetryAttempts }) => MaximumRetryAttempts)).toEqual([0])
    expect(JSON.stringify(synthesise(CANARY_IN_VPC).all('AWS::IAM::Policy'))).toContain('ses:SendEmail')
    expect(JSON.stringify(synthesise().all('AWS::IAM::Policy'))).not.toContain('ses:SendEmail')
  })

  test('too much mail turns the rules off, if the configuration says so', () => {
    const stops = (config: object) => {
      const { all } = synthesise(config)
      const [alarm] = Object.values(all('AWS::CloudWatch::Alarm')).filter(({ AlarmDescription }) =>
        AlarmDescription.startsWith('Much mail'),
      )
      return { threshold: alarm!.Threshold, actions: JSON.stringify(alarm!.AlarmActions) }
    }
    const [expensive] = Object.values(synthesise({}).all('AWS::CloudWatch::Alarm')).filter(
      ({ AlarmDescription }) => AlarmDescription.startsWith('Expensive mail'),
    )
    // Milliseconds in which 20,000 usual mails are stored.
    expect(expensive!.Threshold).toBe(20_000 * 300)
    expect(stops(FULL)).toEqual({ threshold: 1000, actions: expect.stringContaining('Receiving') })
    expect(stops({})).toEqual({ threshold: 20_000, actions: expect.not.stringContaining('Receiving') })
    const [stopper] = Object.values(full.all('AWS::Lambda::Function')).filter(
      ({ Environment }) => Environment?.Variables?.MAYFLY_RULES,
    )
    const [[, rule]] = Object.entries(full.all('AWS::SES::ReceiptRule')) as [[string, Properties]]
    expect(stopper!.Environment.Variables.MAYFLY_RULES).toBe(rule.Rule.Name)
  })

  test.each([
    ['us-east-1', ['use1-az1', 'use1-az2']],
    ['eu-west-1', [undefined, undefined]],
    ['ca-central-1', ['cac1-az1', 'cac1-az2']],
  ])('a stack in %s has the zones %j', (region, ids) => {
    const stack = new Stack(new App(), 'Stack', { env: { region, account: '123456789012' } })
    const calls = SdkCalls.of(stack)
    new Network(stack, 'Network', { availabilityZones: undefined, existing: undefined, calls, spot: false })
    const subnets = Object.values(Template.fromStack(stack).findResources('AWS::EC2::Subnet'))
    const taken = subnets.map(({ Properties: of }) => of.AvailabilityZoneId?.['Fn::If']?.[1])
    expect(taken).toEqual(ids)
  })

  test('an existing identity is left alone', () => {
    const identities = Object.values(full.all('AWS::SES::EmailIdentity'))
    expect(identities.map(({ EmailIdentity }) => EmailIdentity).sort()).toEqual([
      'mail.example.com',
      'other.example',
    ])
  })

  test('a custom host name has a certificate, TLS 1.2 and alias records', () => {
    full.template.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: Match.objectLike({
        Aliases: ['inbox.example.com'],
        ViewerCertificate: Match.objectLike({ MinimumProtocolVersion: 'TLSv1.2_2021' }),
      }),
    })
    expect(full.template.findOutputs('BaseUrl').BaseUrl!.Value).toBe('https://inbox.example.com')
    const types = Object.values(full.all('AWS::Route53::RecordSet')).map(({ Type }) => Type)
    expect(types).toEqual(expect.arrayContaining(['A', 'AAAA']))
  })

  test('a web ACL limits the requests of each address', () => {
    full.template.hasResourceProperties('AWS::WAFv2::WebACL', {
      Scope: 'CLOUDFRONT',
      Rules: [
        Match.objectLike({
          Statement: { RateBasedStatement: Match.objectLike({ AggregateKeyType: 'IP', Limit: 2000 }) },
        }),
      ],
    })
    const [acl] = Object.values(full.all('AWS::WAFv2::WebACL'))
    const visibility = [acl!, ...acl!.Rules].map(({ VisibilityConfig }: Properties) => VisibilityConfig)
    // Samples would hold whole requests, with their keys.
    expect(visibility.map((of) => of.SampledRequestsEnabled)).toEqual([false, false])
    expect(synthesise().all('AWS::WAFv2::WebACL')).toEqual({})
  })

  test('bytes expire a day after their email', () => {
    const rules = Object.values(full.all('AWS::S3::Bucket')).flatMap(
      (bucket) => bucket.LifecycleConfiguration?.Rules ?? [],
    )
    const days = Object.fromEntries(
      rules.map(({ Prefix, ExpirationInDays }: Properties) => [Prefix, ExpirationInDays]),
    )
    expect(days).toMatchObject({ 'inbound/': 3, 'parts/': 3, 'answers/': 1 })
  })

  test('a prebuilt image replaces Docker, and may be pulled from ECR', () => {
    const { all } = synthesise(SMTP_FIRST, PREBUILT)
    const tasks = Object.entries(all('AWS::ECS::TaskDefinition'))
    const image = (part: string) => {
      const [, of] = tasks.find(([id]) => id.startsWith(`Mayfly${part}`))!
      return JSON.stringify(of.ContainerDefinitions[0].Image)
    }
    expect(image('Sse')).toContain('/mayfly/sse:7')
    expect(image('Smtp')).toContain(`/mayfly/smtp@sha256:${'0123456789abcdef'.repeat(4)}`)
    const pulls = Object.values(all('AWS::IAM::Policy')).filter((policy) =>
      JSON.stringify(policy).includes('ecr:BatchGetImage'),
    )
    for (const name of ['sse', 'smtp'])
      expect(JSON.stringify(pulls)).toContain(`arn:aws:ecr:us-east-1:123456789012:repository/mayfly/${name}"`)
  })

  test('without built pages there is no bucket for them, and the API serves every path', () => {
    const bare = synthesise(SMTP_FIRST, PREBUILT)
    expect(bare.warnings().join()).toContain('[ack: mayfly:no-pages]')
    expect(Object.keys(bare.all('AWS::S3::Bucket'))).toHaveLength(1)
    const [{ DistributionConfig: config }] = Object.values(bare.all('AWS::CloudFront::Distribution')) as [
      Properties,
    ]
    expect(config.DefaultCacheBehavior.TargetOriginId).toBe(config.CacheBehaviors[3].TargetOriginId)
  })

  test('tasks and the load balancer may share the subnets of an existing network', () => {
    const { subnets } = IN_VPC.vpc
    const balancers = synthesise(CANARY_IN_VPC).all('AWS::ElasticLoadBalancingV2::LoadBalancer')
    expect(Object.values(balancers).map(({ Subnets }) => Subnets)).toEqual([subnets, subnets])
  })

  test('without a target there is no bus and no permission', () => {
    const { template: without } = synthesise()
    expect(without.findResources('AWS::Events::EventBus')).toEqual({})
    expect(JSON.stringify(without.toJSON())).not.toMatch(/MAYFLY_EVENT_BUS|events:PutEvents/)
  })

  test('two syntheses are identical', () => {
    expect(synthesise(FULL, { region: undefined }).template.toJSON()).toEqual(full.template.toJSON())
  })
})

function isTlsOnly({ Effect, Condition }: Statement): boolean {
  return Effect === 'Deny' && Condition?.Bool?.['aws:SecureTransport'] === 'false'
}

describe('mail in by SMTP', () => {
  test('senders connect to port 25, and their addresses reach the task', () => {
    const { all } = synthesise(SMTP_ONLY)
    const [balancer] = Object.values(all('AWS::ElasticLoadBalancingV2::LoadBalancer')).filter(
      ({ Type }) => Type === 'network',
    )
    expect(balancer).toMatchObject({ Scheme: 'internet-facing' })
    const [listener] = Object.values(all('AWS::ElasticLoadBalancingV2::Listener')).filter(
      ({ Protocol }) => Protocol === 'TCP',
    )
    expect(listener).toMatchObject({ Port: 25 })
    const [group] = Object.values(all('AWS::ElasticLoadBalancingV2::TargetGroup')).filter(
      ({ Protocol }) => Protocol === 'TCP',
    )
    const attributes = Object.fromEntries(
      group!.TargetGroupAttributes.map(({ Key, Value }: Properties) => [Key, Value]),
    )
    expect(attributes).toMatchObject({ 'preserve_client_ip.enabled': 'true' })
    expect(attributes['proxy_protocol_v2.enabled'] ?? 'false').toBe('false')
  })

  test('the stack does not use SES, and its only record is the MX record', () => {
    const { all, mayfly, template } = synthesise(SMTP_ONLY)
    const types = Object.values(template.toJSON().Resources as Record<string, Properties>).map(
      ({ Type }) => Type,
    )
    expect(types.filter((type) => type.startsWith('AWS::SES'))).toEqual([])
    expect(JSON.stringify(all('AWS::IAM::Policy'))).not.toContain('"ses:')
    expect(JSON.stringify(template.toJSON().Rules)).not.toContain('Amazon SES')
    expect(mayfly.dnsRecords).toEqual([
      { domain: 'a.example', type: 'MX', name: 'a.example', value: expect.stringMatching(/^10 \$\{Token/) },
    ])
    const [setup] = Object.values(all('Custom::MayflySetup'))
    expect(setup!.ruleSet).toBe('')
    const functions = Object.values(all('AWS::Lambda::Function')).map(
      ({ Environment }) => Environment?.Variables?.MAYFLY_MAIL_PROVIDER,
    )
    expect(new Set(functions.filter(Boolean))).toEqual(new Set(['smtp']))
  })

  test('the task may write messages, queue them, and read single domains', () => {
    const [, policy] = Object.entries(synthesise(SMTP_ONLY).all('AWS::IAM::Policy')).find(([id]) =>
      id.startsWith('MayflySmtpTaskTaskRole'),
    )!
    expect(policy.PolicyDocument.Statement.flatMap(({ Action }: Statement) => Action).sort()).toEqual([
      'dynamodb:GetItem',
      's3:AbortMultipartUpload',
      's3:PutObject',
      'sqs:SendMessage',
    ])
  })

  test('a configured certificate, a host name and its record', () => {
    const full = synthesise(STAGING)
    expect(full.mayfly.mxHost).toBe('mx.example.com')
    const task = Object.entries(full.all('AWS::ECS::TaskDefinition')).find(([id]) => id.includes('Smtp'))![1]
    expect(task.ContainerDefinitions[0].Environment).toContainEqual({
      Name: 'MAYFLY_TLS_SECRET_ARN',
      Value: FULL.smtp.certificateSecretArn,
    })
    const [, policy] = Object.entries(full.all('AWS::IAM::Policy')).find(([id]) =>
      id.startsWith('MayflySmtpTaskTaskRole'),
    )!
    expect(policy.PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({
        Action: ['secretsmanager:GetSecretValue', 'secretsmanager:DescribeSecret'],
        Resource: FULL.smtp.certificateSecretArn,
      }),
    )
    const records = Object.values(full.all('AWS::Route53::RecordSet')).filter(
      ({ Name }) => Name === 'mx.example.com.',
    )
    expect(records).toMatchObject([{ Type: 'A', AliasTarget: expect.anything() }])
    const [group] = Object.values(full.all('AWS::Route53::RecordSetGroup'))
    expect(group!.RecordSets[0].ResourceRecords).toEqual(['10 mx.example.com'])
    const { mayfly } = synthesise(SMTP_FIRST, PREBUILT)
    expect(mayfly.smtpHostRecord).toMatch(/^mx.example.com ALIAS /)
  })

  test('beside a web function needs servers for itself only', () => {
    const services = Object.keys(synthesise(SMTP_ONLY).all('AWS::ECS::Service'))
    expect(services).toEqual([expect.stringMatching(/^MayflySmtp/)])
    expect(Object.keys(synthesise(SMTP_ONLY).all('AWS::Lambda::WebFunction'))).toHaveLength(1)
  })
})

describe('any number of stream tasks, by Valkey', () => {
  let full: Synthesised

  beforeAll(() => {
    full = synthesise(FULL)
  })

  const ofStreams = (type: string) =>
    Object.entries(full.all(type)).find(([id]) => id.startsWith('MayflySse'))![1]

  test('the stream of the table has one reader, which retries in order until it succeeds', () => {
    const mappings = Object.values(full.all('AWS::Lambda::EventSourceMapping')).filter(
      ({ StartingPosition }) => StartingPosition,
    )
    expect(mappings).toMatchObject([
      {
        StartingPosition: 'LATEST',
        MaximumRetryAttempts: -1,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      },
    ])
    expect(mappings[0]!.ParallelizationFactor ?? 1).toBe(1)
    const task = ofStreams('AWS::ECS::TaskDefinition').ContainerDefinitions[0]
    const names = task.Environment.map(({ Name }: Properties) => Name)
    expect(names).toContain('MAYFLY_VALKEY_URL')
    expect(names).not.toContain('MAYFLY_MAIL_STREAM_ARN')
  })

  test('the number of tasks follows their streams', () => {
    const [target] = Object.values(full.all('AWS::ApplicationAutoScaling::ScalableTarget'))
    expect(target).toMatchObject({ MinCapacity: 3, MaxCapacity: 12 })
    const [policy] = Object.values(full.all('AWS::ApplicationAutoScaling::ScalingPolicy'))
    const { CustomizedMetricSpecification: metric, TargetValue } =
      policy!.TargetTrackingScalingPolicyConfiguration
    expect(metric).toMatchObject({ Namespace: 'Mayfly', MetricName: 'OpenStreams', Statistic: 'Average' })
    expect(TargetValue).toBe(12_000)
    const task = ofStreams('AWS::ECS::TaskDefinition').ContainerDefinitions[0]
    const { Value } = task.Environment.find(({ Name }: Properties) => Name === 'MAYFLY_STACK_NAME')
    expect(metric.Dimensions).toEqual([{ Name: 'Stack', Value }])
    // Without this, each deployment would reset the number of tasks.
    expect(ofStreams('AWS::ECS::Service').DesiredCount).toBeUndefined()
  })

  test('two tasks that do not read the table stay while a deployment replaces them, and scale by their memory', () => {
    const { all } = synthesise(STAGING)
    const [, service] = Object.entries(all('AWS::ECS::Service')).find(([id]) => id.startsWith('MayflySse'))!
    expect(service.DeploymentConfiguration).toMatchObject({ MinimumHealthyPercent: 100, MaximumPercent: 200 })
    const [policy] = Object.values(all('AWS::ApplicationAutoScaling::ScalingPolicy'))
    expect(policy!.TargetTrackingScalingPolicyConfiguration.TargetValue).toBe(8192)
  })

  test('only the publisher and the tasks reach Valkey, by TLS', () => {
    const ingress = Object.entries(full.all('AWS::EC2::SecurityGroupIngress')).filter(
      ([, { FromPort }]) => JSON.stringify(FromPort) === '6379',
    )
    expect(ingress).toHaveLength(2)
    for (const [, { SourceSecurityGroupId }] of ingress) expect(SourceSecurityGroupId).toBeDefined()
    const [cache] = Object.values(full.all('AWS::ElastiCache::ServerlessCache'))
    expect(cache).toMatchObject({
      Engine: 'valkey',
      ServerlessCacheName: expect.stringMatching(/^[a-z][a-z0-9-]{1,39}$/),
    })
    expect(JSON.stringify(ofStreams('AWS::ECS::TaskDefinition'))).toContain('rediss://')
  })

  test('the publisher and the cache are in the subnets of an existing network', () => {
    const { tasks, fanOut } = FULL
    const { all } = synthesise({ ...IN_VPC, tasks, fanOut })
    const { subnets } = IN_VPC.vpc
    const functions = Object.values(all('AWS::Lambda::Function')).flatMap(({ VpcConfig }) => VpcConfig ?? [])
    expect(functions).toMatchObject([{ SubnetIds: subnets }])
    const caches = Object.values(all('AWS::ElastiCache::ServerlessCache'))
    expect(caches).toMatchObject([{ SubnetIds: subnets }])
  })

  test('there is no cache by default', () => {
    expect(synthesise().all('AWS::ElastiCache::ServerlessCache')).toEqual({})
  })
})

describe('stages side by side', () => {
  /** Names that are unique in an account, over all Regions: types by the property that names them. */
  const NAMES: Record<string, (properties: Properties) => unknown> = {
    'AWS::CloudFront::Function': ({ Name }) => Name,
    'AWS::CloudFront::OriginRequestPolicy': ({ OriginRequestPolicyConfig }) => OriginRequestPolicyConfig.Name,
    'AWS::CloudFront::ResponseHeadersPolicy': ({ ResponseHeadersPolicyConfig }) =>
      ResponseHeadersPolicyConfig.Name,
    'AWS::CloudFront::OriginAccessControl': ({ OriginAccessControlConfig }) => OriginAccessControlConfig.Name,
    'AWS::CloudFront::VpcOrigin': ({ VpcOriginEndpointConfig }) => VpcOriginEndpointConfig.Name,
    'AWS::Lambda::WebFunction': ({ FunctionName }) => FunctionName,
    'AWS::WAFv2::WebACL': ({ Name }) => Name,
    'AWS::SES::ReceiptRuleSet': ({ RuleSetName }) => RuleSetName,
    'AWS::ElastiCache::ServerlessCache': ({ ServerlessCacheName }) => ServerlessCacheName,
  }
  const IN_A_REGION = ['AWS::WAFv2::WebACL', 'AWS::SES::ReceiptRuleSet', 'AWS::ElastiCache::ServerlessCache']

  const names = (config: object, type: string) =>
    Object.values(synthesise(config).all(type)).map((properties) => JSON.stringify(NAMES[type]!(properties)))

  test.each(Object.keys(NAMES))('%s: every name contains the stack and the Region', (type) => {
    const { tasks: _, fanOut: __, availabilityZones: ___, ...others } = FULL
    const full = type === 'AWS::Lambda::WebFunction' ? { ...others, ...WEB_FUNCTION } : FULL
    const [one, two] = [names(full, type), names({ ...full, stackName: STAGING.stackName }, type)]
    expect(one.length).toBeGreaterThan(0)
    expect(new Set([...one, ...two]).size).toBe(2 * one.length)
    for (const name of one) {
      expect(name.toLowerCase()).toContain('mailbox')
      if (!IN_A_REGION.includes(type)) expect(name).toContain('{"Ref":"AWS::Region"}')
      // CloudFront accepts 64 characters, 14 of them for the Region.
      expect(name.replace(/^.*?"(Mailbox[^"]*)".*$/, '$1').length).toBeLessThanOrEqual(50)
    }
  })

  test('nothing else has a fixed name', () => {
    const named = Object.entries(synthesise(FULL).template.toJSON().Resources as Record<string, Properties>)
      .filter(([, { Type }]) => !(Type in NAMES))
      .filter(([, { Type, Properties: of = {} }]) => {
        const kind = Type.split('::').pop()
        if (Type === 'AWS::IAM::Policy' || Type === 'AWS::ApiGatewayV2::Stage') return false
        // Services that write logs may do so under this prefix without a new entry in the policy of the Region.
        if (/^\/aws\/vendedlogs\/Mailbox-/.test(of.LogGroupName)) return false
        return [`${kind}Name`, 'RoleName', 'FunctionName', 'LogGroupName', 'TableName', 'BucketName'].some(
          (property) => typeof of[property] === 'string',
        )
      })
    expect(named.map(([id, { Type }]) => `${Type} ${id}`)).toEqual([])
  })
})

describe('access to the storage', () => {
  test('only programs that open or remove messages may list the bucket', () => {
    const lists = Object.entries(synthesise().all('AWS::IAM::Policy'))
      .filter(([id, policy]) => id.startsWith('Mayfly') && JSON.stringify(policy).includes('s3:ListBucket'))
      .map(([id]) => id.replace(/^Mayfly([A-Z][a-z]+).*$/, '$1'))
    expect(lists.sort()).toEqual([
      'Emptier',
      'Inbound',
      'Inbound',
      'Rest',
      'Sse',
      'Verification',
      'Verification',
    ])
  })
})

test('the origin of a web function receives the secret too', () => {
  expectSecretAtOrigins(synthesise(WEB_FUNCTION).all)
})
