import { beforeAll, expect, test } from '@jest/globals'
import manifest from '../../../packages/mayfly/package.json' with { type: 'json' }
import { type Outcome, runCommands } from './run-commands.ts'

const COMMANDS = 'new wait code link list show watch clear send doctor mcp completion'.split(' ')
const PAGES = [
  '--help',
  'run --help',
  ...COMMANDS.map((name) => `${name} --help`),
  ...['bash', 'zsh', 'fish'].map((shell) => `completion ${shell}`),
]
/** Other ways to the same text. */
const SAME: [command: string, page: string][] = [
  ['-h', '--help'],
  ['help', '--help'],
  ['help valueOf', '--help'],
  ['--http-port 1 --help', '--help'],
  ['--catch-all -h', '--help'],
  ['run -h', 'run --help'],
  ['run --domains a.test --help -- true', 'run --help'],
  ['wait -h', 'wait --help'],
  ['wait a@mayfly.test -h', 'wait --help'],
  ['help run', 'run --help'],
  ['help wait', 'wait --help'],
  ['wait a@mayfly.test --json --help', 'wait --help'],
  ['-v', '--version'],
]

let outcomes: Map<string, Outcome>

beforeAll(async () => {
  const commands = [...PAGES, ...SAME.flat()]
  const results = await runCommands(
    commands.map((command) => [command.split(' ')]),
    { env: {} },
  )
  outcomes = new Map(commands.map((command, i) => [command, results[i] as Outcome]))
})

/** Text that users and their shells read: `npm test -- -u` accepts a change. */
test.each(PAGES)('mayfly %s', (page) => {
  expect(outcomes.get(page)).toMatchObject({ code: 0, stderr: '' })
  expect(outcomes.get(page)?.stdout).toMatchSnapshot()
})

test('mayfly --version is the version of the package', () => {
  expect(outcomes.get('--version')).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
})

test.each(SAME)('mayfly %s is mayfly %s', (command, page) => {
  expect(outcomes.get(command)).toMatchObject({ code: 0, stderr: '' })
  expect(outcomes.get(command)).toEqual(outcomes.get(page))
})
