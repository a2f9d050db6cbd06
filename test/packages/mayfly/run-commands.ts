import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const MAIN = new URL('../../../packages/mayfly/src/cli/main.ts', import.meta.url).href

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

interface Surroundings {
  env: Record<string, string>
  /** Whether standard output and standard error are a terminal, or one of them. */
  isTerminal?: boolean | 'stdout'
}

/** Calls the command line for each list of arguments, and prints the outcomes as JSON. */
const SCRIPT = `
const { main } = await import('${MAIN}')
const [rows, isTerminal] = JSON.parse(process.argv[1])
const outcomes = []
const { stdout, stderr } = process
const print = stdout.write.bind(stdout)
stdout.setMaxListeners(0)
for (const [name, stream] of Object.entries({ stdout, stderr })) {
  stream.isTTY = isTerminal === true || isTerminal === name
  stream.write = (chunk) => {
    outcomes.at(-1)[name] += Buffer.from(chunk)
    // Only \`watch\` listens: it ends by a signal, after its first mail.
    if (name === 'stdout') process.emit('SIGTERM')
    return true
  }
}
for (const row of rows) {
  outcomes.push({})
  for (const argv of row) {
    Object.assign(outcomes.at(-1), { stdout: '', stderr: '' })
    process.exitCode = 0
    await main(argv)
    outcomes.at(-1).code = process.exitCode
  }
}
process.exitCode = 0
print(JSON.stringify(outcomes))
`

/**
 * The outcome of the last command of each row. All run in one process, one after the other, because
 * a process for each would take most of the time of a test.
 *
 * @param rows the commands of each row, as lists of arguments
 */
export async function runCommands(
  rows: string[][][],
  { env, isTerminal = false }: Surroundings,
): Promise<Outcome[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
      '--eval',
      SCRIPT,
      JSON.stringify([rows, isTerminal]),
    ],
    { env: { PATH: process.env.PATH ?? '', ...env }, maxBuffer: 2 ** 24 },
  )
  return JSON.parse(stdout) as Outcome[]
}
