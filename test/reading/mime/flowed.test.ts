import { describe, expect, test } from '@jest/globals'
import { joinFlowed } from '../../../reading/mime/flowed.ts'

describe('paragraphs of format=flowed (RFC 3676)', () => {
  test.each([
    ['a \nb', 'a b', 'ab'],
    ['a \nb \nc\nd', 'a b c\nd', 'abc\nd'],
    ['a \n\nb', 'a \nb', 'a\nb'],
    ['a ', 'a ', 'a'],
    ['a \n', 'a ', 'a'],
    ['a\n', 'a\n', 'a\n'],
    ['', '', ''],
    // A blank before a line is no part of it (section 4.4).
    [' a', 'a', 'a'],
    ['  a', ' a', ' a'],
    [' > a', '> a', '> a'],
    ['a \n b', 'a b', 'ab'],
    ['a \n  b', 'a  b', 'a b'],
    [' \nb', '\nb', '\nb'],
    ['  \nb', ' b', 'b'],
    // Quotes (section 4.5).
    ['> a \n> b', '> a b', '> ab'],
    ['>a \n>b', '> a b', '> ab'],
    ['>> a \n>> b \n>c', '>> a b \n> c', '>> ab\n> c'],
    ['> a \nb', '> a \nb', '> a\nb'],
    ['a \n> b', 'a \n> b', 'a\n> b'],
    ['>a', '> a', '> a'],
    ['>', '> ', '> '],
    ['> ', '> ', '> '],
    ['>\n>a', '> \n> a', '> \n> a'],
    // A signature (section 4.3).
    ['-- \nb', '-- \nb', '-- \nb'],
    ['a \n-- \nb', 'a \n-- \nb', 'a\n-- \nb'],
    ['>-- \n>b', '> -- \n> b', '> -- \n> b'],
    ['> a \n> -- \n> b', '> a \n> -- \n> b', '> a\n> -- \n> b'],
    ['--- \nb', '--- b', '---b'],
    ['-- x \nb', '-- x b', '-- xb'],
    ['-x \nb', '-x b', '-xb'],
    ['--\nb', '--\nb', '--\nb'],
  ])('%j', (text, expected, withoutBlanks) => {
    expect(joinFlowed(text, false)).toBe(expected)
    expect(joinFlowed(text, true)).toBe(withoutBlanks)
  })
})
