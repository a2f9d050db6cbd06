import { parseArgs } from 'node:util'
import { mistyped } from '../../../../core/nearest.ts'
import { type Option, UsageError } from './command.ts'

type Values = Record<string, string | boolean | undefined>

/**
 * Secrets, and the variables that hold them. Every user of the machine can read the arguments of a
 * program, so no secret is an option.
 */
const SECRETS: Record<string, string> = {
  'api-key': 'MAYFLY_API_KEY',
  'api-keys': 'MAYFLY_API_KEYS',
  'domain-key': 'MAYFLY_DOMAIN_KEY',
}

/** @throws UsageError for an option that would show a secret to other users of the machine */
function refuseSecrets(args: string[]): void {
  const program = args.indexOf('--')
  for (const arg of program === -1 ? args : args.slice(0, program)) {
    const [, name = ''] = /^--([\w-]+)/.exec(arg) ?? []
    if (Object.hasOwn(SECRETS, name)) throw secretOption(name, SECRETS[name]!)
  }
}

/** The error of an option with a secret. It does not repeat the value. */
export function secretOption(option: string, variable: string): UsageError {
  return new UsageError(
    `\`--${option}\` would show a secret to every user of this machine. Set the variable ${variable} instead.`,
  )
}

/** @throws UsageError for a URL with a password in it */
export function refusePassword(url: string | undefined): void {
  if (url !== undefined && URL.canParse(url) && new URL(url).password !== '')
    throw secretOption('url', 'MAYFLY_URL')
}

/** The options and arguments of a command. @throws UsageError */
export function parse(
  args: string[],
  options: Record<string, Option>,
): { values: Values; positionals: string[] } {
  refuseSecrets(args)
  try {
    return parseArgs({ args, options, allowPositionals: true }) as ReturnType<typeof parse>
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const [, option] = /'(?:-\w, )?(--?[^\s'=]+)/.exec(message) ?? []
    if (option === undefined) throw error
    throw new UsageError(
      code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
        ? `There is no option \`${option}\`.${didYouMean(
            option,
            Object.keys(options).map((name) => `--${name}`),
          )}`
        : `\`${option}\` ${options[option.slice(2)]?.type === 'boolean' ? 'takes no value' : 'needs a value'}.`,
    )
  }
}

/** Such as ` Did you mean \`--http-port\`?`, with a space at its beginning; empty if no name is near. */
export function didYouMean(name: string, candidates: string[]): string {
  const word = name.replace(/^-+/, '')
  const best = candidates.find((candidate) => candidate.includes(word)) ?? mistyped(name, candidates)
  return best === undefined ? '' : ` Did you mean \`${best}\`?`
}
