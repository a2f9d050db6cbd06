import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { FILTER_NAMES } from '../../../core/inbox/filter.ts'
import { type Mailbox, startMailbox, WELCOME } from './mailbox.ts'
import type { Outcome } from './run-commands.ts'

/** The expected output: text, or some fields of each line of JSON. */
type Printed = string | object[] | RegExp

/**
 * Every option of every command by its effect: without the option, the command would print
 * something else. Of several commands, the last one shows the effect.
 */
const OPTIONS: [commands: string, printed: Printed][] = [
  ['wait BOT --from alice', [{ subject: 'Welcome' }]],
  ['wait BOT --subject invoice', [{ subject: 'Invoice' }]],
  ['wait BOT --has attachment', [{ subject: 'Welcome' }]],
  ['wait BOT --q hello', [{ subject: 'Welcome' }]],
  ['wait BOT --from erin --timeout 0', /^No mail from "erin" .* within [\d.]+ s/],
  ['code BOT --from bob', '739105\n'],
  ['code BOT --subject invoice', '739105\n'],
  ['code BOT --q 739105', '739105\n'],
  ['code BOT --from erin --timeout 0', /^No mail from "erin" .* within [\d.]+ s/],
  ['link BOT --from alice', 'https://shop.example/verify?t=1\n'],
  ['link BOT --subject welcome', 'https://shop.example/verify?t=1\n'],
  ['link BOT --q hello', 'https://shop.example/verify?t=1\n'],
  ['link BOT --match /terms', 'https://bank.example/terms\n'],
  ['link BOT --match /none --timeout 0', /^No mail .* whose URL contains "\/none" .* within [\d.]+ s/],
  ['link empty@mayfly.test --timeout 0', /^No mail with an action link arrived /],
  ['link empty@mayfly.test --match /a --timeout 0', /^No mail with a link whose URL contains "\/a" arrived /],
  ['wait BOT --timeout 86400', [{ subject: 'Sign in' }]],
  [
    'send i@mayfly.test --subject a\u001b[2J\u0007b --text x; wait i@mayfly.test --from erin --timeout 0',
    /"ab" {2}\(no code/,
  ],
  ['list BOT --from bank.example', [{ subject: 'Password' }, { subject: 'Invoice' }]],
  ['list BOT --subject invoice', [{ subject: 'Invoice' }]],
  ['list BOT --has action_link', [{ subject: 'Password' }, { subject: 'Welcome' }]],
  ['list BOT --q 445566', [{ subject: 'Sign in' }]],
  ['list --all --subject invoice', [{ subject: 'Invoice' }]],
  ['watch BOT --all', /^`--all` takes no address\./],
  ['watch', /^The command is `mayfly watch ADDRESS`, or `mayfly watch --all`\./],
  ['list BOT --all', /^`--all` takes no address\./],
  [
    'send g@mayfly.test --text x; clear --to g@mayfly; list --all --to g@mayfly',
    /^No matching mail for any address\./,
  ],
  ['clear --from nobody.test --q nothing --has link', [{ deleted: 0 }]],
  ['send j@mayfly.test --text x; clear j@mayfly.test', [{ deleted: 1 }]],
  ['clear BOT --subject x', /^A filter is for all addresses/],
  ['show BOT --raw', /^From: dave@club\.example\r\n[\s\S]*\r\n\r\nYour code is 445566\.\r\n$/],
  ['show BOT WELCOME --html', WELCOME],
  ['show BOT --html', 'This mail has no HTML.\n'],
  ['new --domain second.test', /^\w+@second\.test\n$/],
  ['new --prefix given', /^given-\w+@/],
  // An address that no mail can have, or that this caller cannot read, is not printed.
  ['new --domain private.test', /^A domain key is needed\b.* MAYFLY_DOMAIN_KEY/],
  [`new --prefix ${'x'.repeat(70)}`, /^The address is not valid\b/],
  ['send a@mayfly.test --from me@a.test; list a@mayfly.test', [{ from: { address: 'me@a.test' } }]],
  ['send b@mayfly.test --subject Hi; list b@mayfly.test', [{ subject: 'Hi' }]],
  ['send c@mayfly.test --text Hi; list c@mayfly.test', [{ subject: 'A test mail', body_text: 'Hi\n' }]],
  ['send d@mayfly.test --html <i>Hi</i>; list d@mayfly.test', [{ subject: 'A test mail', codes: [] }]],
  ['send d@mayfly.test --html <i>Hi</i>; show d@mayfly.test --html', '<i>Hi</i>\n'],
  [
    'send e@mayfly.test --from me@a.test --file FILE; show e@mayfly.test',
    [{ subject: 'Of the file', mail_from: 'me@a.test', headers: [{ name: 'Subject' }] }],
  ],
  [
    'send f@mayfly.test --smtp SMTP --url NOWHERE; list f@mayfly.test',
    [{ subject: 'Your verification code' }],
  ],
  ['new --url NOWHERE', /^No service answers at http:\/\/127\.0\.0\.1:9 /],
  [
    'send h@mayfly.test',
    [
      {
        address: 'h@mayfly.test',
        response: expect.stringMatching(/^250 /),
        code: expect.stringMatching(/^\d{6}$/),
      },
    ],
  ],
  ['list h@mayfly.test', [{ from: { address: 'shop@example.org' } }]],
  ['send h@mayfly.test --text x', [{ code: null }]],
  ['send h@mayfly.test --html x', [{ code: null }]],
  ['send h@mayfly.test --file FILE', [{ code: null }]],
  ['send j@mayfly.test; code j@mayfly.test', /^\d{6}\n$/],
  ['code BOT --json', [{ code: '445566', codes: ['445566'], email: { subject: 'Sign in' } }]],
  ['link BOT --json', [{ link: 'https://bank.example/reset?t=2', email: { subject: 'Password' } }]],
  ['completion bash --json', [{ script: expect.stringContaining('complete -F _mayfly mayfly') }]],
  ['new --help', /^mayfly new — a new address\n/],
  ['new --json', [{ address: expect.stringContaining('@') }]],
  ['list x@private.test', /MAYFLY_DOMAIN_KEY/],
  [
    'list x@private.test --domain-key secret',
    /`--domain-key` would show a secret .* MAYFLY_DOMAIN_KEY instead/,
  ],
  ['list BOT --api-key=KEY', /`--api-key` would show a secret .* MAYFLY_API_KEY instead/],
  ['list BOT --url http://me:secret@localhost', /^`--url` would show a secret .* MAYFLY_URL instead\./],
  ...FILTER_NAMES.filter((name) => name !== 'has').flatMap(filterRows),
]

/** Without the filter, each of these commands would find a mail. */
function filterRows(name: string): [commands: string, printed: Printed][] {
  const filter = `--${name.replaceAll('_', '-')} zzzz`
  return [
    ...['wait', 'code', 'link'].map((command): [string, Printed] => [
      `${command} BOT ${filter} --timeout 0`,
      /^No mail .*"zzzz".* within [\d.]+ s/,
    ]),
    [`list BOT ${filter}`, /^No matching mail for/],
    [`clear ${filter}`, [{ deleted: 0 }]],
  ]
}

/** Options that every command has. The table has a row with one command for each of them. */
const GLOBAL = ['url', 'json', 'help']

describe('in a pipe', () => {
  let mailbox: Mailbox
  let outcomes: Outcome[]

  beforeAll(async () => {
    mailbox = await startMailbox()
    outcomes = await mailbox.outcomes(
      OPTIONS.map(([commands]) => commands),
      false,
    )
  })
  afterAll(() => mailbox?.close())

  test.each(OPTIONS.map(([commands, printed], i) => [commands, i, printed] as const))(
    '%s',
    (_, i, printed) => {
      const { stdout = '', stderr = '', code } = outcomes[i] ?? {}
      if (Array.isArray(printed)) expect([parsed(stdout), stderr, code]).toMatchObject([printed, '', 0])
      else if (printed instanceof RegExp) expect(stdout + stderr).toMatch(printed)
      else expect(stdout + stderr).toBe(printed)
    },
  )

  test('every option has a row', async () => {
    const [help] = await mailbox.outcomes(['--help'], false)
    const names = [...(help?.stdout ?? '').matchAll(/^ {2}mayfly ([a-z]+)/gm)].map(([, name]) => name)
    const commands = [...new Set(names)].filter((name) => name !== 'run')
    const pages = await mailbox.outcomes(
      commands.map((name) => `${name} --help`),
      false,
    )
    const documented = commands.flatMap((name, i) =>
      [...(pages[i]?.stdout ?? '').matchAll(/^ {2}--([a-z-]+)/gm)]
        .filter(([, option = '']) => !GLOBAL.includes(option))
        .map(([, option]) => `${name} --${option}`),
    )
    const shown = OPTIONS.flatMap(([commands]) =>
      commands
        .split('; ')
        .flatMap((command) =>
          [...command.matchAll(/ --([a-z-]+)/g)].map(([, option]) => `${command.split(' ')[0]} --${option}`),
        ),
    )
    expect(documented.filter((option) => !shown.includes(option))).toEqual([])
    expect(documented.length).toBeGreaterThan(20)
  })
})

function parsed(lines: string): unknown[] {
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}
