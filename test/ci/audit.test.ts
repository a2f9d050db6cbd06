import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { listening } from '../support/http-server.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PROGRAM = `${ROOT}.ci/audit.mjs`
/** npm first requests advisories for every package, then details of the packages with findings. */
const BULK = '/-/npm/v1/security/advisories/bulk'

const advisory = (severity: string) => ({
  hono: [{ id: 1, url: 'https://advisories.example/1', title: 'A test', severity, vulnerable_versions: '*' }],
})

function packument(name: string) {
  const manifest = JSON.parse(readFileSync(`${ROOT}node_modules/${name}/package.json`, 'utf8'))
  return { name, versions: { [manifest.version]: manifest } }
}

/** Runs the real npm with a registry that gives this answer and knows the installed versions. */
async function audited(status: number, advisories: object): Promise<{ code: number; output: string }> {
  const server = createServer((request, response) => {
    const isBulk = request.url === BULK
    response.statusCode = isBulk ? status : 200
    const answer = isBulk ? advisories : packument(decodeURIComponent(request.url!.slice(1)))
    request.resume().on('end', () => response.end(JSON.stringify(answer)))
  })
  const registry = await listening(server)
  // A separate cache, because npm caches answers about packages.
  const cache = await mkdtemp(join(tmpdir(), 'mayfly-audit-'))
  const npm = {
    npm_config_registry: registry.url,
    npm_config_cache: cache,
    npm_config_fetch_retries: '0',
    // Otherwise npm asks the registry for its own newest version, unless the environment says that this is CI.
    npm_config_update_notifier: 'false',
  }
  const env = { ...process.env, ...npm }
  try {
    return await new Promise((resolve) =>
      execFile(process.execPath, [PROGRAM, 'vulnerabilities'], { env }, (error, stdout) =>
        resolve({ code: Number(error?.code ?? 0), output: stdout }),
      ),
    )
  } finally {
    await registry.close()
    await rm(cache, { recursive: true, force: true })
  }
}

test.each(['high', 'critical'])(
  'a vulnerability of the product with the severity %s fails',
  async (severity) => {
    const { code, output } = await audited(200, advisory(severity))
    expect([code, output]).toEqual([1, expect.stringContaining(`hono *: ${severity}`)])
  },
)

test('less severe vulnerabilities, or none, do not fail', async () => {
  expect(await audited(200, advisory('moderate'))).toEqual({
    code: 0,
    output: 'vulnerabilities: nothing found\n',
  })
  expect(await audited(200, {})).toEqual({ code: 0, output: 'vulnerabilities: nothing found\n' })
})

test('a registry that does not respond is not a success, and the reason is printed', async () => {
  const { code, output } = await audited(405, {})
  expect([code, output]).toEqual([75, expect.stringMatching(/^LEFT OUT: vulnerabilities .*audit endpoint/)])
})
