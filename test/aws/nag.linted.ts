import { expect, test } from '@jest/globals'
import { FULL, IN_VPC, WEB_FUNCTION } from '../lib/configurations.ts'
import { nagFindings } from '../lib/nag.ts'
import { type SynthOptions, synthesise } from '../lib/synth.ts'

const CONFIGURATIONS: [string, object, SynthOptions][] = [
  ['the smallest configuration', {}, {}],
  ['every option', FULL, {}],
  ['an existing network', IN_VPC, {}],
  ['a web function', WEB_FUNCTION, {}],
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
