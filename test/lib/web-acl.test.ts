import { describe, expect, test } from '@jest/globals'
import { App, Stack } from 'aws-cdk-lib'
import { Match, Template } from 'aws-cdk-lib/assertions'
import { WebAclStack } from '../../lib/api/web-acl-stack.ts'
import { readConfig } from '../../lib/config/config.ts'
import { Mayfly } from '../../lib/mayfly.ts'
import { nagFindings } from './nag.ts'
import { ARTIFACTS, type Properties } from './synth.ts'

const CONFIG = { stackName: 'Mailbox', webAcl: { requestsPerFiveMinutes: 500 } }
const ARN = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/company/0000-11'

describe('which deployment has a stack in us-east-1', () => {
  test.each([
    [CONFIG, 'eu-west-1', { name: 'Mailbox-WebAcl-eu-west-1', requestsPerFiveMinutes: 500 }],
    [{ webAcl: {} }, 'eu-north-1', { name: 'Mayfly-WebAcl-eu-north-1', requestsPerFiveMinutes: undefined }],
    [CONFIG, 'us-east-1', undefined],
    [CONFIG, undefined, undefined],
    [{ webAcl: { arn: ARN } }, 'eu-west-1', undefined],
    [{}, 'eu-west-1', undefined],
  ])('%j in %s: %j', (config, region, stack) => {
    const inbound = ['smtp']
    expect(readConfig({ ...config, inbound }, region).webAclStack).toEqual(stack)
  })
})

describe('a web ACL outside us-east-1', () => {
  const { webAclStack, props } = readConfig(CONFIG, 'eu-west-1')
  const app = new App()
  const stack = new Stack(app, CONFIG.stackName)
  const { name, requestsPerFiveMinutes } = webAclStack!
  const aclStack = new WebAclStack(app, name, { reader: stack, requestsPerFiveMinutes })
  new Mayfly(stack, 'Mayfly', props(stack), ARTIFACTS)
  const template = Template.fromStack(stack)
  const one = (type: string) => {
    const [found, ...others] = Object.entries(template.findResources(type))
    expect(others).toEqual([])
    return found as [id: string, resource: Properties]
  }

  test('is created by a stack in us-east-1, which has its ARN as its only output', () => {
    expect(aclStack.region).toBe('us-east-1')
    const acl = Template.fromStack(aclStack)
    acl.hasResourceProperties('AWS::WAFv2::WebACL', {
      Scope: 'CLOUDFRONT',
      Rules: [Match.objectLike({ Statement: { RateBasedStatement: Match.objectLike({ Limit: 500 }) } })],
    })
    const [id] = Object.keys(acl.findResources('AWS::WAFv2::WebACL'))
    const outputs = Object.values(acl.findOutputs('*')).map(({ Value }) => Value)
    expect(outputs).toEqual([{ 'Fn::GetAtt': [id, 'Arn'] }])
  })

  test('protects the distribution, which reads that output', () => {
    expect(template.findResources('AWS::WAFv2::WebACL')).toEqual({})
    const [id, { Properties: lookup }] = one('Custom::StackOutput')
    expect(JSON.parse(lookup.Create)).toMatchObject({
      service: 'CloudFormation',
      action: 'describeStacks',
      region: 'us-east-1',
      parameters: { StackName: 'Mailbox-WebAcl-eu-west-1' },
      outputPaths: ['Stacks.0.Outputs.0.OutputValue'],
    })
    const [, { Properties: distribution }] = one('AWS::CloudFront::Distribution')
    const output = { 'Fn::GetAtt': [id, 'Stacks.0.Outputs.0.OutputValue'] }
    expect(distribution.DistributionConfig.WebACLId).toEqual(output)
  })

  test('exists before the stack that reads it', () => {
    const { stacks } = app.synth()
    const reader = stacks.find(({ stackName }) => stackName === 'Mailbox')!
    expect(reader.dependencies.map(({ id }) => id)).toContain('Mailbox-WebAcl-eu-west-1')
  })

  test('has no finding of cdk-nag', () => {
    expect(nagFindings(app)).toEqual([])
  })
})
