import { describe, expect, test } from '@jest/globals'
import { parseMailbox, parseMailboxes } from '../../../adapters/send-apis/mailboxes.ts'
import { copiesAtOnce } from '../../../adapters/send-apis/message.ts'
import { RawMessage } from '../../../adapters/send-apis/raw-message.ts'
import { Renderer } from '../../../adapters/send-apis/render.ts'
import { parseQueryForm, xmlOf } from '../../../adapters/send-apis/ses/query.ts'

describe('mailboxes', () => {
  test.each([
    ['ann@example.com', [{ name: '', address: 'ann@example.com' }]],
    [
      '"Doe, Ann" <ann@example.com>, bob@example.com',
      [
        { name: 'Doe, Ann', address: 'ann@example.com' },
        { name: '', address: 'bob@example.com' },
      ],
    ],
    ['=?UTF-8?B?SsO8cmdlbg==?= <j@example.com>', [{ name: 'Jürgen', address: 'j@example.com' }]],
    [
      '=?utf-8?q?J=C3=BCrgen_?= =?utf-8?q?Gr=C3=B6=C3=9Fe?= <j@example.com>',
      [{ name: 'Jürgen Größe', address: 'j@example.com' }],
    ],
    ['=?x-unknown?q?abc?= <j@example.com>', [{ name: '=?x-unknown?q?abc?=', address: 'j@example.com' }]],
    [
      'Team: ann@example.com, bob@example.com;',
      [
        { name: '', address: 'ann@example.com' },
        { name: '', address: 'bob@example.com' },
      ],
    ],
    ['', []],
  ])('%s', (text, mailboxes) => {
    expect(parseMailboxes(text)).toEqual(mailboxes)
  })

  test.each(['Ann', '<>', '@example.com', 'ann@'])('%j is refused', (text) => {
    expect(() => parseMailbox(text)).toThrow('Invalid email address')
  })

  test('two mailboxes are rejected where one is expected', () => {
    expect(() => parseMailbox('a@example.com, b@example.com')).toThrow('Invalid email address')
  })
})

describe('raw messages', () => {
  const prepared = async (text: string) =>
    Buffer.from(
      await new RawMessage(Buffer.from(text, 'latin1')).prepare('id', '', []).raw(1_000_000),
    ).toString('latin1')

  test.each([
    ['From: a\r\nBcc: b\r\n c\r\nTo: d\r\n\r\nBcc: body', 'From: a\r\nTo: d\r\n\r\nBcc: body'],
    ['bcc : b\nFrom: a\n\nx', 'From: a\n\nx'],
    ['From: a\r\nBCC: b\r\nBcc:\r\n\r\n', 'From: a\r\n\r\n'],
    ['From: a\r\nBcc: b', 'From: a\r\n'],
    ['From: a\r\nX-Bcc: b\r\n\r\n\xff', 'From: a\r\nX-Bcc: b\r\n\r\n\xff'],
    ['From: a\r\nnot a field\r\nBcc: body\r\n', 'From: a\r\nnot a field\r\nBcc: body\r\n'],
  ])('%j becomes %j with its id', async (text, rest) => {
    expect(await prepared(text)).toBe(`X-Mayfly-Send-Id: id\r\n${rest}`)
  })

  test('a message may have the maximum size with its id, and no byte more', async () => {
    const text = 'From: a\r\n\r\nx'
    const size = Buffer.byteLength(`X-Mayfly-Send-Id: id\r\n${text}`)
    const { raw } = new RawMessage(Buffer.from(text)).prepare('id', '', [])
    expect(await raw(size)).toHaveLength(size)
    await expect(raw(size - 1)).rejects.toMatchObject({ kind: 'too_large' })
  })

  test('recipients of folded and repeated fields', () => {
    const raw = new RawMessage(
      Buffer.from(
        'From: "A" <a@example.com>\r\nTo: b@example.com,\r\n c@example.com\r\nTo: d@example.com\r\nBcc: e@example.com\r\n\r\n',
      ),
    )
    expect(raw.sender).toBe('a@example.com')
    expect(raw.recipients).toEqual(['b@example.com', 'c@example.com', 'd@example.com', 'e@example.com'])
  })
})

