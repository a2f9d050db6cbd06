import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { refuse, sendJson, startStub, type TestProxy } from '../client/proxy.ts'
import { type Outcome, runCommands } from './run-commands.ts'

/** The stub answers `doctor STATUS.CODE` with this problem. */
const FAILURES: [command: string, code: number, reason: RegExp][] = [
  ['doctor 400.domain_invalid', 2, /^Title\. Detail\.\n$/],
  [
    'doctor 401.api_key_invalid',
    2,
    /^Title\. Detail\. Does MAYFLY_API_KEY belong to this service\? Without it, a key is created automatically\.\n$/,
  ],
  ['doctor 429.key_quota_exceeded', 3, /Detail\. Set MAYFLY_API_KEY to a key that you have\.\n$/],
  ['doctor 403.domain_key_missing', 2, /Detail\. Set MAYFLY_DOMAIN_KEY to it\.\n$/],
  ['doctor 404.domain_not_found', 2, /Detail\. `mayfly list` shows the domains of this service\.\n$/],
  ['doctor 401.api_key_expired', 2, /Without MAYFLY_API_KEY, a new key is created automatically\.\n$/],
  ['doctor 404.email_not_found', 1, /^Title\. Detail\.\n$/],
  ['doctor 429.rate_limited', 3, /allow more time with `--timeout`\.\n$/],
  ['doctor 500.internal', 3, /^Title\. Detail\.\n$/],
  ['doctor 400.escape', 2, /^Title\. red\n$/],
  ['doctor a/b?c', 3, /GET \/api\/domain\/verify\/a%2Fb%3Fc returned 404/],
  ['doctor 404.page', 3, /does not answer as Mayfly does/],
  ['doctor x --url http://127.0.0.1:9', 3, /MAYFLY_URL \(or `--url`\)/],
  ['doctor x --url nonsense', 2, /"nonsense" is no URL of a service/],
  ['send a@mayfly.test', 2, /^This service has no SMTP address of its own: /],
  [
    'send a@mayfly.test --file /none/mail.eml',
    2,
    /^`--file` cannot be read: ENOENT.* See `mayfly send --help`/,
  ],
  ['send a@mayfly.test --smtp 127.0.0.1', 2, /^`--smtp` must be HOST:PORT, .* not "127\.0\.0\.1"\. /],
  [
    'send a@mayfly.test --smtp [::1]:9',
    3,
    /^No mail server answers at ::1:9 \(\w+\)\. --smtp HOST:PORT selects/,
  ],
  ['list', 1, /^$/],
  ['show', 2, /^The command is `mayfly show ADDRESS \[ID\]`\. See `mayfly show --help`\.\n$/],
  ['show a b c', 2, /^The command is `mayfly show ADDRESS \[ID\]`\. /],
  // Of a shell variable that is not set.
  ['show ', 2, /^ADDRESS is empty\. See `mayfly show --help`\.\n$/],
  ['show a ', 2, /^ID is empty\. /],
  ['clear ', 2, /^ADDRESS is empty\. /],
  ['send ', 2, /^ADDRESS is empty\. /],
  ['mcp x', 2, /^The command is `mayfly mcp`\. /],
  ['run x', 2, /^The program comes after `--`: `mayfly run -- npm test`\. See `mayfly run --help`\.\n$/],
  ['run x -- true', 2, /^`x` is not an option\. /],
  ['lis', 2, /^There is no command "lis"\. Did you mean `list`\? `mayfly --help` lists them\.\n$/],
  ['valueOf', 2, /^There is no command "valueOf"\. .*`mayfly --help` lists them\.\n$/],
  [
    '--htp-port 1',
    2,
    /^There is no option `--htp-port`\. Did you mean `--http-port`\? See `mayfly --help`\.\n$/,
  ],
  [
    '--url http://127.0.0.1:9 new',
    2,
    /^`--url` comes after a command: `mayfly COMMAND --url`\. See `mayfly --help`\.\n$/,
  ],
  ['--url=http://127.0.0.1:9 new', 2, /^`--url` comes after a command: /],
  ['new --prefix a..b', 2, /^No address can begin with "a\.\.b", which is the prefix\.\n$/],
  // What is after `--` is no option.
  ['show -- --api-key b c', 2, /^The command is `mayfly show ADDRESS \[ID\]`\. /],
  ['run --api-key 1 -- true', 2, /^`--api-key` would show a secret /],
  ['wait a --timeout -1', 2, /`--timeout`/],
  [
    'wait a --timeout=',
    2,
    /^`--timeout` must be a number of seconds from 0 to 86400, not ""\. See `mayfly wait --help`/,
  ],
  ['wait a --timeout 86401', 2, /^`--timeout` must be /],
]

describe('a command that fails', () => {
  let stub: TestProxy
  let folder: string
  let outcomes: Outcome[]

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-failures-'))
    stub = await startStub((response, path) => {
      const [, status, code] = /verify\/(\d+)\.(\w+)$/.exec(path) ?? []
      if (path === '/api/domains') sendJson(response, { domains: [] })
      else if (path === '/api/info') sendJson(response, { smtp: null })
      else if (status === undefined || code === undefined || code === 'page')
        response.writeHead(404).end('no')
      else if (code === 'escape') refuse(response, Number(status), code, {}, '\u001b[31mred\u0007')
      else refuse(response, Number(status), code, { 'Retry-After': '59' })
    })
    const calls = FAILURES.map(([command]) => [command.split(' ')])
    outcomes = await runCommands(calls, { env: { MAYFLY_URL: stub.url, XDG_CACHE_HOME: folder } })
  })
  afterAll(async () => {
    await stub?.close()
    await rm(folder, { recursive: true })
  })

  test.each(FAILURES.map(([command, code, reason], i) => [command, code, i, reason] as const))(
    '%s: exit code %d, and the reason on standard error',
    (_, code, i, reason) => {
      expect(outcomes[i]).toEqual({ code, stdout: '', stderr: expect.stringMatching(reason) })
    },
  )

  test('a variable with a wrong value is named', async () => {
    const env = { MAYFLY_URL: stub.url, XDG_CACHE_HOME: folder, MAYFLY_TIMEOUT: '10s' }
    expect(await runCommands([[['list']]], { env })).toEqual([
      {
        code: 2,
        stdout: '',
        stderr:
          'MAYFLY_TIMEOUT must be a number of milliseconds from 0, not "10s". See `mayfly list --help`.\n',
      },
    ])
  })

  test('commands that need no key create none', async () => {
    expect(stub.requests).not.toContainEqual(expect.stringContaining('/api/keys'))
    expect(await readdir(folder)).toEqual([])
  })
})
