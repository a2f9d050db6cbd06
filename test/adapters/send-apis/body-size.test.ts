import { describe, expect, test } from '@jest/globals'
import { checkFormSize, checkJsonSize } from '../../../adapters/send-apis/body-size.ts'

const MB = 1024 * 1024
/** White space above the size from which a body is checked. */
const LARGE = ' '.repeat(MB)

describe('a JSON body', () => {
  const check = (text: string) => () => checkJsonSize(Buffer.from(text))

  test.each([
    ['lists', '[', 500_000],
    ['objects', '{', 500_000],
    ['texts', '"a"', 1_000_000],
    ['texts with quotes and separators in them', '"\\"[,{"', 1_000_000],
    ['numbers', '1,', 8_000_000],
  ])('has at most as many %s as can be parsed', (_, value, most) => {
    expect(check(LARGE + value.repeat(most))).not.toThrow()
    expect(check(LARGE + value.repeat(most + 1))).toThrow('too many values')
  })

  test('lists and objects count together', () => {
    expect(check(LARGE + '[{'.repeat(250_000))).not.toThrow()
    expect(check(`${LARGE}[${'[{'.repeat(250_000)}`)).toThrow('too many values')
  })

  test('of a megabyte is not checked', () => {
    expect(check('['.repeat(MB))).not.toThrow()
    expect(check('['.repeat(MB + 1))).toThrow('too many values')
  })

  test('with a text that does not end is for the parser to refuse', () => {
    expect(check(`${LARGE}"\\`)).not.toThrow()
  })
})

test.each(['&', '; name='])('a form has at most 10,000 separators %j', (separator) => {
  const check = (fields: number) => () => checkFormSize(Buffer.from(separator.repeat(fields)), separator)
  expect(check(10_000)).not.toThrow()
  expect(check(10_001)).toThrow('too many parameters')
})
