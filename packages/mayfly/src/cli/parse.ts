import { parseArgs } from 'node:util'
import { nearest } from '../../../../local-service/nearest.ts'
import { type Option, UsageError } from './command.ts'

type Values = Record<string, string | boolean | undefined>

/** The options and arguments of a command. @throws UsageError */
export function parse(
  args: string[],
  options: Record<string, Option>,
): { values: Values; positionals: string[] } {
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

/** Such as ` Did you mean \`--http-port\`?`, with a space at its beginning. */
export function didYouMean(name: string, candidates: string[]): string {
  const word = name.replace(/^-+/, '')
  const best = candidates.find((candidate) => candidate.includes(word)) ?? nearest(name, candidates)
  return best === undefined ? '' : ` Did you mean \`${best}\`?`
}
