import { describe, expect, test } from '@jest/globals'
import { linkPatterns } from '../../reading/lexicon/link-patterns.ts'

/** The expression of one kind for one language with this piece. */
function pattern(piece: string, field: 'confirm' | 'code' = 'confirm'): string {
  return linkPatterns([{ words: {}, otherCodes: {}, links: { [field]: piece } }])[field].latin
}

const says = (piece: string, text: string, field: 'confirm' | 'code' = 'confirm') =>
  new RegExp(pattern(piece, field), 'u').test(text)

describe('a piece that begins with a group is written out, and means the same', () => {
  test.each([
    ['(?:ask|tell) me', ['ask me', 'tell me', 'please tell me'], ['ask', 'tell you', 'task me']],
    ['(?:re-?)?open', ['open', 'reopen', 're-open'], ['ope', 'rereopen']],
    ['(?:(?:my|your) )?name', ['name', 'my name', 'your name'], ['surname']],
    ['(?<!not )(?:go|do)', ['go', 'do', 'so go'], ['not go', 'not do']],
    ['(?!gone)go', ['go', 'going'], ['gone']],
    ['(?:a|b){2}c', ['abc', 'bbc'], ['ac']],
    ['(?:[(]a|b)c', ['bc', '(ac'], ['ac']],
  ])('%s', (piece, yes, no) => {
    for (const text of yes) expect([text, says(piece, text)]).toEqual([text, true])
    for (const text of no) expect([text, says(piece, text)]).toEqual([text, false])
  })

  test('inside of words, too', () => {
    const piece = '\\b(?:code|pin)\\b|(?<!bar)kod|geheim(?:wort|zahl)'
    for (const text of ['my code', 'pin', 'xkod', 'yourgeheimzahl'])
      expect([text, says(piece, text, 'code')]).toEqual([text, true])
    for (const text of ['barkod', 'codes', 'xpin', 'geheimnis'])
      expect([text, says(piece, text, 'code')]).toEqual([text, false])
  })

  test('so that every alternative begins with a letter', () => {
    expect(pattern('(?:ask|tell) me|(?<!not )go')).toMatch(/\(\?:ask me\|tell me\|g\(\?<=\(\?<!not \)g\)o\)$/)
    expect(pattern('(?:aa|bb){2}c')).toMatch(/\(\?:\(\?:aa\|bb\)\{2\}c\)$/)
  })
})
