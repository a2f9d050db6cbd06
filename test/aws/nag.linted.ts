import { expect, test } from '@jest/globals'
import { FULL, IN_VPC, SHARED_RULES, SMTP_FIRST, WEB_FUNCTION } from '../lib/configurations.ts'
import { nagFindings } from '../lib/nag.ts'
import { type SynthOptions, synthesise } from '../lib/synth.ts'

const CONFIGURATIONS: [string, object, SynthOptions][] = [
  ['the smallest configuration', {}, {}],
  ['every option', FULL, {}],
  ['an existing network', IN_VPC, {}],
  ['a web function', WEB_FUNCTION, {}],
  ['a rule set of others', SHARED_RULES, {}],
  ['SMTP first', SMTP_FIRST, {}],
  ['a web ACL of another Region', {}, { props: { webAcl: { stackName: 'Mayfly-WebAcl-eu-west-1' } } }],
  ['a prebuilt image and no pages', {}, { pages: false, props: { image: 'example.test/mayfly:1' } }],
]

test.each(CONFIGURATIONS)(
  'cdk-nag finds nothing against the AWS solutions rules: %s',
  (_, config, options) => {
    expect(nagFindings(synthesise(config, options).app)).toEqual([])
  },
)

test.each(CONFIGURATIONS)(
  'CDK finds no error against its rules for CloudFormation: %s',
  (_, config, options) => {
    expect(() => synthesise(config, { ...options, validate: true })).not.toThrow()
  },
)
