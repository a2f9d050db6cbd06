import { FILTERS, HAS_VALUES, type Has } from '../../../../core/inbox/filter.ts'
import { type Mail, type MailFilter, MailTimeoutError } from '../../../client/src/node.ts'
import { type Call, type Command, type Option, UsageError } from './command.ts'
import { clean, line, type Output, style, table } from './output.ts'

/** Commands that read the mail of an address. */

const FILTER: Record<string, Option> = Object.fromEntries(
  Object.entries(FILTERS).map(([name, { help }]) => [
    optionOf(name),
    { type: 'string', value: name === 'has' ? 'WHAT' : 'PART', help },
  ]),
)
const ALL: Option = { type: 'boolean', help: "the mail of every address; needs the operator's key" }
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
    const wanted: MailFilter =
      match === undefined
        ? { has: 'action_link' }
        : {
            has: 'link',
            where: Object.assign((mail: Mail) => linkOf(mail) !== undefined, {
              words: `whose URL contains "${match}"`,
            }),
          }
    const filter = { ...filterOf(call), ...wanted }
    return waiting(call, filter, (mail) => {
      call.out.print({ link: linkOf(mail), email: mail }, linkOf(mail) ?? '')
    })
  },
}

export const list: Command = {
  args: '[ADDRESS]',
  summary: 'the mails of an address, newest first; without an address, the domains of the service',
  options: { all: ALL, ...FILTER },
  examples: [
    'mayfly list bot42@mayfly.test',
    'mayfly list --all --to jo@example.com --json | jq -r .subject',
  ],
  async run(call) {
    const { mayfly, out, args } = call
    if (isAll(call)) return listed(out, await mayfly.mails(filterOf(call)))
    if (args[0] === undefined) {
      const { domains } = await mayfly.request<{ domains: { domain: string; private: boolean }[] }>({
        path: '/api/domains',
        open: true,
      })
      for (const one of domains) out.print(one, one.domain + (one.private ? style('dim', '  private') : ''))
      return domains.length > 0 ? 0 : 1
    }
    const inbox = await mayfly.inbox({ address: args[0], history: true })
    return listed(out, await inbox.mails(filterOf(call)), args[0])
  },
}

function listed(out: Output, mails: Mail[], address?: string): 0 | 1 {
  const cells = (mail: Mail) =>
    address === undefined ? [...row(mail), style('dim', line(mail.address))] : row(mail)
  if (out.json) for (const mail of mails) out.print(mail, '')
  else if (mails.length > 0) out.print(undefined, table(mails.map(cells)))
  if (mails.length === 0) console.error(`No matching mail for ${address ?? 'any address'}.`)
  return mails.length > 0 ? 0 : 1
}

export const clear: Command = {
  args: '[ADDRESS]',
  summary: 'deletes the mails of an address; without an address, those of all addresses that match',
  options: FILTER,
  examples: ['mayfly clear', 'mayfly clear --to jo@example.com', 'mayfly clear bot42@mayfly.test'],
  async run(call) {
    const { mayfly, out, args } = call
    const filter = filterOf(call)
    const [address] = args
    if (address !== undefined && Object.values(filter).some((value) => value !== undefined))
      throw new UsageError('A filter is for all addresses: leave ADDRESS out.')
    const deleted =
      address === undefined
        ? await mayfly.clear(filter as Omit<MailFilter, 'where'>)
        : await (await mayfly.inbox({ address, history: true })).clear()
    out.print({ deleted }, `${deleted} deleted.`)
    return 0
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
    else if (options.html) {
      const html = await mail.html()
      if (html === null) {
        console.error('This mail has no HTML.')
        return 1
      }
      process.stdout.write(html)
    } else {
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
  args: '[ADDRESS]',
  summary: 'each mail of an address as it arrives, until Ctrl-C; with --all, of every address',
  options: { all: ALL },
  examples: ['mayfly watch bot42@mayfly.test', 'mayfly watch --all | jq -r ".codes[0]"'],
  async run(call) {
    const { mayfly, out, args } = call
    if (!isAll(call) && args[0] === undefined)
      throw new UsageError('The command is `mayfly watch ADDRESS`, or `mayfly watch --all`.')
    const watched = args[0] === undefined ? mayfly : await mayfly.inbox({ address: args[0] })
    out.say(`Watching ${args[0] ?? 'all addresses'}. Ctrl-C ends.`)
    const ended = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort(ended))
    try {
      for await (const mail of watched.stream({ signal: ended.signal })) out.print(mail, `${card(mail)}\n`)
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
    console.error(clean(error.message))
    return 1
  }
}

/** Whether all mail is meant. @throws UsageError if an address is given, too */
function isAll({ options, args }: Call): boolean {
  if (options.all && args[0] !== undefined) throw new UsageError('`--all` takes no address.')
  return options.all === true
}

function filterOf({ options }: Call): MailFilter {
  const has = text(options.has)
  if (has !== undefined && !HAS_VALUES.includes(has as Has))
    throw new UsageError(`\`--has\` must be one of ${HAS_VALUES.join(', ')}, not "${has}".`)
  return Object.fromEntries(Object.keys(FILTERS).map((name) => [name, text(options[optionOf(name)])]))
}

function optionOf(filter: string): string {
  return filter.replaceAll('_', '-')
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
