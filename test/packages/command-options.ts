import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { CLIENTS } from '../adapters/mcp/clients.ts'
import { listening } from '../support/http-server.ts'
import { sendMail } from '../support/mail.ts'
import type { InstalledService } from './installed-service.ts'

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** Commands that need DNS or a service of their own. test/packages/mayfly/commands.test.ts has every option. */
export function commandOptionTests(started: () => InstalledService): void {
  describe('the command line, with DNS or a service of its own', () => {
    let key: string

    beforeAll(async () => {
      key = await started().newKey()
    })

    function shell(script: string, env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
      const { folder, url } = started()
      const options = {
        cwd: folder,
        env: {
          PATH: `${join(folder, 'node_modules/.bin')}:${join(process.execPath, '..')}:${process.env.PATH}`,
          HOME: folder,
          XDG_CACHE_HOME: join(folder, 'cache'),
          MAYFLY_URL: url,
          MAYFLY_API_KEY: key,
          ...env,
        },
      }
      return new Promise((resolve) => {
        execFile('bash', ['-c', script], options, (error, stdout, stderr) => {
          resolve({ code: (error?.code as number | undefined) ?? 0, stdout, stderr })
        })
      })
    }

    test('MAYFLY_DOMAIN_KEY opens a private domain', async () => {
      const { dns, smtp } = started()
      dns.set('MX', 'keyed.example', ['10 mx.mayfly.example'])
      dns.set('TXT', '_mayfly.keyed.example', ['key=the key of the owner'])
      const list = 'mayfly list bot@keyed.example'
      await shell('MAYFLY_DOMAIN_KEY="the key of the owner" mayfly doctor keyed.example')
      await sendMail(smtp, { to: 'bot@keyed.example', subject: 'Secret', text: 'x' })
      expect((await shell(`MAYFLY_DOMAIN_KEY="the key of the owner" ${list}`)).stdout).toContain('Secret')
      expect(await shell(`MAYFLY_DOMAIN_KEY=wrong ${list}`)).toMatchObject({ code: 2, stdout: '' })
      expect(await shell(list)).toMatchObject({ code: 2, stdout: '' })
    })

    test('run: the program has a service without limits, and its exit code is passed on', async () => {
      const script = `mayfly run --domains run.test --no-smtp-faults -- sh -c '
        address=$(mayfly new)
        mayfly send "$address" --text "Your code is 445566." > /dev/null
        mayfly code "$address"
        curl -s -D - -o /dev/null -H "X-API-Key: $MAYFLY_API_KEY" "$MAYFLY_URL/api/emails/$address" | grep -ic ^ratelimit
        echo "$SMTP_HOST \${address#*@}"
        exit 7'`
      expect(await shell(script, { MAYFLY_API_KEY: '' })).toMatchObject({
        code: 7,
        stdout: '445566\n0\n127.0.0.1 run.test\n',
        stderr: '',
      })
    })

    test('run: a signal that ends the program is its exit code', async () => {
      expect(await shell("mayfly run -- sh -c 'kill -TERM $$'")).toMatchObject({ code: 143 })
    })

    describe('mcp without a service', () => {
      let client: Awaited<ReturnType<(typeof CLIENTS)[string]>>

      beforeAll(async () => {
        const { folder } = started()
        // A port on which nothing listens: the server was closed.
        const { url, close } = await listening(createServer())
        await close()
        const connect = CLIENTS['of 2026-07-28']
        if (connect === undefined) throw new Error('There is no client of that specification.')
        client = await connect({
          command: join(folder, 'node_modules/.bin/mayfly'),
          args: ['mcp'],
          env: { PATH: `${join(process.execPath, '..')}:${process.env.PATH}`, HOME: folder, MAYFLY_URL: url },
        })
      })
      afterAll(() => client?.close())

      test('starts one', async () => {
        const { structuredContent } = await client.call('create_inbox', {})
        expect(structuredContent).toMatchObject({ address: expect.stringMatching(/@mayfly\.test$/) })
      })
    })
  })
}
