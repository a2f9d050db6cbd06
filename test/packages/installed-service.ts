import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startDns, type TestDns } from '../support/dns-server.ts'
import { type Installed, install } from './installed.ts'

/** A project with the installed packages, and a service that its command has started. */
export interface InstalledService extends Installed {
  url: string
  smtp: { host: string; port: number }
  dns: TestDns
  /** A new key for each caller, so that they share no limit of a key or a client address. */
  newKey(): Promise<string>
}

export async function startInstalled(): Promise<InstalledService> {
  const installed = await install()
  const dns = await startDns()
  const { url, smtp, stop } = await startCommand(installed.folder, {
    MAYFLY_CATCH_ALL: 'off',
    // A page of another origin uses the SDK, too.
    MAYFLY_CORS_ORIGINS: '*',
    MAYFLY_DNS_SERVER: dns.address,
    MAYFLY_MX_HOST: 'mx.mayfly.example',
  })
  let clients = 0
  return {
    ...installed,
    url,
    smtp,
    dns,
    async newKey() {
      const headers = { 'X-Forwarded-For': `203.0.113.${++clients}` }
      const answer = await fetch(`${url}/api/keys`, { method: 'POST', headers })
      return ((await answer.json()) as { key: string }).key
    },
    async remove() {
      await stop()
      await dns.close()
      await installed.remove()
    },
  }
}

/** Starts the installed command as a shell does; resolves when it is ready. */
async function startCommand(folder: string, env: Record<string, string>) {
  const began = performance.now()
  const child = spawn(join(folder, 'node_modules/.bin/mayfly'), [], {
    cwd: folder,
    env: {
      PATH: `${join(process.execPath, '..')}:${process.env.PATH}`,
      XDG_CACHE_HOME: join(folder, 'service-cache'),
      MAYFLY_HTTP_PORT: '0',
      MAYFLY_SMTP_PORT: '0',
      MAYFLY_TRUST_PROXY: '127.0.0.1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url, host, port] = /^mayfly ready http=(\S+) smtp=(\S+):(\d+)$/.exec(line) ?? []
    if (url === undefined) continue
    process.stderr.write(`mayfly: ready in ${Math.round(performance.now() - began)} ms\n`)
    return {
      url,
      smtp: { host: host ?? '', port: Number(port) },
      stop: () => {
        const exit = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGTERM')
        return exit
      },
    }
  }
  throw new Error(`the command ended before it was ready:\n${errors}`)
}
