import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { type RunningMayfly, startMayfly } from '../start.ts'
import { configIn } from '../variables.ts'
import { UsageError } from './command.ts'
import { configOf } from './serve.ts'

export const RUN_EXAMPLES = ['mayfly run -- npm test', 'mayfly run --domains shop.test -- pytest -q']

/**
 * `mayfly run [OPTIONS] -- PROGRAM …`: starts a service on free ports, runs the program with the
 * variables that describe it, and stops the service.
 * @returns the exit code of the program; 128 and the number of the signal that ended it, as shells
 *   do; 3 if the service cannot start
 * @throws UsageError
 */
export async function runProgram(argv: string[]): Promise<number> {
  const at = argv.indexOf('--')
  const [program, ...args] = at === -1 ? [] : argv.slice(at + 1)
  if (program === undefined) throw new UsageError('The program comes after `--`: `mayfly run -- npm test`.')
  const config = { ...configIn(process.env), ...configOf(argv.slice(0, at)) }
  const service = await startMayfly(config).catch(explained)
  if (service === undefined) return 3
  try {
    return await exitCode(program, args, environment(service))
  } finally {
    await service.stop()
  }
}

/** Prints why the service does not start. @throws the error if the user cannot fix it */
async function explained(error: unknown): Promise<undefined> {
  const { startFailure } = await import('../../../../local-service/start-failure.ts')
  const sentences = await startFailure(error)
  if (sentences === undefined) throw error
  console.error(sentences)
}

function environment({ url, smtp, apiKey }: RunningMayfly): NodeJS.ProcessEnv {
  return {
    ...process.env,
    MAYFLY_URL: url,
    MAYFLY_API_KEY: apiKey,
    SMTP_HOST: smtp.host,
    SMTP_PORT: String(smtp.port),
  }
}

async function exitCode(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  // On Windows, npm and its like are scripts that only a shell can run.
  const child = spawn(program, args, { env, stdio: 'inherit', shell: process.platform === 'win32' })
  // A terminal sends SIGINT to the program as well; this process must outlive it to stop the
  // service.
  process.on('SIGINT', () => {}).on('SIGTERM', () => child.kill('SIGTERM'))
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
    return code ?? 128 + (signal === null ? 0 : constants.signals[signal])
  } catch (error) {
    console.error(`\`${program}\` did not start: ${(error as Error).message}`)
    return 127
  }
}
