import { describe, expect, test } from '@jest/globals'
import { MESSAGE_BYTES } from '../../../core/limits.ts'
import { FULL, IN_VPC, SHARED_RULES, SMTP_FIRST, WEB_FUNCTION } from '../../lib/configurations.ts'
import { type Properties, synthesise } from '../../lib/synth.ts'
import { INTEGRATION_SECONDS, ROUTES_MAX } from './api-gateway.ts'
import { TEMPLATE_LIMITS } from './cloudformation.ts'
import { CACHED_ERRORS, FORWARDED_HEADERS_MAX, POLICIES_MAX, READ_TIMEOUT_MAX } from './cloudfront.ts'
import { ENVIRONMENT_BYTES, VISIBILITY_FACTOR } from './lambda.ts'
import { isKeptLonger } from './load-balancer.ts'
import { ACCOUNT_WIDE_NAMES } from './names.ts'
import { canRedrive, SQS_LIMITS } from './sqs.ts'

const CONFIGURATIONS: [string, object][] = [
  ['the smallest configuration', {}],
  ['every option', FULL],
  ['an existing network', IN_VPC],
  ['a web function', WEB_FUNCTION],
  ['a rule set of others', SHARED_RULES],
  ['SMTP first', SMTP_FIRST],
  ['150 domains', { domains: Array.from({ length: 150 }, (_, i) => ({ name: `d${i}.example` })) }],
]

describe.each(CONFIGURATIONS)('the template of %s stays within what AWS documents', (_, config) => {
  const all = (type: string) => Object.entries(synthesise(config).all(type)) as [string, Properties][]

  test('its size', () => {
    const { Resources, Outputs } = synthesise(config).template.toJSON()
    expect(Object.keys(Resources).length).toBeLessThanOrEqual(TEMPLATE_LIMITS.resources)
    expect(Object.keys(Outputs).length).toBeLessThanOrEqual(TEMPLATE_LIMITS.outputs)
    const text = JSON.stringify(synthesise(config).template.toJSON())
    expect(text.length).toBeLessThan(TEMPLATE_LIMITS.bytes)
  })

  test('the environments of its functions', () => {
    for (const [id, { Environment }] of all('AWS::Lambda::Function')) {
      // A reference becomes an ARN or a URL of at most 200 characters.
      const size = Object.entries(Environment?.Variables ?? {}).reduce(
        (sum, [name, value]) => sum + name.length + (typeof value === 'string' ? value.length : 200),
        0,
      )
      expect([id, size < ENVIRONMENT_BYTES]).toEqual([id, true])
    }
  })

  test('its queues', () => {
    for (const [, { VisibilityTimeout = 30, MessageRetentionPeriod = 345_600 }] of all('AWS::SQS::Queue')) {
      expect(VisibilityTimeout).toBeLessThanOrEqual(SQS_LIMITS.visibility)
      expect(MessageRetentionPeriod).toBeLessThanOrEqual(SQS_LIMITS.retention)
    }
    const functions = new Map(all('AWS::Lambda::Function'))
    const queues = new Map(all('AWS::SQS::Queue'))
    for (const [, { EventSourceArn, FunctionName }] of all('AWS::Lambda::EventSourceMapping')) {
      const queue = queues.get(EventSourceArn['Fn::GetAtt']?.[0])
      if (queue === undefined) continue
      const { Timeout } = functions.get(FunctionName.Ref)!
      expect(queue.VisibilityTimeout).toBeGreaterThanOrEqual(VISIBILITY_FACTOR * Timeout)
    }
  })

  test('each dead-letter queue has one kind of source, and the runbook the command for it', () => {
    const sources = new Map<string, string[]>()
    const add = (target: Properties | undefined, kind: string) => {
      const id = target?.['Fn::GetAtt']?.[0]
      if (id !== undefined) sources.set(id, [...(sources.get(id) ?? []), kind])
    }
    for (const [, { RedrivePolicy }] of all('AWS::SQS::Queue')) add(RedrivePolicy?.deadLetterTargetArn, 'sqs')
    for (const [, { RedrivePolicy }] of all('AWS::SNS::Subscription'))
      add(RedrivePolicy?.deadLetterTargetArn, 'sns')
    for (const [id, kinds] of sources) {
      expect([id, kinds.length]).toEqual([id, 1])
      expect([id, canRedrive(kinds)]).toEqual([id, !id.includes('SubscriptionDeadLetters')])
    }
    expect(sources.size).toBeGreaterThan(1)
  })

  test('its time-outs', () => {
    for (const [id, { Timeout }] of all('AWS::Lambda::Function'))
      if (/RestHandler|VerificationEndpoint/.test(id)) expect(Timeout).toBeLessThan(INTEGRATION_SECONDS)
    const [[, { DistributionConfig }]] = all('AWS::CloudFront::Distribution') as [[string, Properties]]
    for (const { VpcOriginConfig, CustomOriginConfig } of DistributionConfig.Origins)
      expect((VpcOriginConfig ?? CustomOriginConfig)?.OriginReadTimeout ?? 30).toBeLessThanOrEqual(
        READ_TIMEOUT_MAX,
      )
    const cached = DistributionConfig.CustomErrorResponses as Properties[]
    expect(cached.map(({ ErrorCode, ErrorCachingMinTTL }) => [ErrorCode, ErrorCachingMinTTL]).sort()).toEqual(
      CACHED_ERRORS.map((status) => [status, 0]).sort(),
    )
    for (const [, { Type, LoadBalancerAttributes }] of all('AWS::ElasticLoadBalancingV2::LoadBalancer')) {
      if (Type !== 'application') continue
      const idle = LoadBalancerAttributes.find(
        ({ Key }: Properties) => Key === 'idle_timeout.timeout_seconds',
      )
      // KEEP_ALIVE_MS of sse-service/service.ts.
      expect(isKeptLonger(Number(idle.Value), 130_000)).toBe(true)
    }
  })

  test('its policies and routes', () => {
    const forwarding = all('AWS::CloudFront::OriginRequestPolicy')
    expect(forwarding.length).toBeLessThanOrEqual(POLICIES_MAX.originRequest)
    for (const [, { OriginRequestPolicyConfig }] of forwarding)
      expect(OriginRequestPolicyConfig.HeadersConfig.Headers.length).toBeLessThanOrEqual(
        FORWARDED_HEADERS_MAX,
      )
    expect(all('AWS::CloudFront::ResponseHeadersPolicy').length).toBeLessThanOrEqual(
      POLICIES_MAX.responseHeaders,
    )
    expect(all('AWS::ApiGatewayV2::Route').length).toBeLessThanOrEqual(ROUTES_MAX)
  })

  test('names that are unique over all Regions have the Region in them', () => {
    let names = 0
    for (const [type, { property }] of Object.entries(ACCOUNT_WIDE_NAMES))
      for (const [id, properties] of all(type)) {
        const name = property.split('.').reduce((value, key) => value?.[key], properties)
        expect([id, JSON.stringify(name).includes('AWS::Region')]).toEqual([id, true])
        names++
      }
    expect(names).toBeGreaterThan(2)
  })
})

test('a mail is not larger than SES takes (ses/latest/dg/quotas.html)', () => {
  expect(MESSAGE_BYTES).toBeLessThanOrEqual(40 * 1024 * 1024)
})
