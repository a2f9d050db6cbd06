import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/ports.ts'
import { startService } from '../support/service.ts'

const isInstalled = spawnSync('haproxy', ['-v']).error === undefined
if (!isInstalled) process.stderr.write('LEFT OUT: "a health check of HAProxy": haproxy is not installed\n')

;(isInstalled ? test : test.skip).each([
  ['without a request of its own', 'option httpchk'],
  ['with a path', 'option httpchk GET /api/health'],
])('the health check of HAProxy, by HTTP/1.0 without Host, finds the service: %s', async (_what, check) => {
  const service = await startService()
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-haproxy-'))
  const port = await freePort()
  const config = `
defaults
  mode http
  timeout connect 5s
  timeout client 5s
  timeout server 5s
  timeout check 60s
frontend f
  bind 127.0.0.1:${port}
  default_backend b
backend b
  ${check}
  server s ${new URL(service.http).host} check inter 100ms rise 1 fall 1
`
  await writeFile(join(folder, 'haproxy.cfg'), config)
  const proxy = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [proxy.stdout, proxy.stderr]) stream.on('data', (chunk) => (log += chunk))
  try {
    const status = () =>
      fetch(`http://127.0.0.1:${port}/api/health`).then(
        (answer) => answer.status,
        () => 0,
      )
    await eventually('an answer through the proxy', async () => (await status()) === 200)
    // A check that fails takes the server out at once.
    let own = 0
    await eventually('five checks', async () => (await answered(service.http)) - ++own > 5)
    expect([await status(), /is DOWN/.test(log)]).toEqual([200, false])
  } finally {
    proxy.kill()
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

/** The number of requests that the service has answered with success, those for its metrics included. */
async function answered(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const counts = [...metrics.matchAll(/requests_total\{status="20[04]"\} (\d+)/g)]
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}
