import { describe, expect, test } from '@jest/globals'
import { transferOf } from '../../../reading/mime/part-header.ts'
import { TextPart } from '../../../reading/mime/text-part.ts'
import { CHUNK_SIZES, chunksOf } from './in-chunks.ts'

/** Reads HTML of one character per byte, in chunks of several sizes. */
function read(html: string, parameters: [string, string][] = []): string {
  const results = CHUNK_SIZES.map((size) => {
    const part = new TextPart(true, new Map(parameters), transferOf('8bit', true), {
      unknownCharsetsLeft: 20,
    })
    for (const chunk of chunksOf(Buffer.from(html, 'latin1'), size)) part.write(chunk)
    return part.takeText()
  })
  for (const result of results) expect(result).toBe(results[0])
  return results[0]!
}

describe('the charset that HTML names', () => {
  test.each([
    ['<meta charset=iso-8859-2>', '\xb9', 'š'],
    ['<META CHARSET = "iso-8859-2">', '\xb9', 'š'],
    ["<meta charset\t=\t' iso-8859-2'>", '\xb9', 'š'],
    ['<meta http-equiv="Content-Type" content="text/html;charset=iso-8859-2">', '\xb9', 'š'],
    ['<metacharset=iso-8859-2>', '\xb9', 'š'],
    ['<meta><p charset=iso-8859-2>', '\xb9', '¹'],
    ['<p charset=iso-8859-2>', '\xb9', '¹'],
    [`<meta ${'x'.repeat(499)}charset=iso-8859-2>`, '\xb9', 'š'],
    [`<meta ${'x'.repeat(500)}charset=iso-8859-2>`, '\xb9', '¹'],
    // HTML that is read so far is not UTF-16.
    ['<meta charset=utf-16>', '\xe9', '\ufffd'],
    ['<meta charset=UTF16>', '\xe9', '\ufffd'],
    ['<meta charset=utf-16le>', '\xe9', '\ufffd'],
    ['<meta charset=utf-32>', '\xe9', '\ufffd'],
    ['<meta charset=x-utf-16>', '\xe9', 'é'],
    ['<meta charset=utf-8>', '\xe9', '\ufffd'],
    ['', '\xe9', 'é'],
  ])('%s', (meta, bytes, expected) => {
    expect(read(meta + bytes)).toBe(meta + expected)
    expect(read(meta + bytes, [['charset', 'us-ascii']])).toBe(meta + expected)
    expect(read(`${meta}${bytes}${'x'.repeat(2000)}`)).toBe(`${meta}${expected}${'x'.repeat(2000)}`)
  })

  test('within the first 1024 bytes', () => {
    const html = (end: number) => `${'<meta charset=iso-8859-2'.padStart(end, ' ')}>\n`
    expect(read(`${html(1024)}\xb9`)).toBe(`${html(1024)}š`)
    // It ends with "iso-8859-", which is no charset.
    expect(read(`${html(1025)}\xb9`)).toBe(`${html(1025)}¹`)
  })

  test('the header takes precedence', () => {
    const meta = '<meta charset=iso-8859-2>'
    expect(read(`${meta}\xb9`, [['charset', 'iso-8859-1']])).toBe(`${meta}¹`)
  })
})
