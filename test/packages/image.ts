import { execFile, spawn } from 'node:child_process'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { IMAGE_STAGE } from '../support/container.ts'
import { sendMail } from '../support/mail.ts'
import { freePort } from '../support/ports.ts'

const run = promisify(execFile)

/**
 * Assembles the file tree of the image from this machine's own, read-only except for /data and /tmp, and runs a command
 * in it as another user without any capability. This needs namespaces, but no container engine.
 */
const IN_IMAGE = `
set -eu
tree=$1 app=$2 data=$3 node=$4 user=$5; shift 5
mkdir -p "$tree"
mount --bind "$tree" "$tree"
for name in bin lib lib64 usr etc app data proc dev tmp; do mkdir -p "$tree/$name"; done
for name in bin lib lib64 usr etc dev proc; do [ -e "/$name" ] && mount --rbind "/$name" "$tree/$name"; done
mount --bind "$app" "$tree/app"
mount -o remount,bind,ro "$tree/app"
mkdir -p "$tree/opt"; touch "$tree/opt/node"
mount --bind "$node" "$tree/opt/node"
mount -t tmpfs tmpfs "$tree/tmp"
mount --bind "$data" "$tree/data"
mount -o remount,bind,ro "$tree"
exec /usr/sbin/chroot "$tree" /usr/bin/setpriv --reuid="$user" --regid="$user" --clear-groups --inh-caps=-all --no-new-privs "$@"
`

interface Image {
  env: Record<string, string>
  workdir: string
  user: string
  entryPoint: string[]
  health: string[]
}

/** What the last stage of the Dockerfile sets. */
function image(): Image {
  const one = (pattern: RegExp) => pattern.exec(IMAGE_STAGE)?.[1] ?? ''
  return {
    env: Object.fromEntries(
      one(/^ENV (.*)$/m)
        .split(' ')
        .map((pair) => pair.split('=') as [string, string]),
    ),
    workdir: one(/^WORKDIR (.*)$/m),
    user: one(/^USER (\d+):\d+$/m),
    entryPoint: JSON.parse(one(/^ENTRYPOINT (.*)$/m)),
    health: JSON.parse(one(/^HEALTHCHECK .*?CMD (.*)$/m)),
  }
}

export function imageTests(folder: () => string): void {
  describe('the image', () => {
    test('runs as another user, writes only to /data, and answers its health check', async () => {
      const able = await run('unshare', ['--mount', 'true']).then(
        () => true,
        () => false,
      )
      if (!able) {
        process.stderr.write('LEFT OUT: the image needs `unshare --mount`, which this user may not run.\n')
        return
      }
      const { env, workdir, user, entryPoint, health } = image()
      const data = join(folder(), 'image-data')
      await mkdir(data)
      // A temporary folder is closed to other users; the image is not.
      await chmod(folder(), 0o755)
      await run('chown', [user, data])
      const inside = (program: string[]) => {
        const tree = join(folder(), 'image')
        const app = folder()
        const script = ['--mount', '--propagation', 'private', 'sh', '-c', IN_IMAGE, 'sh']
        const words = program.map((word, i) => (i === 0 && word === '/nodejs/bin/node' ? '/opt/node' : word))
        const shell = ['/bin/sh', '-c', `cd ${workdir} && exec "$@"`, 'sh', ...words]
        return [...script, tree, app, data, process.execPath, user, ...shell]
      }
      const port = await freePort()
      const environment = {
        PATH: '/usr/bin:/bin',
        ...env,
        MAYFLY_HTTP_PORT: `${port}`,
        MAYFLY_SMTP_PORT: '0',
      }

      const child = spawn('unshare', inside(entryPoint), {
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let errors = ''
      child.stderr.on('data', (chunk: Buffer) => {
        errors += chunk
      })
      let ready: RegExpExecArray | null = null
      for await (const line of createInterface({ input: child.stdout })) {
        ready = /^mayfly ready http=(\S+) smtp=\S+:(\d+)$/.exec(line)
        if (ready !== null) break
      }
      try {
        expect([ready?.[1], ready === null ? errors : '']).toEqual([`http://0.0.0.0:${port}`, ''])
        await sendMail({ host: '127.0.0.1', port: Number(ready?.[2]) }, { to: 'a@mayfly.test', text: 'x' })
        const answer = await fetch(`http://127.0.0.1:${port}/api/public/emails/a@mayfly.test`)
        expect(await answer.json()).toMatchObject({ emails: [{ body_text: 'x\n' }] })
        await run('unshare', inside(health), { env: environment })
        const argument = await run('unshare', inside([...entryPoint, 'list']), {
          env: { ...environment, MAYFLY_URL: `http://127.0.0.1:${port}` },
        })
        expect(argument.stdout).toContain('"domain":"mayfly.test"')
        // No browser opens 0.0.0.0.
        expect(errors).toContain(`In a browser:     http://localhost:${port}/`)
        const write = run('unshare', inside(['sh', '-c', 'id -u; touch /app/x || touch /x']), {
          env: environment,
        })
        await expect(write).rejects.toMatchObject({
          stdout: `${user}\n`,
          stderr: expect.stringMatching(/Read-only file system[\s\S]*Read-only file system/),
        })
      } finally {
        const exit = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGTERM')
        await exit
      }
      expect(child.exitCode).toBe(0)
      await expect(run('unshare', inside(health), { env: environment })).rejects.toMatchObject({ code: 1 })
    })
  })
}
