import { describe, expect, test } from '@jest/globals'
import { cut, storable } from '../../../reading/mime/text.ts'

describe('a text that is cut', () => {
  test.each(['', 'abcdef', 'aéb€c😀d', '😀😀😀', '€€€', 'ééé', 'aaa😀', 'a€'])(
    '%j keeps as many whole characters as fit',
    (text) => {
      for (let bytes = 0; bytes <= Buffer.byteLength(text) + 3; bytes++) {
        let expected = ''
        for (const char of text) {
          if (Buffer.byteLength(expected + char) > bytes) break
          expected += char
        }
        expect([bytes, cut(text, bytes)]).toEqual([bytes, expected])
      }
    },
  )
})

test('a text that is stored has no NUL and no half of a character', () => {
  expect(storable('a\0b\0')).toBe('ab')
  expect(storable('a\ud83db\ude00')).toBe('a\ufffdb\ufffd')
  expect(storable('\ud83d\0\ude00')).toBe('😀')
  expect(storable('é😀')).toBe('é😀')
})
