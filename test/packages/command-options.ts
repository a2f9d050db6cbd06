import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { CLIENTS } from '../adapters/mcp/clients.ts'
import { listening } from '../support/http-server.ts'
import { freshAddress, sendMail } from '../support/mail.ts'
import type { InstalledService } from './installed-service.ts'

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** Every option changes something: an option that is ignored looks as if it worked. */
export function commandOptionTests(started: () => InstalledService): void {
  describe('the options of the command line', () => {
    let key: string
    let address: string

    beforeAll(async () => {
      key = await started().newKey()
      address = freshAddress()
      const mails = [
        { from: 'Alice <alice@shop.example>', subject: 'Welcome', html: '<b>Hello</b>' },
        { from: 'bob@bank.example', subject: 'Invoice', text: 'Your code is 739105.' },
      ]
      for (const mail of mails) await sendMail(started().smtp, { to: address, ...mail })
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
          ADDRESS: address,
          ...env,
        },
      }
      return new Promise((resolve) => {
        execFile('bash', ['-c', script], options, (error, stdout, stderr) => {
          resolve({ code: (error?.code as number | undefined) ?? 0, stdout, stderr })
        })
      })
    }

    test.each([
      ['mayfly list $ADDRESS --from alice | grep -c subject', '1\n'],
      ['mayfly list $ADDRESS --subject voice | grep -o Invoice', 'Invoice\n'],
      ['mayfly list $ADDRESS --q 739105 | grep -c subject', '1\n'],
      ['mayfly list $ADDRESS --has code | grep -c subject', '1\n'],
      ['mayfly wait $ADDRESS --from alice --timeout 0 | grep -o Welcome', 'Welcome\n'],
      ['mayfly wait $ADDRESS --q hello --timeout 0 | grep -o Welcome', 'Welcome\n'],
      ['mayfly code $ADDRESS --from bob --timeout 0', '739105\n'],
      ['mayfly code $ADDRESS --timeout 0 --json | grep -o \'^{"code":"739105"\'', '{"code":"739105"\n'],
      ['mayfly show $ADDRESS $(mayfly list $ADDRESS --from alice | jq -r .id) --html', '<b>Hello</b>\n'],
      ['mayfly show $ADDRESS --raw | grep -c "^Subject: Invoice"', '1\n'],
      ['mayfly new --domain mayfly.test --prefix given | grep -c "^given-.*@mayfly.test$"', '1\n'],
      ['mayfly new --url $MAYFLY_URL --json | jq -r .address | grep -c @', '1\n'],
    ])('%s', async (script, stdout) => {
      expect(await shell(script)).toMatchObject({ stdout, stderr: '' })
    })

    test.each([
      ['--from carol@shop.example', { from: { address: 'carol@shop.example' } }],
      ['--subject Hi', { subject: 'Hi' }],
      ['--text "one two"', { body_text: 'one two\n', codes: [] }],
      ['--html "<a href=https://shop.example/x>x</a>"', { links: ['https://shop.example/x'] }],
      ['--smtp $SMTP', { subject: 'Your verification code' }],
    ])('mayfly send %s', async (options, email) => {
      const { host, port } = started().smtp
      const to = freshAddress()
      const { stdout } = await shell(`mayfly send $TO ${options} > sent.json; mayfly list $TO`, {
        TO: to,
        SMTP: `${host}:${port}`,
      })
      expect(JSON.parse(stdout)).toMatchObject(email)
    })

    test('--domain-key opens a private domain', async () => {
      const { dns, smtp } = started()
      dns.set('MX', 'keyed.example', ['10 mx.mayfly.example'])
      dns.set('TXT', '_mayfly.keyed.example', ['key=the key of the owner'])
      const own = 'mayfly list bot@keyed.example --domain-key'
      await shell('mayfly doctor keyed.example --domain-key "the key of the owner"')
      await sendMail(smtp, { to: 'bot@keyed.example', subject: 'Secret', text: 'x' })
      expect((await shell(`${own} "the key of the owner"`)).stdout).toContain('Secret')
      expect(await shell(`${own} wrong`)).toMatchObject({ code: 2, stdout: '' })
      expect(await shell('mayfly list bot@keyed.example')).toMatchObject({ code: 2, stdout: '' })
    })

    test('a rate limit that outlasts the command is exit code 3: a later attempt can succeed', async () => {
      const { url, close } = await listening(
        createServer((_request, response) => {
          response.writeHead(429, { 'Content-Type': 'application/problem+json', 'Retry-After': '59' })
          response.end(JSON.stringify({ code: 'rate_limited', title: 'Too many requests', detail: '' }))
        }),
      )
      expect(await shell('mayfly list a@mayfly.test', { MAYFLY_URL: url })).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('Too many requests'),
      })
      await close()
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
