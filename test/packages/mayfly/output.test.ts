import { afterEach, expect, jest, test } from '@jest/globals'
import { clean, line, Output } from '../../../packages/mayfly/src/cli/output.ts'

const shown = (code: number) => `U+${code.toString(16).padStart(4, '0')}`

afterEach(() => {
  jest.restoreAllMocks()
})

// Characters that move the cursor or change the direction of the text, and those beside them.
test.each([
  [
    [0x00, 0x08, 0x0b, 0x0c, 0x0d, 0x1f, 0x7f, 0x80, 0x9f],
    [0x09, 0x0a, 0x20, 0x7e, 0xa0],
  ],
  [
    [0x200e, 0x200f],
    [0x200d, 0x2010],
  ],
  [
    [0x202a, 0x202b, 0x202e],
    [0x2029, 0x202f],
  ],
  [
    [0x2066, 0x2069],
    [0x2065, 0x206a],
  ],
])('the characters %j are removed, and %j stay', (removed, kept) => {
  const stays = (code: number) => clean(`a${String.fromCodePoint(code)}b`).length === 3
  expect([...removed, ...kept].filter(stays).map(shown)).toEqual(kept.map(shown))
})

test('a line has no escape sequences, and one space between words', () => {
  expect(line(' a\u001b[31m \r\n\t b\u202e ')).toBe('a b')
})

test.each([true, false])('a hint is printed for a person only: %s', (isTTY) => {
  const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true)
  const before = process.stderr.isTTY
  try {
    Object.assign(process.stderr, { isTTY })
    new Output(false).say('Ctrl-C ends.')
  } finally {
    Object.assign(process.stderr, { isTTY: before })
  }
  expect(written.mock.calls).toEqual(isTTY ? [['Ctrl-C ends.\n']] : [])
})
