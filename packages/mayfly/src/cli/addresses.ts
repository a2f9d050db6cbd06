import { readFile } from 'node:fs/promises'
import { ConfigError } from '../../../../core/errors.ts'
import { type Command, UsageError } from './command.ts'
import { line, style, table } from './output.ts'
import { secretOption } from './parse.ts'

/** Commands about addresses and domains. */

export const create: Command = {
  args: '',
  summary: 'a new address',
  options: {
    domain: {
      type: 'string',
      value: 'NAME',
      help: 'its domain; a random public one of the service unless given',
    },
    prefix: { type: 'string', value: 'TEXT', help: 'the beginning of the address' },
  },
  examples: ['ADDRESS=$(mayfly new)', 'mayfly new --prefix signup'],
  plain: true,
  async run({ mayfly, out, options }) {
    const { domain, prefix } = options as { domain?: string; prefix?: string }
    const inbox = await mayfly.inbox({ domain, prefix })
    // The service knows its domains and what an address may be; without this, mail to the address
    // would bounce.
    if (domain !== undefined || prefix !== undefined) await inbox.latest()
    out.print({ address: inbox.address }, inbox.address)
    return 0
  },
}

export const send: Command = {
  args: 'ADDRESS',
  summary: 'sends a test mail to a service on this machine; with a code unless a text is given',
  options: {
    from: { type: 'string', value: 'ADDRESS', help: 'the sender; shop@example.org' },
    subject: { type: 'string', value: 'TEXT', help: 'the subject' },
    text: { type: 'string', value: 'TEXT', help: 'the text' },
    html: { type: 'string', value: 'HTML', help: 'the HTML part' },
    file: { type: 'string', value: 'PATH', help: 'a complete message to send, such as mail.eml' },
    smtp: {
      type: 'string',
      value: 'HOST:PORT',
      help: 'the SMTP server; the one of the service unless given (login: MAYFLY_SMTP_AUTH)',
    },
  },
  examples: ['mayfly send "$ADDRESS"', 'mayfly send "$ADDRESS" --subject Hi --text "Your code is 739105"'],
  async run({ mayfly, out, args: [to], options }) {
    const { from = 'shop@example.org', text, html, file } = options as Record<string, string | undefined>
    const code = String(100_000 + Math.floor(Math.random() * 900_000))
    const standard = text === undefined && html === undefined && file === undefined
    const raw = file === undefined ? undefined : await messageIn(file)
    const { createTransport } = await import('nodemailer')
    const smtp = await smtpOf(mayfly, options.smtp as string | undefined)
    const transport = createTransport({
      ...smtp,
      secure: false,
      ...(await login(process.env.MAYFLY_SMTP_AUTH)),
    })
    try {
      const { response } = await transport.sendMail({
        from,
        to,
        subject:
          (options.subject as string | undefined) ?? (standard ? 'Your verification code' : 'A test mail'),
        text: standard ? `Hello!\n\nYour verification code is ${code}.\n` : text,
        html,
        ...(raw && { raw, envelope: { from, to: to ?? '' } }),
      })
      out.print({ address: to, response, code: standard ? code : null }, `Sent to ${to}: ${line(response)}`)
      return 0
    } catch (error) {
      const { response, responseCode, code: reason, message } = error as SmtpError
      // Nodemailer has found no address in the text, and sent nothing.
      if (reason === 'EENVELOPE' && response === undefined) throw new UsageError(`"${to}" is no address.`)
      const advice = LOGIN_REPLIES.includes(responseCode) ? ` ${LOGIN_ADVICE}` : ''
      console.error(
        response === undefined
          ? `No mail server answers at ${smtp.host}:${smtp.port} (${reason ?? message}). --smtp HOST:PORT selects another.`
          : `The mail was refused: ${line(response)}${advice}`,
      )
      return response === undefined ? 3 : 1
    }
  },
}

export const doctor: Command = {
  args: 'DOMAIN',
  summary: 'checks the DNS records that a domain needs, and registers it when they are complete',
  examples: ['mayfly doctor mail.example.com'],
  async run({ mayfly, out, args }) {
    const answer = await mayfly.request<Verification>({
      path: `/api/domain/verify/${encodeURIComponent(args[0] ?? '')}`,
      open: true,
    })
    const { domain, status, records, verified } = answer
    const rows = records.map((record) => [
      record.found ? style('green', 'found') : style('red', 'missing'),
      record.type,
      record.name,
      line(record.value),
      style('dim', line(record.purpose)),
    ])
    out.print(answer, [style('bold', `${domain} is ${status}.`), table(rows)].join('\n'))
    return verified ? 0 : 1
  },
}

interface Verification {
  domain: string
  verified: boolean
  status: string
  records: { type: string; name: string; value: string; purpose: string; found: boolean }[]
}

/** The replies to a missing and to a wrong login (RFC 4954, section 6). */
const LOGIN_REPLIES: (number | undefined)[] = [530, 535]
const LOGIN_ADVICE =
  'Set MAYFLY_SMTP_AUTH to the user:password that the service has in its variable of this name.'

interface SmtpError extends Error {
  response?: string
  responseCode?: number
  code?: string
}

/**
 * Returns the options of the transport for the service's own variable. With a login it uses TLS
 * where that is offered, because the service refuses a password without it; the certificate may be
 * self-signed.
 * @throws ConfigError
 */
async function login(smtpAuth = ''): Promise<object> {
  const { smtpAuth: parsed } = await import('../../../../local-service/config-values.ts')
  try {
    const auth = parsed(smtpAuth || 'off')
    if (typeof auth === 'string') return { ignoreTLS: true }
    return { auth: { user: auth.user, pass: auth.password }, tls: { rejectUnauthorized: false } }
  } catch (error) {
    throw new ConfigError([`MAYFLY_SMTP_AUTH ${(error as Error).message}`])
  }
}

async function messageIn(file: string): Promise<Buffer> {
  return readFile(file).catch((error: Error) => {
    throw new UsageError(`\`--file\` cannot be read: ${error.message}.`)
  })
}

interface Requests {
  request<T>(call: { path: string; open: boolean }): Promise<T>
}

async function smtpOf(mayfly: Requests, given: string | undefined): Promise<{ host: string; port: number }> {
  if (given !== undefined) {
    if (given.includes('@')) throw secretOption('smtp', 'MAYFLY_SMTP_AUTH')
    const [, host, port] = /^\[?([^\]]+)\]?:(\d{1,5})$/.exec(given) ?? []
    if (host === undefined)
      throw new UsageError(`\`--smtp\` must be HOST:PORT, such as 127.0.0.1:1025, not "${given}".`)
    return { host, port: Number(port) }
  }
  const call = { path: '/api/info', open: true }
  const { smtp } = await mayfly.request<{ smtp: { host: string; port: number } | null }>(call)
  if (smtp !== null) return smtp
  throw new UsageError(
    'This service has no SMTP address of its own: send the mail to its domain, as any other mail.',
  )
}
