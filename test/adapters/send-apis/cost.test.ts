import { describe, expect, test } from '@jest/globals'
import { Renderer, withRenderBudget } from '../../../adapters/send-apis/render.ts'
import { TEMPLATE_BYTES, TEMPLATE_DATA_BYTES } from '../../../core/limits.ts'
import { type Answered, sendApis } from './in-process.ts'

/** Work whose time is not linear does not end within the time of a test at these sizes. */
const MB = 1024 * 1024
const TO = 'a@mayfly.test'

describe('checking base64 is linear', () => {
  const blanks = ' '.repeat(40 * MB)
  const contents: [name: string, content: string][] = [
    ['blanks and a wrong character', `${blanks}!`],
    ['blanks after the padding', `QQ==${blanks}!`],
    ['a wrong character after digits', `${'A'.repeat(40 * MB)}!`],
    ['padding everywhere', '='.repeat(40 * MB)],
  ]
  const requests: [provider: string, body: (content: string) => [path: string, body: object]][] = [
    [
      'SES',
      (content) => [
        '/ses/v2/email/outbound-emails',
        { FromEmailAddress: TO, Destination: { ToAddresses: [TO] }, Content: { Raw: { Data: content } } },
      ],
    ],
    [
      'Resend',
      (content) => [
        '/resend/emails',
        { from: TO, to: TO, subject: 'x', text: 'x', attachments: [{ content }] },
      ],
    ],
    [
      'SendGrid',
      (content) => [
        '/sendgrid/v3/mail/send',
        {
          personalizations: [{ to: [{ email: TO }] }],
          from: { email: TO },
          subject: 'x',
          content: [{ type: 'text/plain', value: 'x' }],
          attachments: [{ content, filename: 'x' }],
        },
      ],
    ],
    [
      'Postmark',
      (content) => [
        '/postmark/email',
        { From: TO, To: TO, TextBody: 'x', Attachments: [{ Name: 'x', Content: content }] },
      ],
    ],
  ]
  for (const [provider, request] of requests) {
    test.each(contents)(`${provider}: %s`, async (_, content) => {
      const { call } = sendApis({ maxMessageBytes: 40 * MB })
      const { status, text } = await call('POST', ...request(content))
      expect(status).toBeGreaterThanOrEqual(400)
      expect(text).toMatch(/base64/)
    })
  }
})

