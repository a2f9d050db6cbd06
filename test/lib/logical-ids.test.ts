import { expect, test } from '@jest/globals'
import { FULL, synthesise } from './synth.ts'

/**
 * Resources that hold data, or a name that others rely on, with their logical ids of version 0.2.0. CloudFormation
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

test.each(Object.entries(PINNED))('%s keeps the logical ids of version 0.2.0', (type, ids) => {
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
