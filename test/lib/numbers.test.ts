import { describe, expect, test } from '@jest/globals'
import { DEFAULT_NUMBERS, FULL_NUMBERS, WEB_FUNCTION_NUMBERS } from './numbers.ts'
import { numbersOf } from './numbers-of.ts'
import { FULL, synthesise, WEB_FUNCTION } from './synth.ts'

describe.each([
  ['the smallest configuration', {}, DEFAULT_NUMBERS],
  ['every option', FULL, { ...DEFAULT_NUMBERS, ...FULL_NUMBERS }],
  ['a web function', WEB_FUNCTION, { ...DEFAULT_NUMBERS, ...WEB_FUNCTION_NUMBERS }],
])('the numbers of the stack with %s', (_, config, expected) => {
  test.each(Object.entries(expected))('%s', (kind, numbers) => {
    expect(numbersOf(synthesise(config))[kind]).toEqual(numbers)
  })

  test('there are no other kinds of numbers', () => {
    expect(Object.keys(numbersOf(synthesise(config))).sort()).toEqual(Object.keys(expected).sort())
  })
})
