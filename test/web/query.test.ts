import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { containsWords, parseQuery, queryParameters, toggleHas } from '../../web/inbox/query.ts'
import { email } from './email.ts'

describe('the search field', () => {
  test.each([
    ['', { words: [] }],
    ['code Acme', { words: ['code', 'acme'] }],
    [
      'from:linear subject:"two words" has:code',
      { from: 'linear', subject: 'two words', has: 'code', words: [] },
    ],
    ['"one phrase" more', { words: ['one phrase', 'more'] }],
    ['has:nothing', { words: ['has:nothing'] }],
    ['has:Attachments', { has: 'attachment', words: [] }],
    ['from: x', { words: ['x'] }],
    ['from:', { words: [] }],
    ['"from:"', { words: ['from:'] }],
    ['"open quote', { words: ['open quote'] }],
  ])('%j', (text, expected) => {
    expect(parseQuery(text)).toEqual(expected)
  })

  test('any text is accepted', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseQuery(text).words).not.toContain('')
      }),
    )
  })

  test('the service searches for the longest word', () => {
    expect(queryParameters(parseQuery('from:a your Verification has:code'))).toEqual({
      from: 'a',
      has: 'code',
      q: 'verification',
    })
    expect(queryParameters(parseQuery('has:link'))).toEqual({ has: 'link' })
  })

  test('words match in any order and in any field', () => {
    const mail = email('1', {
      subject: 'Your Acme verification code',
      body_text: 'It is 482913',
      codes: ['482913'],
    })
    for (const text of ['code acme', 'acme 482913', 'sender@example.org code', 'CODE your']) {
      expect([text, containsWords(parseQuery(text), mail)]).toEqual([text, true])
    }
    expect(containsWords(parseQuery('code globex'), mail)).toBe(false)
  })

  test('a chip adds, replaces and removes has:', () => {
    expect(toggleHas('acme', 'code')).toBe('acme has:code')
    expect(toggleHas('acme has:code', 'attachment')).toBe('acme has:attachment')
    expect(toggleHas('has:code acme', 'code')).toBe('acme')
  })
})
