import { expect, test } from '@jest/globals'
import { FULL, WEB_FUNCTION } from './configurations.ts'
import { synthesise } from './synth.ts'

/** The longest name that a stack may have. */
const STACK_NAME = 's'.repeat(40)
const LONGEST_REGION = 'ap-southeast-3'

/** The names that a stack gives, and the most characters that each service accepts. */
const NAMES: [type: string, property: string, most: number][] = [
  ['AWS::ApiGatewayV2::Api', 'Name', 128],
  ['AWS::CloudFront::Function', 'Name', 64],
  ['AWS::CloudFront::OriginAccessControl', 'OriginAccessControlConfig.Name', 64],
  ['AWS::CloudFront::OriginRequestPolicy', 'OriginRequestPolicyConfig.Name', 128],
  ['AWS::CloudFront::ResponseHeadersPolicy', 'ResponseHeadersPolicyConfig.Name', 128],
  ['AWS::CloudFront::VpcOrigin', 'VpcOriginEndpointConfig.Name', 64],
  ['AWS::ElastiCache::ServerlessCache', 'ServerlessCacheName', 40],
  ['AWS::Events::EventBus', 'Name', 256],
  ['AWS::Lambda::WebFunction', 'FunctionName', 64],
  ['AWS::SES::ReceiptRuleSet', 'RuleSetName', 64],
]

/** The names of all resources of a type in both kinds of stacks, in the Region with the longest name. */
function namesOf(type: string, property: string): string[] {
  return [FULL, WEB_FUNCTION].flatMap((config) =>
    Object.values(synthesise({ ...config, stackName: STACK_NAME }, { hasTarget: true }).all(type)).flatMap(
      (properties) => {
        // biome-ignore lint/suspicious/noExplicitAny: the properties of a template have any shape
        const name = property.split('.').reduce((value: any, key) => value?.[key], properties)
        return name === undefined ? [] : [textOf(name)]
      },
    ),
  )
}

function textOf(
  name: string | { Ref: string } | { 'Fn::Join': [string, (string | { Ref: string })[]] },
): string {
  if (typeof name === 'string') return name
  if ('Ref' in name) return name.Ref === 'AWS::Region' ? LONGEST_REGION : name.Ref
  const [separator, parts] = name['Fn::Join']
  return parts.map(textOf).join(separator)
}

test.each(NAMES)('%s: %s has at most %d characters', (type, property, most) => {
  const names = namesOf(type, property)
  expect(names).not.toEqual([])
  expect(names.filter((name) => name.length > most)).toEqual([])
})
