import { expect, test } from '@jest/globals'
import { foldable, hasLongLine } from '../../../adapters/send-apis/lines.ts'

const WORD = 'x'.repeat(801)

test.each(
  'Content-Disposition Content-ID Date In-Reply-To Message-ID OTP-Token References Reply-To Sender'.split(
    ' ',
  ),
)('a long word of %s stays as it is: an encoded word would not be text there', (name) => {
  expect([foldable(name, WORD), foldable(name.toLowerCase(), WORD)]).toEqual([WORD, WORD])
})

test.each(['Subject', 'X-Own', 'Comments'])('a long word of %s is encoded', (name) => {
  expect(foldable(name, WORD)).toMatchObject({ prepared: true, foldLines: true })
  expect(foldable(name, `Hello ${WORD}`)).toMatchObject({ prepared: true })
})

test('a word that a line has room for is not encoded', () => {
  const words = `${'x'.repeat(800)} ${'y'.repeat(800)}\t${'z'.repeat(800)}`
  expect(foldable('Subject', words)).toBe(words)
})

test.each([
  ['x'.repeat(998), false],
  ['x'.repeat(999), true],
  [`${'x'.repeat(998)}\r\n`, false],
  [`${'x'.repeat(999)}\r\n`, true],
  [`x\r\n${'x'.repeat(998)}\r\nx`, false],
  [`x\r\n${'x'.repeat(999)}\r\nx`, true],
  [`${'x\r\n'.repeat(1000)}${'x'.repeat(999)}`, true],
  [`${'x\r\n'.repeat(1000)}`, false],
  ['', false],
])('a line is too long above 998 bytes without its end: %#', (content, isLong) => {
  expect(hasLongLine(Buffer.from(content))).toBe(isLong)
  // A view into a larger buffer.
  expect(hasLongLine(Buffer.from(`${'y'.repeat(2000)}${content}`).subarray(2000))).toBe(isLong)
})
