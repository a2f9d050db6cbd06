import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { containsWords, parseQuery, queryParameters, toggleHas } from '../../web/inbox/query.ts'
import { email } from './email.ts'

const HAS_HINT = 'has: takes code, link, action_link, attachment.'

describe('the search field', () => {
  test.each([
    ['', { words: [], without: [] }],
    ['code Acme', { words: ['code', 'acme'], without: [] }],
    [
      'from:linear subject:"two words" has:code',
      { from: 'linear', subject: 'two words', has: 'code', words: [], without: [] },
    ],
    ['"one phrase" more', { words: ['one phrase', 'more'], without: [] }],
    ['has:nothing', { words: ['has:nothing'], without: [], hint: HAS_HINT }],
    [
      'cc:x',
      {
        words: ['cc:x'],
        without: [],
        hint: expect.stringMatching(
          /^cc: is not a filter\. There are from:, .*has:, and a minus leaves out a word\.$/,
        ),
      },
    ],
    ['HAS:Nothing', { words: ['has:nothing'], without: [], hint: HAS_HINT }],
    ['CC:x', { words: ['cc:x'], without: [], hint: expect.stringMatching(/^cc: is not a filter\./) }],
    [
      'abcdefghijkl:x',
      { words: ['abcdefghijkl:x'], without: [], hint: expect.stringContaining('not a filter') },
    ],
    // Only a word of at most 12 letters is an attempt at a filter.
    ['abcdefghijklm:x', { words: ['abcdefghijklm:x'], without: [] }],
    ['https://x.example', { words: ['https://x.example'], without: [] }],
    ['a -B -"two words" - c-d', { words: ['a', '-', 'c-d'], without: ['b', 'two words'] }],
    ['has:Attachments', { has: 'attachment', words: [], without: [] }],
    ['from: x', { words: ['x'], without: [] }],
    ['from:', { words: [], without: [] }],
    ['FROM:', { words: [], without: [] }],
    ['"from:"', { words: ['from:'], without: [] }],
    ['"open quote', { words: ['open quote'], without: [] }],
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
    for (const text of ['code globex', 'code -acme', '-482913']) {
      expect([text, containsWords(parseQuery(text), mail)]).toEqual([text, false])
    }
    expect(containsWords(parseQuery('code -globex'), mail)).toBe(true)
  })

  test('a chip adds, replaces and removes has:', () => {
    expect(toggleHas('acme', 'code')).toBe('acme has:code')
    expect(toggleHas('acme has:code', 'attachment')).toBe('acme has:attachment')
    expect(toggleHas('has:code acme', 'code')).toBe('acme')
    expect(toggleHas('HAS:code acme', 'code')).toBe('acme')
    expect(toggleHas('acme has:', 'code')).toBe('acme has:code')
  })
})
