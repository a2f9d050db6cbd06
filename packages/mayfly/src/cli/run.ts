import { parseArgs } from 'node:util'
import { Mayfly, MayflyError } from '../../../client/src/node.ts'
import { VERSION } from '../version.ts'
import { type Command, type ExitCode, UsageError } from './command.ts'
import { completion, GLOBAL, help, helpOf } from './help.ts'
import { code, link, list, show, wait, watch } from './mails.ts'
import { mcp } from './mcp.ts'
import { create, doctor, send } from './others.ts'
import { clean, Output } from './output.ts'

const COMMANDS: Record<string, Command> = {
  new: create,
  wait,
  code,
  link,
  list,
  show,
  watch,
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
      if (script === undefined)
        throw new UsageError(`There is a completion for bash, zsh and fish, not "${shell}".`)
      out.print({ script }, script.trimEnd())
      return 0
    },
  },
}

/** The command line: does what it says and ends the process with its exit code; the service itself goes on. */
export async function run(argv: string[]): Promise<void> {
  const [name, ...rest] = argv
  if (name === undefined) return serve()
  process.exitCode = await outcome(name, rest)
}

async function serve(): Promise<void> {
  if (process.getBuiltinModule?.('node:sqlite') === undefined) {
    console.error(`The service needs Node 22.13 or newer, for its SQLite; this is ${process.version}.`)
    process.exitCode = 3
    return
  }
  const { runLocalService } = await import('../../../../local-service/run.ts')
  await runLocalService(process.env)
}

async function outcome(name: string, rest: string[]): Promise<ExitCode> {
  if (name === '--version' || name === '-v') return printed(VERSION)
  if (name === '--help' || name === '-h' || name === 'help') {
    const command = COMMANDS[rest[0] ?? '']
    return printed(command === undefined ? help(COMMANDS) : helpOf(rest[0]!, command))
  }
  try {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (command === undefined)
      throw new UsageError(`There is no command "${name}". \`mayfly --help\` lists them.`)
    return await execute(name, command, rest)
  } catch (error) {
    return failure(error, name)
  }
}

async function execute(name: string, command: Command, argv: string[]): Promise<ExitCode> {
  const { values, positionals } = parsed(command, argv)
  if (values.help) return printed(helpOf(name, command))
  const names = command.args.split(' ').filter((arg) => arg !== '')
  const least = names.filter((arg) => !arg.startsWith('[')).length
  if (positionals.length < least || positionals.length > names.length) {
    throw new UsageError(`It is \`mayfly ${[name, command.args].join(' ').trim()}\`.`)
  }
  const mayfly = new Mayfly({
    url: values.url as string | undefined,
    apiKey: values['api-key'] as string | undefined,
    domainKey: values['domain-key'] as string | undefined,
  })
  const out = new Output(values.json === true || (!process.stdout.isTTY && !command.plain))
  return command.run({ mayfly, out, args: positionals, options: values })
}

type Values = Record<string, string | boolean | undefined>

function parsed(command: Command, args: string[]): { values: Values; positionals: string[] } {
  try {
    const options = Object.entries({ ...command.options, ...GLOBAL }).map(([name, { type }]) => [
      name,
      { type },
    ])
    const { values, positionals } = parseArgs({
      args,
      options: Object.fromEntries(options),
      allowPositionals: true,
    })
    return { values: values as Values, positionals }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function failure(error: unknown, name: string): ExitCode {
  if (error instanceof UsageError) {
    console.error(`${error.message}${COMMANDS[name] === undefined ? '' : ` See \`mayfly ${name} --help\`.`}`)
    return 2
  }
  if (!(error instanceof MayflyError)) throw error
  console.error(clean(error.message))
  if (error.code === 'email_not_found') return 1
  const { status = 500 } = error
  return error.code === 'invalid_url' ||
    (status >= 400 && status < 500 && status !== 429 && error.code !== 'not_mayfly')
    ? 2
    : 3
}

function printed(text: string): ExitCode {
  new Output(false).print(undefined, text.trimEnd())
  return 0
}