describe('what templates and substitutions make is at most as large as a message', () => {
  const times = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length))
  const templates: [name: string, source: string, data: Record<string, unknown>][] = [
    ['a large value, often', times('{{b}}', TEMPLATE_BYTES), { b: 'x'.repeat(200_000) }],
    ['text in a loop', `{{#each l}}${'x'.repeat(400_000)}{{/each}}`, { l: Array(50_000).fill(0) }],
    [
      'a literal name in a loop',
      '{{#each l}}{{"b"}}{{/each}}',
      { l: Array(50_000).fill({ b: 'x'.repeat(99) }) },
    ],
    ['a helper', times('{{lookup . "b"}}', TEMPLATE_BYTES), { b: 'x'.repeat(200_000) }],
    ['a partial', `{{#*inline "p"}}{{b}}{{/inline}}${times('{{> p}}', 400_000)}`, { b: 'x'.repeat(200_000) }],
    [
      'an indented partial',
      `{{#*inline "p"}}${'\n'.repeat(5000)}{{/inline}}\n${' '.repeat(100_000)}{{> p}}\n`.repeat(4),
      {},
    ],
  ]

  test.each(templates)('%s', (_, source, data) => {
    const lengthOf = (render: () => string): number => {
      try {
        return withRenderBudget(MB, render).length
      } catch (error) {
        expect((error as Error).message).toMatch(
          /^The rendered template has more than|^Rendering takes longer/,
        )
        return 0
      }
    }
    expect(lengthOf(() => new Renderer().strict(source, data))).toBeLessThanOrEqual(MB)
    expect(lengthOf(() => new Renderer().lenient(source, data, true))).toBeLessThanOrEqual(MB)
  })

  test('the parts of a message count together', () => {
    withRenderBudget(100, () => {
      const renderer = new Renderer()
      renderer.strict('{{x}}', { x: 'x'.repeat(60) })
      expect(() => renderer.strict('{{x}}', { x: 'x'.repeat(60) })).toThrow('more than 100 bytes')
      expect(new Renderer().strict('{{x}}', { x: 'x'.repeat(60) })).toHaveLength(60)
    })
  })

  test('all templates of a request have one second together', () => {
    const list = Array.from({ length: 2000 }, () => 0)
    const source = '{{#each l}}{{#each ../l}}{{#each ../../l}}{{@index}}{{/each}}{{/each}}{{/each}}'
    withRenderBudget(Infinity, () => {
      const late = 'Rendering takes longer than 1000 ms.'
      expect(() => new Renderer().strict(source, { l: list })).toThrow(late)
      // Nothing is left for the next message.
      expect(() => new Renderer().strict('x', {})).toThrow(late)
    })
  })

  const sendgrid = (substitutions: object, value: string) => ({
    personalizations: [{ to: [{ email: TO }], substitutions }],
    from: { email: TO },
    subject: 'x',
    content: [{ type: 'text/plain', value }],
  })

  test('substitutions that grow', async () => {
    const { call, sent } = sendApis()
    const letters = [...'abcdefghijkl']
    const grow = Object.fromEntries(letters.map((c, n) => [c, (letters[n + 1] ?? 'z').repeat(10)]))
    const answer = await call('POST', '/sendgrid/v3/mail/send', sendgrid(grow, 'a'))
    expect([answer.status, sent]).toEqual([400, []])
    expect(answer.text).toContain('The content has more than 1000000 characters')
    expect((await call('POST', '/sendgrid/v3/mail/send', sendgrid({ '-n-': 'Ann' }, 'Hi -n-'))).status).toBe(
      202,
    )
    expect(sent[0]?.raw).toContain('Hi Ann')
  })

  test('many substitutions in a large text', async () => {
    const { call } = sendApis({ maxMessageBytes: 40 * MB })
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`-${n}-`, 'x']))
    const answer = await call('POST', '/sendgrid/v3/mail/send', sendgrid(many, '-'.repeat(10 * MB)))
    expect([answer.status, answer.text.includes('Too many substitutions')]).toEqual([400, true])
  })

  test('recipient variables of Mailgun', async () => {
    const { call, sent } = sendApis()
    const form = new FormData()
    form.set('from', TO)
    form.set('to', TO)
    form.set('subject', 'x')
    form.set('text', '%recipient.a%'.repeat(1000))
    form.set('recipient-variables', JSON.stringify({ [TO]: { a: 'x'.repeat(10_000) } }))
    const answer: Answered = await call('POST', '/mailgun/v3/mayfly.test/messages', form)
    expect([answer.status, sent]).toEqual([400, []])
  })

  test('data of a template that only the provider has', async () => {
    let data: object = { x: 1 }
    for (let n = 0; n < 1000; n++) data = { ['name'.repeat(200)]: data, x: n }
    const { call } = sendApis()
    const template = { id: 't', variables: data }
    const answer = await call('POST', '/resend/emails', { from: TO, to: TO, subject: 'x', template })
    expect([answer.status, answer.json.message]).toEqual([
      422,
      'The data of the template has more than 512000 characters.',
    ])
  })
})

describe('bodies that would become too many values', () => {
  test.each([
    ['lists', '[],'],
    ['objects', '{},'],
    ['texts', '"ab",'],
    ['numbers', '1,'],
  ])('%s', async (_, value) => {
    const { call } = sendApis()
    const body = `[${value.repeat((20 * MB) / value.length)}0]`
    const answer = await call('POST', '/postmark/email/batch', body)
    expect([answer.status, answer.json.Message]).toEqual([413, 'The request body has too many values.'])
  })

  test.each([
    ['/ses', 'a=&'],
    ['/mailgun/v3/d/messages', 'a=&'],
  ])('parameters of %s', async (path, field) => {
    const { call } = sendApis()
    const answer = await call('POST', path, field.repeat(MB))
    expect(answer.text).toContain('too many parameters')
  })

  test('data of an SES template', async () => {
    const { call } = sendApis()
    const answer = await call('POST', '/ses/v2/email/outbound-emails', {
      FromEmailAddress: TO,
      Destination: { ToAddresses: [TO] },
      Content: {
        Template: {
          TemplateContent: { Subject: 'x', Text: 'x' },
          TemplateData: JSON.stringify({ x: 'x'.repeat(TEMPLATE_DATA_BYTES) }),
        },
      },
    })
    expect([answer.status, answer.json.message]).toEqual([
      400,
      'The data of a template has at most 262144 bytes.',
    ])
  })

  test('header fields', async () => {
    const { call } = sendApis()
    const headers = { 'X-Large': 'x'.repeat(2 * MB) }
    const answer = await call('POST', '/resend/emails', {
      from: TO,
      to: TO,
      subject: 'x',
      text: 'x',
      headers,
    })
    expect([answer.status, answer.json.message]).toEqual([
      422,
      'The header fields have more than 1048576 characters.',
    ])
  })
})
