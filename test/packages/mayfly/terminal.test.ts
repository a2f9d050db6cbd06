import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '../../support/eventually.ts'
import { sendMail } from '../../support/mail.ts'
import { type Mailbox, startMailbox } from './mailbox.ts'
import type { Outcome } from './run-commands.ts'

const DNS_ROWS = (
  domain: string,
  mx: string,
) => `${mx}  MX   ${domain}          10 mx.mayfly.test                                          {2}Brings the mail of the domain to this service.{22}
{31}missing{39}  TXT  _mayfly.${domain}  key=<your domain key>, or key-sha256=<its SHA-256 in hex>  {2}Optional: makes the domain private.{22}
`

/** What a person at a terminal reads. `{2}` is the escape sequence of a style. */
const ON_A_TERMINAL: [command: string, code: number, printed: string][] = [
  [
    'list BOT',
    0,
    `{2}ID{22}  TIME  dave@club.example               {32}445566{39}  Sign in
{2}ID{22}  TIME  carol@bank.example              {32}{39}        Password
{2}ID{22}  TIME  bob@bank.example                {32}739105{39}  Invoice
{2}WELCOME{22}  TIME  Alice of the Shop at the Corne  {32}{39}        Welcome
`,
  ],
  [
    'list --all --subject invoice',
    0,
    '{2}ID{22}  TIME  bob@bank.example  {32}739105{39}  Invoice  {2}bot@mayfly.test{22}\n',
  ],
  ['list', 0, 'mayfly.test\nprivate.test{2}  private{22}\nsecond.test\n'],
  ['list empty@mayfly.test', 1, 'No matching mail for empty@mayfly.test.\n'],
  ['show BOT --html', 1, 'This mail has no HTML.\n'],
  [
    'show BOT WELCOME',
    0,
    `From      Alice of the Shop at the Corner <alice@shop.example>
Subject   {1}Welcome{22}
Received  DATE  {2}WELCOME{22}
Link      {36}https://shop.example/verify?t=1{39}

Hello Confirm your email address [https://shop.example/verify?t=1]

  https://shop.example/verify?t=1
  terms.txt  text/plain, 3 bytes
  without a name  application/octet-stream, 1 bytes
`,
  ],
  [
    'show BOT',
    0,
    `From      dave@club.example
Subject   {1}Sign in{22}
Received  DATE  {2}ID{22}
Code      {32}445566{39}

Your code is 445566.
`,
  ],
  [
    'wait BOT --from bob',
    0,
    `From      bob@bank.example
Subject   {1}Invoice{22}
Received  DATE  {2}ID{22}
Code      {32}739105{39}
`,
  ],
  [
    'send e@mayfly.test --file FILE; show e@mayfly.test',
    0,
    'From      \nSubject   {1}Of the file{22}\nReceived  DATE  {2}ID{22}\n\nx\n',
  ],
  ['code BOT', 0, '445566\n'],
  ['link BOT', 0, 'https://bank.example/reset?t=2\n'],
  ['send h@mayfly.test --text x; clear h@mayfly.test', 0, '1 deleted.\n'],
  ['send g@mayfly.test', 0, 'Sent to g@mayfly.test: 250 2.0.0 Ok: ID\n'],
  ['doctor no.test', 1, `{1}no.test is unverified.{22}\n${DNS_ROWS('no.test', '{31}missing{39}')}`],
  ['doctor ok.test', 0, `{1}ok.test is verified.{22}\n${DNS_ROWS('ok.test', '{32}found{39}  ')}`],
]

describe('on a terminal', () => {
  let mailbox: Mailbox
  let outcomes: Outcome[]

  beforeAll(async () => {
    mailbox = await startMailbox()
    const commands = ON_A_TERMINAL.map(([command]) => command)
    outcomes = await mailbox.outcomes(commands, true)
  })
  afterAll(() => mailbox?.close())

  test.each(ON_A_TERMINAL.map(([command, code, printed], i) => [command, code, i, printed] as const))(
    '%s: exit code %d',
    (_, code, i, printed) => {
      const { stdout = '', stderr = '', code: actual = undefined } = outcomes[i] ?? {}
      expect([actual, readable(stdout + stderr)]).toEqual([code, printed])
    },
  )

  test('standard error may go to a file: columns and colours are for standard output', async () => {
    const [{ stdout = '', stderr } = {}] = await mailbox.outcomes(['list BOT'], 'stdout')
    const [, , printed] = ON_A_TERMINAL.find(([command]) => command === 'list BOT')!
    expect([readable(stdout), stderr]).toEqual([printed, ''])
  })

  test('watch: a hint, and each mail as it arrives, until a signal', async () => {
    const address = 'watched@mayfly.test'
    const watching = mailbox.outcomes([`watch ${address}`], true)
    let isOver = false
    void watching.finally(() => {
      isOver = true
    })
    // The command does not show when it listens, so mails are sent until it has printed one.
    await eventually('a watched mail', async () => {
      await sendMail(mailbox.smtp, { from: 'a@b.test', to: address, subject: 'Watched', text: 'x' })
      return isOver
    })
    const [{ stdout = '', stderr, code } = {}] = await watching
    expect([code, stderr]).toEqual([0, `Watching ${address}. Ctrl-C ends.\n`])
    expect(readable(stdout)).toMatch(
      /^(From {6}a@b\.test\nSubject {3}\{1\}Watched\{22\}\nReceived {2}DATE {2}\{2\}ID\{22\}\n\n)+$/,
    )
  })

  function readable(text: string): string {
    return (
      text
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences of styles
        .replace(/\u001b\[(\d+)m/g, '{$1}')
        .replaceAll(mailbox.words.WELCOME ?? '', 'WELCOME')
        .replace(/\b[0-9A-Z]{26}\b/g, 'ID')
        .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'DATE')
        .replace(/\b\d\d:\d\d:\d\d\b/g, 'TIME')
    )
  }
})
