import { expect, test } from '@jest/globals'
import { AwsSolutionsChecks } from 'cdk-nag'
import { FULL, synthesise } from '../lib/synth.ts'

/** Exceptions stand where the resource is made, each with its reason. */
test.each([
  ['the smallest configuration', {}, {}],
  ['every option', FULL, {}],
  ['a prebuilt image and no pages', {}, { pages: false, image: 'example.test/mayfly:1' }],
])(
  'cdk-nag finds nothing against the AWS solutions rules: %s',
  (_, config, options) => {
    const { app } = synthesise(config, options)
    const findings = new AwsSolutionsChecks()
      .validateScope(app)
      .violations.flatMap(({ ruleName, violatingResources }) =>
        violatingResources.map(({ constructPath }) => `${ruleName} ${constructPath}`),
      )
    expect(findings).toEqual([])
  },
  60_000,
)
