import { expect, test } from '@jest/globals'
import { nagFindings } from '../lib/nag.ts'
import { FULL, IN_VPC, synthesise, WEB_FUNCTION } from '../lib/synth.ts'

test.each([
  ['the smallest configuration', {}, {}],
  ['every option', FULL, {}],
  ['an existing network', IN_VPC, {}],
  ['a web function', WEB_FUNCTION, {}],
  ['a prebuilt image and no pages', {}, { pages: false, image: 'example.test/mayfly:1' }],
])('cdk-nag finds nothing against the AWS solutions rules: %s', (_, config, options) => {
  expect(nagFindings(synthesise(config, options).app)).toEqual([])
})
