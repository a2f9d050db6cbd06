import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { LONG, ROUNDS } from '../faults/rounds.ts'
import { startDns, type TestDns } from '../support/dns-server.ts'
import { freshAddress } from '../support/mail.ts'
import { ended, type RunningService, startService } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { type Edge, PLACEHOLDER, startEdge } from './edge.ts'

/** Installed by .ci/emulator, which the gate runs first. */
const SCHEMATHESIS = new URL('../../.venv/bin/st', import.meta.url).pathname
const SEED = '20261121'
const DOMAIN_KEY = 'a-domain-key'

/** Every check of answers; the other checks concern rules that a schema cannot express. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'unsupported_method',
  'allow_header_conformance',
]

const NAME = 'schemathesis, from the service’s own OpenAPI document'
if (existsSync(SCHEMATHESIS)) describe(NAME, suite)
else {
  process.stderr.write(`LEFT OUT: ${NAME}. It takes Python; .ci/emulator installs it into .venv.\n`)
  describe(NAME, () => test.todo('needs schemathesis'))
}

function suite(): void {
  let dns: TestDns
  let service: RunningService
  let edge: Edge
  let dir: string

  beforeAll(async () => {
    dns = await startDns()
    service = await startService({
      MAYFLY_DNS_SERVER: dns.address,
      MAYFLY_MX_HOST: 'mx.mayfly.example',
      MAYFLY_TRUST_PROXY: '127.0.0.1',
      MAYFLY_DOMAINS: `mayfly.test,p.test=${DOMAIN_KEY}`,
      MAYFLY_LOG_LEVEL: 'error',
    })
    edge = await startEdge(service.http)
    dir = await mkdtemp(join(tmpdir(), 'mayfly-schemathesis-'))
  })

  afterAll(async () => {
    edge?.close()
    await service?.stop()
    await dns?.close()
    if (dir !== undefined) await rm(dir, { recursive: true, force: true })
  })

  async function run(config: string, args: string[]): Promise<{ code: number | null; output: string }> {
    await writeFile(join(dir, 'schemathesis.toml'), config)
    const child = spawn(
      SCHEMATHESIS,
      [
        'run',
        `${edge.url}/api/openapi.json`,
        ...['--seed', SEED, '--phases', 'examples,coverage,fuzzing', '--max-examples', String(8 * ROUNDS)],
        ...['--checks', CHECKS.join(','), '--continue-on-failure', '--request-timeout', '40', '--no-color'],
        ...['-H', `X-API-Key: ${PLACEHOLDER}`],
        ...args,
      ],
      { cwd: dir, env: { PATH: process.env.PATH, HOME: dir } },
    )
    return ended(child)
  }

  const STREAMS = ['/api/sse/{address}', '/api/user-dashboard/sse']
  const withoutStreams = STREAMS.flatMap((path) => ['--exclude-path', path])

  function passed({ code, output }: { code: number | null; output: string }): void {
    if (code !== 0) throw new Error(output)
    expect(output).toMatch(/[1-9]\d* generated/)
    console.log(/^ *\d+ generated.*$/m.exec(output)![0].trim())
    expect(service.output()).not.toMatch(/"level":[56]0/)
  }

  test('with generated values', async () => {
    console.log(
      `Left out: ${STREAMS.join(' and ')}, since a stream does not end; test/faults/streams.test.ts has them.`,
    )
    // A wait may take 25 s.
    passed(await run('[parameters]\n"query.timeout" = 1\n', withoutStreams))
  }, 300_000)

  test('with addresses, ids and keys that exist', async () => {
    const address = freshAddress()
    const secret = freshAddress('p.test')
    const smtp = await SmtpClient.open(service.smtp)
    const mail = [
      'Subject: Your code is 482913',
      'From: =?utf-8?Q?J=C3=BCrgen?= <j@example.org>',
      'To: a@example.org, "b, c" <b@example.org>',
      'Date: Sat, 21 Nov 2026 10:00:00 +0100',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/html',
      '',
      '<a href="https://example.org/verify">x</a>',
      '--b',
      'Content-Type: image/png; name=i.png',
      'Content-Disposition: attachment; filename=i.png',
      'Content-Transfer-Encoding: base64',
      '',
      'iVBORw0K',
      '--b--',
    ].join('\r\n')
    const ids: string[] = []
    for (const to of [address, secret]) {
      for (let i = 0; i < 5; i++) {
        ids.push(/Ok: (\S+)/.exec(await smtp.send('s@example.org', [to], mail))![1]!)
      }
    }
    smtp.close()
    const parameters = [
      '[parameters]',
      '"query.timeout" = 1',
      `"path.address" = ${JSON.stringify(address)}`,
      `"path.id" = ${JSON.stringify(ids[0])}`,
      '"path.n" = "0"',
      '"path.domain" = "some.example"',
    ]
    // Requests that empty the inbox or revoke the key come last.
    const removing = ['clearInbox', 'deleteEmail']
    // A wait without a match takes a second each time.
    const slow = LONG ? [] : ['waitForEmail']
    if (!LONG) console.log('Left out but in the long run: waits on an address that is there.')
    const kept = [...removing, ...slow].flatMap((name) => ['--exclude-operation-id', name])
    passed(await run(parameters.join('\n'), [...withoutStreams, ...kept]))
    const own = parameters.map((line) => line.replace(address, secret).replace(ids[0]!, ids[5]!))
    passed(await run(own.join('\n'), [...withoutStreams, ...kept, '-H', `X-Domain-Key: ${DOMAIN_KEY}`]))
    passed(
      await run(
        parameters.join('\n'),
        removing.flatMap((name) => ['--include-operation-id', name]),
      ),
    )
  }, 600_000)
}
