import { type Mail, type MailFilter, MailTimeoutError } from '../../../client/src/node.ts'
import { type Call, type Command, type Option, UsageError } from './command.ts'
import { clean, line, style, table } from './output.ts'

/** Commands that read the mail of an address. */

const HAS = ['code', 'link', 'action_link', 'attachment']

const FILTER: Record<string, Option> = {
  from: { type: 'string', value: 'PART', help: 'a part of the sender’s name or address' },
  subject: { type: 'string', value: 'PART', help: 'a part of the subject' },
  has: { type: 'string', value: 'WHAT', help: HAS.join(', ') },
  q: { type: 'string', value: 'PART', help: 'a part of sender, subject, text or codes' },
}
const TIMEOUT: Record<string, Option> = {
  timeout: { type: 'string', value: 'SECONDS', help: 'how long to wait at most; 60' },
}
const { has: _, ...WITHOUT_HAS } = FILTER

export const wait: Command = {
  args: 'ADDRESS',
  summary: 'the newest matching mail, or the next one that arrives',
  options: { ...FILTER, ...TIMEOUT },
  examples: ['mayfly wait bot42@mayfly.test --subject welcome --timeout 30'],
  run: (call) =>
    waiting(call, filterOf(call), (mail) => {
      call.out.print(mail, card(mail))
    }),
}

export const code: Command = {
  args: 'ADDRESS',
  summary: 'the verification code of the newest mail that has one, or of the next one that arrives',
  options: { ...WITHOUT_HAS, ...TIMEOUT },
  examples: ['CODE=$(mayfly code "$ADDRESS" --timeout 30)'],
  plain: true,
  run: (call) =>
    waiting(call, { ...filterOf(call), has: 'code' }, (mail) => {
      call.out.print({ code: mail.code, codes: mail.codes, email: mail }, mail.code ?? '')
    }),
}

export const link: Command = {
  args: 'ADDRESS',
  summary: 'the action link of a mail: to confirm, to sign in, to reset',
  options: {
    match: { type: 'string', value: 'PART', help: 'the first link that contains this, whatever it is for' },
    ...WITHOUT_HAS,
    ...TIMEOUT,
  },
  examples: ['curl -L "$(mayfly link "$ADDRESS")"', 'mayfly link "$ADDRESS" --match /invite/'],
  plain: true,
  run: (call) => {
    const match = text(call.options.match)
    const linkOf = (mail: Mail) =>
      match === undefined ? mail.actionLink?.url : mail.links.find((url) => url.includes(match))
    const filter: MailFilter = {
      ...filterOf(call),
      has: match === undefined ? 'action_link' : 'link',
      where: (mail) => linkOf(mail) !== undefined,
    }
    return waiting(call, filter, (mail) => {
      call.out.print({ link: linkOf(mail), email: mail }, linkOf(mail) ?? '')
    })
  },
}

export const list: Command = {
  args: '[ADDRESS]',
  summary: 'the mails of an address, newest first; without an address, the domains of the service',
  options: FILTER,
  examples: ['mayfly list bot42@mayfly.test', 'mayfly list bot42@mayfly.test --json | jq -r .subject'],
  async run(call) {
    const { mayfly, out, args } = call
    if (args[0] === undefined) {
      const { domains } = await mayfly.request<{ domains: { domain: string; private: boolean }[] }>({
        path: '/api/domains',
        open: true,
      })
      for (const one of domains) out.print(one, one.domain + (one.private ? style('dim', '  private') : ''))
      return domains.length > 0 ? 0 : 1
    }
    const inbox = await mayfly.inbox({ address: args[0], history: true })
    const mails = await inbox.mails(filterOf(call))
    if (out.json) for (const mail of mails) out.print(mail, '')
    else if (mails.length > 0) out.print(undefined, table(mails.map(row)))
    if (mails.length === 0) console.error(`No matching mail for ${args[0]}.`)
    return mails.length > 0 ? 0 : 1
  },
}

