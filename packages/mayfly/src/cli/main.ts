import { ConfigError } from '../../../../core/errors.ts'
import { Mayfly, MayflyError } from '../../../client/src/node.ts'
import { NodeVersionError } from '../platform.ts'
import { VERSION } from '../version.ts'
import { create, doctor, send } from './addresses.ts'
import { type Command, type ExitCode, UsageError } from './command.ts'
import { completion } from './completion.ts'
import { GLOBAL, help, helpOf, runHelp } from './help.ts'
import { clear, code, link, list, show, wait, watch } from './mails.ts'
import { mcp } from './mcp.ts'
import { clean, Output } from './output.ts'
import { didYouMean, parse, refusePassword } from './parse.ts'
import { runProgram } from './run-program.ts'
import { serve } from './serve.ts'

const COMMANDS: Record<string, Command> = {
  new: create,
  wait,
  code,
  link,
  list,
  show,
  watch,
  clear,
  send,
  doctor,
  mcp,
  completion: {
    args: 'SHELL',
    summary: 'a script that completes these commands, for bash, zsh or fish',
    examples: ['source <(mayfly completion bash)', 'mayfly completion fish | source'],
    plain: true,
    async run({ args: [shell], out }) {
      const script = completion(shell, COMMANDS)
      if (script === undefined) {
        throw new UsageError(`Completion exists for bash, zsh and fish, not for "${shell}".`)
      }
      out.print({ script }, script.trimEnd())
      return 0
    },
  },
}

/**
 * The command line: sets the exit code. Without a command it is the service, which runs until a
 * signal.
 */
export async function main(argv: string[]): Promise<void> {
  const [name = '', ...rest] = argv
  try {
    if (name === '--version' || name === '-v') process.exitCode = printed(VERSION)
    else if (name === 'help') process.exitCode = printed(helpFor(rest[0]))
    else if (name === 'run')
      process.exitCode = asksForHelp(rest) ? printed(runHelp()) : await runProgram(rest)
    else if (name !== '' && !name.startsWith('-')) process.exitCode = await execute(name, rest)
    else if (asksForHelp(argv)) process.exitCode = printed(help(COMMANDS))
    else await serveAlone(argv)
  } catch (error) {
    process.exitCode = failure(error, name)
  }
}

/** @throws UsageError for an option that belongs after a command */
function serveAlone(argv: string[]): Promise<void> {
  const misplaced = argv.find((arg) => /^--(?:url|json)(?:=|$)/.test(arg))?.split('=')[0]
  if (misplaced === undefined) return serve(argv)
  throw new UsageError(`\`${misplaced}\` comes after a command: \`mayfly COMMAND ${misplaced}\`.`)
}

/** Whether one of the options is `--help`. Those after `--` belong to another program. */
function asksForHelp(argv: string[]): boolean {
  const end = argv.indexOf('--')
  const options = end === -1 ? argv : argv.slice(0, end)
  return options.includes('--help') || options.includes('-h')
}

function helpFor(name: string | undefined): string {
  if (name === 'run') return runHelp()
  const command = commandOf(name)
  return name === undefined || command === undefined ? help(COMMANDS) : helpOf(name, command)
}

function commandOf(name = ''): Command | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
}

async function execute(name: string, argv: string[]): Promise<ExitCode> {
  const command = commandOf(name)
  if (command === undefined) {
    const names = ['run', ...Object.keys(COMMANDS)]
    throw new UsageError(
      `There is no command "${name}".${didYouMean(name, names)} \`mayfly --help\` lists them.`,
    )
  }
  const { values, positionals } = parse(argv, { ...command.options, ...GLOBAL })
  if (values.help) return printed(helpOf(name, command))
  const names = command.args.split(' ').filter((arg) => arg !== '')
  const required = names.filter((arg) => !arg.startsWith('[')).length
  if (positionals.length < required || positionals.length > names.length) {
    throw new UsageError(`The command is \`mayfly ${[name, command.args].join(' ').trim()}\`.`)
  }
  // As of a shell variable that is not set: the service would refuse a path without an address.
  const empty = names[positionals.indexOf('')]?.replace(/[[\]]/g, '')
  if (empty !== undefined) throw new UsageError(`${empty} is empty.`)
  const url = values.url as string | undefined
  refusePassword(url)
  const mayfly = clientOf(url)
  const out = new Output(values.json === true || (!process.stdout.isTTY && !command.plain))
  return command.run({ mayfly, out, args: positionals, options: values })
}

/** @throws UsageError for a variable with a wrong value, MayflyError `invalid_url` */
function clientOf(url: string | undefined): Mayfly {
  try {
    return new Mayfly({ url })
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error
  }
}

function failure(error: unknown, name: string): number {
  if (error instanceof UsageError) {
    const known = commandOf(name) !== undefined || name === 'run'
    const hint = known
      ? ` See \`mayfly ${name} --help\`.`
      : name.startsWith('-')
        ? ' See `mayfly --help`.'
        : ''
    console.error(error.message + hint)
    return 2
  }
  if (error instanceof ConfigError) {
    console.error(error.message)
    return 2
  }
  if (error instanceof NodeVersionError) {
    console.error(error.message)
    return 3
  }
  if (!(error instanceof MayflyError)) throw error
  console.error(clean(worded(error)))
  if (error.code === 'email_not_found') return 1
  const { status = 500 } = error
  const isCallersMistake = status >= 400 && status < 500 && status !== 429 && error.code !== 'not_mayfly'
  return isCallersMistake || error.code === 'invalid_url' || error.code === 'invalid_address' ? 2 : 3
}

/** Advice for a user of the command; the SDK's own names the options of the SDK. */
const ADVICE: Record<string, string> = {
  unreachable: 'Start one with `mayfly`, or set MAYFLY_URL (or `--url`) to the URL of yours.',
  invalid_url: 'It comes from `--url` or MAYFLY_URL.',
  api_key_invalid: 'Does MAYFLY_API_KEY belong to this service? Without it, a key is created automatically.',
  api_key_expired: 'Without MAYFLY_API_KEY, a new key is created automatically.',
  key_quota_exceeded: 'Set MAYFLY_API_KEY to a key that you have.',
  domain_key_missing: 'Set MAYFLY_DOMAIN_KEY to it.',
  rate_limited:
    'Your own service has no limit for you: set MAYFLY_API_KEYS there and MAYFLY_API_KEY here to the same key. ' +
    'On a service of others, wait a minute, or allow more time with `--timeout`.',
  domain_not_found: '`mayfly list` shows the domains of this service.',
}

function worded({ code, reason, advice }: MayflyError): string {
  return advice === undefined ? reason : `${reason} ${ADVICE[code] ?? advice}`
}

function printed(text: string): ExitCode {
  new Output(false).print(undefined, text.trimEnd())
  return 0
}
