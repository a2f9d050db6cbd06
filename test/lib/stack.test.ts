import { beforeAll, describe, expect, test } from '@jest/globals'
import { Match } from 'aws-cdk-lib/assertions'
import { FULL, type Properties, type Synthesised, synthesise } from './synth.ts'

type Statement = {
  Effect: string
  Action: string | string[]
  Resource?: unknown
  Principal?: unknown
  Condition?: Properties
}

/** What must never change by accident, whatever the configuration says. */
describe.each([
  ['the smallest configuration', {}],
  ['every option', FULL],
])('the stack with %s', (_, config) => {
  let synthesised: Synthesised
  let all: Synthesised['all']

  beforeAll(() => {
    synthesised = synthesise(config)
    all = synthesised.all
  }, 60_000)

  const statements = (type: string): Statement[] =>
    Object.values(all(type)).flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
  const list = (value: string | string[]) => (Array.isArray(value) ? value : [value])

  test('no bucket is public, and all want TLS', () => {
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

  test('queues and topics want TLS', () => {
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

  test('SES may write and publish, for this one rule of this account only', () => {
    const ses = [...statements('AWS::S3::BucketPolicy'), ...statements('AWS::SNS::TopicPolicy')].filter(
      ({ Principal }) => JSON.stringify(Principal) === '{"Service":"ses.amazonaws.com"}',
    )
    expect(ses.map(({ Action }) => Action)).toEqual(['s3:PutObject', 'sns:Publish'])
    const { stackName } = synthesised.stack
    for (const { Condition } of ses) {
      expect(Condition!.StringEquals['aws:SourceAccount']).toEqual({ Ref: 'AWS::AccountId' })
      expect(JSON.stringify(Condition!.StringEquals['aws:SourceArn'])).toContain(
        `:receipt-rule-set/${stackName}:receipt-rule/${stackName}`,
      )
    }
    expect(JSON.stringify(ses[0]!.Resource)).toContain('/inbound/*')
  })

  test('one receipt rule takes mail for every address, into the bucket and the topic', () => {
    const rules = Object.entries(synthesised.template.findResources('AWS::SES::ReceiptRule'))
    expect(rules).toHaveLength(1)
    const { Properties: rule, DependsOn } = rules[0]![1]
    expect(rule.Rule.Recipients).toBeUndefined()
    expect(rule.Rule).toMatchObject({ Enabled: true, ScanEnabled: true, TlsPolicy: 'Optional' })
    expect(rule.Rule.Actions).toHaveLength(1)
    expect(rule.Rule.Actions[0].S3Action).toMatchObject({ ObjectKeyPrefix: 'inbound/' })
    expect(Object.keys(all('AWS::SNS::Topic'))).toContain(rule.Rule.Actions[0].S3Action.TopicArn.Ref)
    expect(DependsOn.filter((id: string) => /Policy/.test(id))).toHaveLength(2)
  })

  test('mail waits in a queue for its function, and has a place to go when it cannot be stored', () => {
    const queues = Object.values(all('AWS::SQS::Queue'))
    const queue = queues.find(({ RedrivePolicy }) => RedrivePolicy)!
    expect(queue).toMatchObject({ VisibilityTimeout: 360, RedrivePolicy: { maxReceiveCount: 5 } })
    const [subscription] = Object.values(all('AWS::SNS::Subscription')).filter(
      ({ Protocol }) => Protocol === 'sqs',
    )
    expect(subscription).toMatchObject({ RawMessageDelivery: true, RedrivePolicy: expect.anything() })
    const [mapping] = Object.values(all('AWS::Lambda::EventSourceMapping'))
    expect(mapping).toMatchObject({ BatchSize: 1, FunctionResponseTypes: ['ReportBatchItemFailures'] })
  })

  test('functions are of Node 24 on arm64', () => {
    // CDK's own functions have an expression for their description, or none.
    const described = Object.values(all('AWS::Lambda::Function')).filter(
      ({ Description }) => typeof Description === 'string',
    )
    expect(described).toHaveLength(4)
    for (const one of described)
      expect(one).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] })
    expect(described.find(({ MemorySize }) => MemorySize === 1536)).toMatchObject({ Timeout: 60 })
  })

  test('the mail table has a stream of new images, the other one none; both forget', () => {
    const tables = Object.values(all('AWS::DynamoDB::Table'))
    expect(tables.map(({ StreamSpecification }) => StreamSpecification?.StreamViewType)).toEqual([
      'NEW_IMAGE',
      undefined,
    ])
    for (const table of tables) {
      expect(table).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
      })
    }
  })

  test('nobody has an action with a wildcard, or all actions of a service', () => {
    // CDK's own function that copies the pages is the one exception, acknowledged where it is made.
    const ours = Object.entries(all('AWS::IAM::Policy')).filter(
      ([id]) => !id.startsWith('CustomCDKBucketDeployment'),
    )
    expect(ours.length).toBeGreaterThanOrEqual(6)
    for (const [, { PolicyDocument }] of ours) {
      for (const { Action } of PolicyDocument.Statement)
        expect(list(Action).filter((name) => name.includes('*'))).toEqual([])
    }
  })

  test('only what takes no resource is granted on every resource', () => {
    const everywhere = statements('AWS::IAM::Policy').filter(({ Resource }) => Resource === '*')
    const actions = new Set(everywhere.flatMap(({ Action }) => list(Action)))
    // What an image is pulled by, where it is in ECR.
    actions.delete('ecr:GetAuthorizationToken')
    expect([...actions].sort()).toEqual([
      'ec2:DescribeManagedPrefixLists',
      'ses:DeleteIdentity',
      'ses:DescribeActiveReceiptRuleSet',
      'ses:GetIdentityVerificationAttributes',
      'ses:SetActiveReceiptRuleSet',
      'ses:VerifyDomainIdentity',
    ])
  })

  test('the stream service reads the stream, and only its own tables', () => {
    const [, { PolicyDocument }] = Object.entries(all('AWS::IAM::Policy')).find(([id]) =>
      id.startsWith('SseTaskTaskRole'),
    )!
    const actions = PolicyDocument.Statement.flatMap(({ Action }: Statement) => list(Action))
    expect(actions).toContain('dynamodb:GetRecords')
    expect(actions.filter((name: string) => name.startsWith('s3:'))).toEqual(['s3:ListBucket'])
    expect(actions.filter((name: string) => name.startsWith('ses:'))).toEqual([])
    const writes = PolicyDocument.Statement.filter(({ Action }: Statement) =>
      list(Action).includes('dynamodb:PutItem'),
    )
    expect(JSON.stringify(writes)).not.toContain('StorageMail')
  })

  test('no more than two tasks ever run, for a shard has two readers at most', () => {
    const [service] = Object.values(all('AWS::ECS::Service'))
    const { DesiredCount, DeploymentConfiguration, AvailabilityZoneRebalancing } = service!
    expect((DesiredCount * DeploymentConfiguration.MaximumPercent) / 100).toBeLessThanOrEqual(2)
    // At least one leaves room for its successor.
    expect(Math.ceil((DesiredCount * DeploymentConfiguration.MinimumHealthyPercent) / 100)).toBeLessThan(
      (DesiredCount * DeploymentConfiguration.MaximumPercent) / 100,
    )
    expect(DeploymentConfiguration.DeploymentCircuitBreaker).toEqual({ Enable: true, Rollback: true })
    expect(AvailabilityZoneRebalancing).toBe('DISABLED')
    expect(all('AWS::ApplicationAutoScaling::ScalableTarget')).toEqual({})
  })

  test('tasks take connections from the load balancer, and that one from CloudFront', () => {
    const ingress = Object.values(all('AWS::EC2::SecurityGroupIngress'))
    const groups = all('AWS::EC2::SecurityGroup')
    expect(Object.keys(groups)).toHaveLength(2)
    for (const group of Object.values(groups)) expect(group.SecurityGroupIngress ?? []).toEqual([])
    expect(ingress).toHaveLength(2)
    const [fromFront] = ingress.filter(({ SourcePrefixListId }) => SourcePrefixListId)
    expect(fromFront).toMatchObject({ FromPort: 80, ToPort: 80, IpProtocol: 'tcp' })
    const [fromBalancer] = ingress.filter(({ SourceSecurityGroupId }) => SourceSecurityGroupId)
    expect(fromBalancer).toMatchObject({ FromPort: 8080, ToPort: 8080 })
    expect(JSON.stringify(fromBalancer!.SourceSecurityGroupId)).toContain('LoadBalancerGroup')
    expect(JSON.stringify(ingress)).not.toMatch(/0\.0\.0\.0|::\/0/)
    const [balancer] = Object.values(all('AWS::ElasticLoadBalancingV2::LoadBalancer'))
    expect(balancer!.Scheme).toBe('internal')
  })

  test('there is no NAT gateway', () => {
    expect(all('AWS::EC2::NatGateway')).toEqual({})
    expect(all('AWS::EC2::EIP')).toEqual({})
  })

  test('both origins are sent the secret, whose value is not in the template', () => {
    const [{ DistributionConfig }] = Object.values(all('AWS::CloudFront::Distribution')) as [Properties]
    const withApi = DistributionConfig.Origins.filter((origin: Properties) => !origin.S3OriginConfig)
    expect(withApi).toHaveLength(2)
    for (const { OriginCustomHeaders } of withApi) {
      expect(OriginCustomHeaders).toHaveLength(1)
      expect(OriginCustomHeaders[0].HeaderName).toBe('x-mayfly-origin')
      expect(JSON.stringify(OriginCustomHeaders[0].HeaderValue)).toMatch(/resolve:secretsmanager/)
    }
  })

  test('streams go through CloudFront as they come', () => {
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

  test('an origin is told who asks and for what path, and never a Host that is not its own', () => {
    const [policy] = Object.values(all('AWS::CloudFront::OriginRequestPolicy'))
    const { HeadersConfig, CookiesConfig, QueryStringsConfig } = policy!.OriginRequestPolicyConfig
    expect(HeadersConfig.HeaderBehavior).toBe('whitelist')
    expect(HeadersConfig.Headers).toEqual(
      expect.arrayContaining(['cloudfront-viewer-address', 'x-mayfly-path']),
    )
    expect(HeadersConfig.Headers.length).toBeLessThanOrEqual(10)
    expect(HeadersConfig.Headers.map((name: string) => name.toLowerCase())).not.toContain('host')
    expect([CookiesConfig.CookieBehavior, QueryStringsConfig.QueryStringBehavior]).toEqual(['none', 'all'])
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

  test('a deployment to a Region that receives no mail is refused', () => {
    const rules = synthesised.template.toJSON().Rules
    expect(rules.ReceivingRegion.Assertions[0].Assert['Fn::Contains'][1]).toEqual({ Ref: 'AWS::Region' })
    expect(rules.ReceivingRegion.Assertions[0].Assert['Fn::Contains'][0]).not.toContain('eu-north-1')
  })

  test('everything is deleted with the stack', () => {
    const kept = Object.entries(synthesised.template.toJSON().Resources as Record<string, Properties>).filter(
      ([, { DeletionPolicy }]) => DeletionPolicy === 'Retain',
    )
    expect(kept.map(([id]) => id)).toEqual([])
  })
})

describe('what the configuration changes', () => {
  let full: Synthesised

  beforeAll(() => {
    full = synthesise(FULL)
  }, 60_000)

  test('a domain with a hosted zone gets its records; one without gets an output', () => {
    const records = Object.values(full.all('AWS::Route53::RecordSet'))
    const of = (type: string) => records.filter(({ Type }) => Type === type)
    expect(of('MX')).toMatchObject([{ Name: 'mail.example.com.', HostedZoneId: 'Z0123456789' }])
    expect(of('CNAME')).toHaveLength(3)
    const outputs = full.template.findOutputs('*')
    expect(JSON.stringify(outputs.Recordsotherexample)).toContain('other.example MX 10 ')
    expect(outputs.Recordsmailexamplecom).toBeUndefined()
  })

  test('an identity that is there already is left alone', () => {
    const identities = Object.values(full.all('AWS::SES::EmailIdentity'))
    expect(identities.map(({ EmailIdentity }) => EmailIdentity).sort()).toEqual([
      'mail.example.com',
      'other.example',
    ])
  })

  test('a host name of its own: certificate, TLS 1.2, alias records', () => {
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

  test('a web ACL counts each address', () => {
    full.template.hasResourceProperties('AWS::WAFv2::WebACL', {
      Scope: 'CLOUDFRONT',
      Rules: [
        Match.objectLike({
          Statement: { RateBasedStatement: Match.objectLike({ AggregateKeyType: 'IP', Limit: 2000 }) },
        }),
      ],
    })
    expect(synthesise().all('AWS::WAFv2::WebACL')).toEqual({})
  })

  test('bytes outlive the email by a day', () => {
    const rules = Object.values(full.all('AWS::S3::Bucket')).flatMap(
      (bucket) => bucket.LifecycleConfiguration?.Rules ?? [],
    )
    const days = Object.fromEntries(
      rules.map(({ Prefix, ExpirationInDays }: Properties) => [Prefix, ExpirationInDays]),
    )
    expect(days).toMatchObject({ 'inbound/': 3, 'parts/': 3, 'answers/': 1 })
  })

  test('a prebuilt image stands in for Docker, and may be pulled from ECR', () => {
    const image = '123456789012.dkr.ecr.us-east-1.amazonaws.com/mayfly/sse:7'
    const prebuilt = synthesise({}, { image })
    const [task] = Object.values(prebuilt.all('AWS::ECS::TaskDefinition'))
    expect(JSON.stringify(task!.ContainerDefinitions[0].Image)).toContain('/mayfly/sse:7')
    const pulls = Object.values(prebuilt.all('AWS::IAM::Policy')).filter((policy) =>
      JSON.stringify(policy).includes('ecr:BatchGetImage'),
    )
    expect(JSON.stringify(pulls)).toContain('arn:aws:ecr:us-east-1:123456789012:repository/mayfly/sse')
    expect(() => synthesise({}, { image: 'example.test/mayfly:1' })).not.toThrow()
  })

  test('without built pages there is no bucket for them, and every path is the API’s', () => {
    const bare = synthesise({}, { pages: false })
    expect(Object.keys(bare.all('AWS::S3::Bucket'))).toHaveLength(1)
    const [{ DistributionConfig: config }] = Object.values(bare.all('AWS::CloudFront::Distribution')) as [
      Properties,
    ]
    expect(config.DefaultCacheBehavior.TargetOriginId).toBe(config.CacheBehaviors[3].TargetOriginId)
  })

  test('two syntheses are the same to the letter', () => {
    expect(synthesise(FULL).template.toJSON()).toEqual(full.template.toJSON())
  })
})

function isTlsOnly({ Effect, Condition }: Statement): boolean {
  return Effect === 'Deny' && Condition?.Bool?.['aws:SecureTransport'] === 'false'
}