export const show: Command = {
  args: 'ADDRESS [ID]',
  summary: 'one mail with its text, links and attachments; the newest unless an id is given',
  options: {
    raw: { type: 'boolean', help: 'the message as it was received (RFC 5322)' },
    html: { type: 'boolean', help: 'its HTML part' },
  },
  examples: ['mayfly show bot42@mayfly.test', 'mayfly show bot42@mayfly.test --raw > mail.eml'],
  async run({ mayfly, out, args: [address, id], options }) {
    const inbox = await mayfly.inbox({ address: address ?? '', history: true })
    const mail = id === undefined ? await inbox.latest() : await inbox.mail(id)
    if (mail === null) {
      console.error(`No mail for ${address}.`)
      return 1
    }
    if (options.raw) process.stdout.write(await mail.raw())
    else if (options.html) process.stdout.write((await mail.html()) ?? '')
    else {
      const whole = await mail.whole()
      const attachments = whole.attachments.map(
        ({ filename, content_type, size }) =>
          `  ${line(filename ?? 'without a name')}  ${content_type}, ${size} bytes`,
      )
      const more = [...whole.links.map((url) => `  ${line(url)}`), ...attachments]
      out.print(whole, [card(mail), '', clean(whole.body_text).trimEnd(), '', ...more].join('\n').trimEnd())
    }
    return 0
  },
}

export const watch: Command = {
  args: 'ADDRESS',
  summary: 'each mail as it arrives, until Ctrl-C',
  examples: ['mayfly watch bot42@mayfly.test', 'mayfly watch bot42@mayfly.test | jq -r ".codes[0]"'],
  async run({ mayfly, out, args }) {
    const inbox = await mayfly.inbox({ address: args[0] ?? '' })
    out.say(`Watching ${inbox.address}. Ctrl-C ends.`)
    const ended = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort(ended))
    try {
      for await (const mail of inbox.stream({ signal: ended.signal })) out.print(mail, `${card(mail)}\n`)
    } catch (error) {
      if (error !== ended) throw error
    }
    return 0
  },
}

/**
 * Passes the newest matching mail, or the next one, to `found`. Without one, says on standard error
 * what arrived.
 */
async function waiting(call: Call, filter: MailFilter, found: (mail: Mail) => void): Promise<0 | 1> {
  const timeout = secondsOf(call.options.timeout) * 1000
  const inbox = await call.mayfly.inbox({ address: call.args[0] ?? '', history: true })
  try {
    found((await inbox.latest(filter)) ?? (await inbox.waitForMail({ ...filter, timeout })))
    return 0
  } catch (error) {
    if (!(error instanceof MailTimeoutError)) throw error
    const { match } = call.options
    const where = match === undefined ? '' : ` whose URL contains "${match}"`
    console.error(clean(error.message.replace(' that `where` accepts', where)))
    return 1
  }
}

function filterOf({ options }: Call): MailFilter {
  const has = text(options.has)
  if (has !== undefined && !HAS.includes(has))
    throw new UsageError(`\`--has\` must be one of ${HAS.join(', ')}, not "${has}".`)
  return {
    from: text(options.from),
    subject: text(options.subject),
    q: text(options.q),
    has: has as MailFilter['has'],
  }
}

function secondsOf(value: string | boolean | undefined): number {
  const seconds = Number(value ?? 60)
  if (value === '' || !(seconds >= 0 && seconds <= 86_400)) {
    throw new UsageError(`\`--timeout\` must be a number of seconds from 0 to 86400, not "${value}".`)
  }
  return seconds
}

function text(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function row(mail: Mail): string[] {
  const sender = line(mail.from.name ?? mail.from.address ?? '')
  return [
    style('dim', mail.id),
    mail.receivedAt.toISOString().slice(11, 19),
    sender.slice(0, 30),
    style('green', mail.code ?? ''),
    line(mail.subject),
  ]
}

function card(mail: Mail): string {
  const { name, address } = mail.from
  const fields = [
    ['From', line(name === null ? (address ?? '') : `${name} <${address ?? ''}>`)],
    ['Subject', style('bold', line(mail.subject))],
    ['Received', `${mail.receivedAt.toISOString()}  ${style('dim', mail.id)}`],
    ...(mail.codes.length > 0 ? [['Code', style('green', mail.codes.join(' '))]] : []),
    ...(mail.actionLink !== null ? [['Link', style('cyan', mail.actionLink.url)]] : []),
  ]
  return table(fields)
}
