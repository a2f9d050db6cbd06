import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../support/eventually.ts'
import { freePort, listens } from '../support/ports.ts'
import { unpacked } from './installed.ts'

export interface Nginx {
  url: string
  close(): Promise<void>
}

/** Starts nginx in front of a service with no setting but `proxy_pass`. */
export async function startNginx(target: string): Promise<Nginx> {
  const dir = await mkdtemp(join(tmpdir(), 'mayfly-nginx-'))
  const port = await freePort()
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${dir}/${name};`,
  )
  const config = [
    `daemon off; master_process off; pid ${dir}/pid; error_log ${dir}/error.log; events {}`,
    'http {',
    '  access_log off;',
    ...paths,
    `  server { listen 127.0.0.1:${port}; location / { proxy_pass ${target}; } }`,
    '}',
  ]
  await writeFile(join(dir, 'nginx.conf'), config.join('\n'))
  const nginx = spawn(
    unpacked('nginx', 'usr/sbin/nginx'),
    ['-p', dir, '-e', join(dir, 'error.log'), '-c', join(dir, 'nginx.conf')],
    { stdio: 'inherit' },
  )
  const ended = once(nginx, 'close')
  await eventually('nginx', () => listens(port))
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      nginx.kill()
      await ended
      await rm(dir, { recursive: true })
    },
  }
}