describe('templates', () => {
  test.each([
    ['{{name}} {{{name}}}', { name: '<b>' }, '<b> <b>'],
    ['{{a.b.[0]}}', { a: { b: ['x'] } }, 'x'],
    [
      '{{#each list}}{{name}}{{#unless @last}}, {{/unless}}{{/each}}',
      { list: [{ name: 'a' }, { name: 'b' }] },
      'a, b',
    ],
    ['{{#if missing}}x{{else}}y{{/if}}', {}, 'y'],
    ['{{#with user}}{{name}}{{/with}}', { user: { name: 'Ann' } }, 'Ann'],
    ['{{#*inline "p"}}<{{x}}>{{/inline}}{{> p}}', { x: 1 }, '<1>'],
    ['{{#list}}{{.}}{{/list}}', { list: [1, 2] }, '12'],
    // No attribute of the data, so it may be absent.
    ['{{@index}}x', {}, 'x'],
    ['{{empty}}{{zero}}{{no}}', { empty: '', zero: 0, no: null }, '0'],
  ])('%s', (source, data, text) => {
    expect(new Renderer().strict(source, data)).toBe(text)
  })

  test.each(['{{name}}', '{{a.b}}', '{{#each list}}{{name}}{{/each}}', '{{constructor}}', '{{__proto__.x}}'])(
    '%s with an absent attribute is refused',
    (source) => {
      expect(() => new Renderer().strict(source, { a: {}, list: [{}] })).toThrow(
        'is not present in the rendering data',
      )
    },
  )

  test('a lenient template has empty text for absent values and escapes HTML', () => {
    expect(new Renderer().lenient('[{{name}}] {{x}}', { x: '<&>' }, true)).toBe('[] &lt;&amp;&gt;')
    expect(new Renderer().lenient('{{x}}', { x: '<&>' }, false)).toBe('<&>')
  })

  test.each(['{{#each list}}{{#each ../list}}{{#each ../../list}}{{@index}}{{/each}}{{/each}}{{/each}}'])(
    'a template that takes too long is interrupted',
    (source) => {
      const list = Array.from({ length: 2000 }, () => 0)
      expect(() => new Renderer().strict(source, { list })).toThrow('Rendering takes longer than')
    },
  )
})

describe('copies of one message', () => {
  const mail = (bytes: number) => ({
    attachments: [{ filename: 'a', contentType: undefined, content: new Uint8Array(bytes) }],
    text: 'x',
    html: undefined,
  })

  test('small copies are built concurrently, large ones one after the other', () => {
    expect(copiesAtOnce(1000, mail(1000))).toBe(16)
    expect(copiesAtOnce(3, mail(2_000_000))).toBe(1)
  })

  test('too many large copies are rejected', () => {
    expect(() => copiesAtOnce(1000, mail(1_000_000))).toThrow('1000 messages of 1000001 bytes')
    const alternatives = [{ contentType: 'text/calendar', content: 'x'.repeat(1_000_000) }]
    expect(() => copiesAtOnce(1000, { ...mail(0), alternatives })).toThrow('1000 messages of 1000001 bytes')
  })
})

describe('the query protocol', () => {
  test('lists and structures', () => {
    expect(
      parseQueryForm('Action=X&A.member.2=b&A.member.1=a&A.member.10=c&B.C.D=e+f&L.member.1.Name=n&Empty='),
    ).toEqual({ Action: 'X', A: ['a', 'b', 'c'], B: { C: { D: 'e f' } }, L: [{ Name: 'n' }], Empty: '' })
  })

  test('too deep parameters are refused', () => {
    expect(() => parseQueryForm('a.b.c.d.e.f.g.h.i.j.k=1')).toThrow('nested too deeply')
  })

  test('XML', () => {
    expect(xmlOf({ A: { B: 'x < & > y', C: undefined, L: ['1', { N: 2 }] } })).toBe(
      '<A><B>x &lt; &amp; &gt; y</B><L><member>1</member><member><N>2</N></member></L></A>',
    )
    expect(xmlOf('a\u0000b\r\n')).toBe('ab&#13;\n')
  })
})
