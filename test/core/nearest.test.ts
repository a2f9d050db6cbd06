import { expect, test } from '@jest/globals'
import { nearest, unknownName } from '../../core/nearest.ts'

test.each([
  ['wait', ['code', 'wait'], 'wait'],
  ['lst', ['show', 'list'], 'list'],
  ['listt', ['show', 'list'], 'list'],
  ['lost', ['show', 'list'], 'list'],
  ['ab', ['ba', 'b'], 'b'],
  ['ab', ['abcd', 'a'], 'a'],
  // An insertion, a deletion and a substitution cost the same: the first one wins.
  ['ab', ['a', 'abc', 'ax'], 'a'],
  ['ab', ['ax', 'abc', 'a'], 'ax'],
  ['', ['abc', 'ab'], 'ab'],
  ['abcdef', ['uvwxyz', ''], 'uvwxyz'],
  ['abcdefgh', ['xbxdxfxh', 'axcdefgx'], 'axcdefgx'],
  [`${'a'.repeat(100)}bcd`, [`${'a'.repeat(99)}x`, 'a'.repeat(100)], 'a'.repeat(100)],
  ['a', [], undefined],
])('of %j and %j the nearest is %j', (name, candidates, expected) => {
  expect(nearest(name, candidates)).toBe(expected)
})

test.each([
  ['lmit', '"lmit" is not known here; the nearest known name is "limit"'],
  ['lim', '"lim" is not known here; the nearest known name is "limit"'],
  // The nearest one would be "since".
  ['search', '"search" is not known here; known are limit, since, q'],
])('an unknown name %s: %s', (name, sentence) => {
  expect(unknownName(name, ['limit', 'since', 'q'])).toBe(sentence)
})
