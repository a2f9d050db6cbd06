import { expect, test } from '@jest/globals'
import { checkTemplate } from '../../../adapters/send-apis/render.ts'
import { TEMPLATE_BYTES } from '../../../core/limits.ts'

test('a template is bounded by the bytes of all of its parts, in every script', () => {
  const most = '字'.repeat(Math.floor(TEMPLATE_BYTES / 3) - 1)
  expect(() => checkTemplate(['Hi', most, ''])).not.toThrow()
  expect(() => checkTemplate(['Hi', most, 'Hello'])).toThrow(/at most 512000 bytes/)
})
