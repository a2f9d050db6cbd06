import { expect, test } from '@jest/globals'
import { LineEnds } from '../../../reading/mime/line-ends.ts'
import { decoded } from './in-chunks.ts'

test.each([
  ['a\r\nb\rc\r\n', 'a\r\nb\rc\r\n'],
  ['a\nb\rc\r', 'a\nb\rc\r'],
  ['abc', 'abc'],
  ['', ''],
  // A bare carriage return at the end of the first line: those of old Macintosh programs.
  ['a\rb\rc', 'a\nb\nc'],
  ['a\rb\r', 'a\nb\n'],
  ['a\rb\r\nc\nd\r', 'a\nb\r\nc\nd\n'],
  ['a\r\rb\r\r\n', 'a\n\nb\n\r\n'],
  ['\ra', '\na'],
  ['a\r', 'a\r'],
  ['\r', '\r'],
  ['a\r\rb', 'a\n\nb'],
  // Two carriage returns before each line feed.
  ['a\r\r\n', 'a\r\n'],
  ['a\r\r\n\r\r\nb\r\nc\rd\r\r\r\n', 'a\r\n\r\nb\r\nc\rd\r\r\n'],
  ['a\r\nb\r\r\n', 'a\r\nb\r\r\n'],
  ['a\r\r', 'a\r\r'],
  ['\r\na\rb', '\r\na\rb'],
  ['a longer first line\rb', 'a longer first line\nb'],
  // The byte order mark of UTF-8.
  ['\xef\xbb\xbfa\n', 'a\n'],
  ['\xef\xbb\xbfa\rb', 'a\nb'],
  ['\xef\xbb\xbf', ''],
  ['\xef\xbb\xbf\xef\xbb\xbfa', '\xef\xbb\xbfa'],
  ['\xef\xbb', '\xef\xbb'],
  ['\xef', '\xef'],
  ['\xef\xbb\xbea', '\xef\xbb\xbea'],
  ['a\xef\xbb\xbf', 'a\xef\xbb\xbf'],
])('%j becomes %j', (raw, expected) => {
  expect(decoded(() => new LineEnds(), Buffer.from(raw, 'latin1'))).toBe(expected)
})

test('bytes are passed on as they arrive', () => {
  const lineEnds = new LineEnds()
  const passed = ['a', 'b\r', '\nc', 'd\r', 'e'].map((chunk) => lineEnds.write(Buffer.from(chunk)).toString())
  expect(passed).toEqual(['a', 'b', '\r\nc', 'd\r', 'e'])
  const old = new LineEnds()
  expect(['a\rb', 'c\r', 'd'].map((chunk) => old.write(Buffer.from(chunk)).toString())).toEqual([
    'a\nb',
    'c',
    '\nd',
  ])
})
