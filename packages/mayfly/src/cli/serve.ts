import { homedir } from 'node:os'
import { join } from 'node:path'
import { withSqlite } from '../platform.ts'
import { temporaryFolder } from '../start.ts'
import { configIn, type MayflyConfig, VARIABLES, type VariableName } from '../variables.ts'
import { type Option, UsageError } from './command.ts'
import { parse, secretOption } from './parse.ts'

const NAMES = Object.keys(VARIABLES) as VariableName[]

/** The options of the service by name: `http-port` for MAYFLY_HTTP_PORT. Secrets are not among them. */
export const SERVICE_OPTIONS: Record<string, Option> = Object.fromEntries(
  NAMES.filter((name) => name !== 'MAYFLY_API_KEYS').map((name) => [
    optionOf(name),
    { type: 'string', ...VARIABLES[name] },
  ]),
)
const FLAGS = NAMES.filter((name) => VARIABLES[name].value === 'on|off').map(optionOf)

/** Runs the service until a signal ends it. @throws UsageError, Error in a Node without SQLite */
export async function serve(argv: string[]): Promise<void> {
  const config = { ...configIn(process.env), ...configOf(argv) }
  config.MAYFLY_DATA_DIR ??= await dataFolder(config)
  const { runLocalService } = await withSqlite(() => import('../../../../local-service/run.ts'))
  await runLocalService({ ...process.env, ...config })
}

/**
 * The configuration that options give. `--catch-all` and `--no-catch-all` are short for on and off.
 */
export function configOf(argv: string[]): MayflyConfig {
  const args = argv.map((arg) => {
    const [, no, name = ''] = /^--(no-)?(.*)$/.exec(arg) ?? []
    return FLAGS.includes(name) ? `--${name}=${no === undefined ? 'on' : 'off'}` : arg
  })
  const { values, positionals } = parse(args, SERVICE_OPTIONS)
  if (positionals.length > 0) {
    throw new UsageError(`\`${positionals[0]}\` is not an option. A command comes first: \`mayfly COMMAND\`.`)
  }
  // A password after a user name, and the key of a domain after its name.
  if (String(values['smtp-auth'] ?? '').includes(':')) throw secretOption('smtp-auth', 'MAYFLY_SMTP_AUTH')
  if (String(values.domains ?? '').includes('=')) throw secretOption('domains', 'MAYFLY_DOMAINS')
  return Object.fromEntries(NAMES.flatMap((name) => entryOf(name, values[optionOf(name)])))
}

function entryOf(name: VariableName, value: string | boolean | undefined): [VariableName, string][] {
  return typeof value === 'string' ? [[name, value]] : []
}

function optionOf(name: VariableName): string {
  return name.slice('MAYFLY_'.length).toLowerCase().replaceAll('_', '-')
}

/**
 * In the cache folder of the user, because a folder in the current project would end up in its
 * repository. Services on several ports have a folder each; one on a free port cannot be found
 * again, so neither does it keep its mail.
 */
export async function dataFolder({ MAYFLY_HTTP_PORT: port = '8025' }: MayflyConfig): Promise<string> {
  if (!/^[1-9]\d*$/.test(port)) return temporaryFolder()
  try {
    return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'mayfly', `data-${port}`)
  } catch {
    return temporaryFolder() // A user without a home folder.
  }
}
