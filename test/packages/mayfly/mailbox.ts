import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Mail from 'nodemailer/lib/mailer/index.js'
import { startMayfly } from '../../../packages/mayfly/src/start.ts'
import { startDns } from '../../support/dns-server.ts'
import { sendMail } from '../../support/mail.ts'
import { type Outcome, runCommands } from './run-commands.ts'

export const WELCOME = '<b>Hello</b> <a href="https://shop.example/verify?t=1">Confirm your email address</a>'

const MAILS: Mail.Options[] = [
  {
    from: 'Alice of the Shop at the Corner <alice@shop.example>',
    subject: 'Welcome',
    html: WELCOME,
    attachments: [
      { filename: 'terms.txt', content: 'abc' },
      { filename: false, content: 'x' },
    ],
  },
  { from: 'bob@bank.example', subject: 'Invoice', text: 'Your code is 739105.\n' },
  {
    from: 'carol@bank.example',
    subject: 'Password',
    text: 'Reset your password: https://bank.example/reset?t=2\n\nTerms: https://bank.example/terms\n',
  },
  { from: 'dave@club.example', subject: 'Sign in', text: 'Your code is 445566.\n' },
]

export interface Mailbox {
  /** Values of the words that commands may contain, such as BOT for the address. */
  words: Record<string, string>
  /** The outcome of the last command of each row. Commands are separated by `; `. */
  outcomes(rows: string[], isTerminal: boolean | 'stdout'): Promise<Outcome[]>
  smtp: { host: string; port: number }
  close(): Promise<void>
}

/** A service whose address BOT has received MAILS. DNS has a record of ok.test only. */
export async function startMailbox(): Promise<Mailbox> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-commands-'))
  await writeFile(join(folder, 'mail.eml'), 'Subject: Of the file\r\n\r\nx\r\n')
  const dns = await startDns()
  dns.set('MX', 'ok.test', ['10 mx.mayfly.test'])
  const service = await startMayfly({
    MAYFLY_DOMAINS: 'mayfly.test,second.test,private.test=secret',
    MAYFLY_DNS_SERVER: dns.address,
    MAYFLY_MX_HOST: 'mx.mayfly.test',
    // No command trusts this certificate, or needs it on this machine.
    MAYFLY_TLS: 'self-signed',
  })
  for (const mail of MAILS) await sendMail(service.smtp, { to: 'bot@mayfly.test', ...mail })
  await sendMail(service.smtp, { to: 'x@private.test', subject: 'Private', text: 'x' })
  const inbox = await service.inbox({ address: 'bot@mayfly.test', history: true })
  const words: Record<string, string> = {
    BOT: inbox.address,
    WELCOME: (await inbox.mails()).at(-1)?.id ?? '',
    FILE: join(folder, 'mail.eml'),
    SMTP: `${service.smtp.host}:${service.smtp.port}`,
    NOWHERE: 'http://127.0.0.1:9',
    KEY: service.apiKey,
  }
  return {
    words,
    outcomes: (rows, isTerminal) => {
      const calls = rows.map((row) =>
        row.split('; ').map((command) => command.split(' ').map((word) => words[word] ?? word)),
      )
      const env = {
        MAYFLY_URL: service.url,
        MAYFLY_API_KEY: service.apiKey,
        XDG_CACHE_HOME: folder,
        TERM: 'xterm-256color',
      }
      return runCommands(calls, { env, isTerminal })
    },
    smtp: service.smtp,
    close: async () => {
      await service.stop()
      await dns.close()
      await rm(folder, { recursive: true })
    },
  }
}
