import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, test } from '@jest/globals'
import { CLIENTS } from '../adapters/mcp/clients.ts'
import { freshAddress, sendMail } from '../support/mail.ts'
import type { InstalledService } from './installed-service.ts'

/** The client of the newest specification. */
function mcpClient(command: Parameters<(typeof CLIENTS)[string]>[0]) {
  const connect = CLIENTS['of 2026-07-28']
  if (connect === undefined) throw new Error('There is no client of that specification.')
  return connect(command)
}

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** The installed command, as a shell or a script runs it. Each option: test/packages/mayfly/commands.test.ts. */
export function commandLineTests(started: () => InstalledService): void {
  describe('the command line', () => {
    let key: Promise<string> | undefined

    async function environment(): Promise<NodeJS.ProcessEnv> {
      key ??= started().newKey()
      const path = `${join(started().folder, 'node_modules/.bin')}:${join(process.execPath, '..')}:${process.env.PATH}`
      return {
        PATH: path,
        HOME: started().folder,
        XDG_CACHE_HOME: join(started().folder, 'cache'),
        MAYFLY_URL: started().url,
        MAYFLY_API_KEY: await key,
      }
    }

    async function shell(script: string, env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
      const options = { cwd: started().folder, env: { ...(await environment()), ...env } }
      return new Promise((resolve) => {
        execFile('bash', ['-c', script], options, (error, stdout, stderr) => {
          resolve({ code: (error?.code as number | undefined) ?? 0, stdout, stderr })
        })
      })
    }

    test('the main job in a shell: an address, a mail, its code', async () => {
      const { stdout, stderr, code } = await shell(`set -e
        address=$(mayfly new --prefix signup)
        mayfly send "$address" --text 'Your code is 73 91 05' > sent.json
        echo "$address $(mayfly code "$address" --timeout 10)"`)
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(/^signup-[a-z]+\d+@mayfly\.test 739105\n$/)
    })

    // npx takes an option that no command precedes for its own: it ignored --catch-all=off.
    test('npx as the documentation writes it leaves the options to the command', async () => {
      const pages = ['cli.md', 'recipes.md', 'configuration.md']
      const texts = await Promise.all(
        pages.map((page) => readFile(new URL(`../../docs/${page}`, import.meta.url), 'utf8')),
      )
      const forms = texts.map((text) => /npx --no.*? ?mayfly/.exec(text)?.[0])
      const { stdout: version } = await shell('mayfly --version')
      for (const form of forms) expect((await shell(`${form} --version`)).stdout).toBe(version)
    })

    test('a wait that begins before the mail is sent', async () => {
      const address = freshAddress()
      const waiting = shell(`mayfly wait ${address} --subject hello --timeout 20 | head -1`)
      await sendMail(started().smtp, { to: address, subject: 'Other', text: 'x' })
      await sendMail(started().smtp, { to: address, subject: 'Say Hello', text: 'x' })
      expect(JSON.parse((await waiting).stdout)).toMatchObject({ address, subject: 'Say Hello' })
    })

    test('list, show and link: JSON lines in a pipe', async () => {
      const address = freshAddress()
      const html = '<p>Hello</p><a href="https://shop.example/verify?t=1">Confirm your email address</a>'
      await sendMail(started().smtp, { to: address, subject: 'One', html })
      await sendMail(started().smtp, { to: address, subject: 'Two', text: 'https://shop.example/terms' })
      const { stdout } = await shell(`mayfly list ${address}
        mayfly link ${address}
        mayfly link ${address} --match /terms --json
        mayfly show ${address} --raw | head -100 | grep -c '^Subject: Two'
        mayfly list`)
      const [two, one, link, terms, count, domain] = stdout.trimEnd().split('\n')
      expect([two, one].map((line) => JSON.parse(line!).subject)).toEqual(['Two', 'One'])
      expect(link).toBe('https://shop.example/verify?t=1')
      expect(JSON.parse(terms!)).toMatchObject({
        link: 'https://shop.example/terms',
        email: { subject: 'Two' },
      })
      expect([count, JSON.parse(domain!).domain]).toEqual(['1', 'mayfly.test'])
    })

    test('on a terminal: columns without control characters of the mail', async () => {
      const address = freshAddress()
      const subject = 'a\u001b[2J\u001b]0;owned\u0007\u202eb'
      await sendMail(started().smtp, { to: address, subject, text: 'x\u001b[31m\u009b1mred' })
      const { stdout } = await shell(
        `script -qec 'mayfly list ${address}; mayfly show ${address}' /dev/null < /dev/null`,
        { NO_COLOR: '1', TERM: 'xterm' },
      )
      expect(stdout).toContain('Subject')
      for (const control of '\u001b\u009b\u0007\u202e') expect(stdout).not.toContain(control)
    })

    test('watch: each mail as it arrives', async () => {
      const address = freshAddress()
      const bin = join(started().folder, 'node_modules/.bin/mayfly')
      const child = spawn(bin, ['watch', address], {
        env: await environment(),
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      const first = lines.next()
      // The command does not show when it listens, so mails are sent until it prints one.
      let seen = false
      void first.then(() => {
        seen = true
      })
      for (let n = 0; !seen && n < 100; n++) {
        await sendMail(started().smtp, { to: address, subject: `watched`, text: 'x' })
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      expect(JSON.parse((await first).value ?? '')).toMatchObject({ address, subject: 'watched' })
      child.kill('SIGINT')
      expect((await once(child, 'exit'))[0]).toBe(0)
    })

    test('doctor: which records are missing', async () => {
      const { code, stdout } = await shell('mayfly doctor nowhere.example')
      expect(code).toBe(1)
      expect(JSON.parse(stdout)).toMatchObject({
        verified: false,
        records: [{ type: 'MX', found: false }, {}],
      })
      started().dns.set('MX', 'here.example', ['10 mx.mayfly.example'])
      // A private domain, so that no other test receives an address on it.
      started().dns.set('TXT', '_mayfly.here.example', ['key=the key of the owner'])
      const there = await shell('MAYFLY_DOMAIN_KEY="the key of the owner" mayfly doctor here.example')
      expect([there.code, JSON.parse(there.stdout)]).toMatchObject([0, { verified: true, private: true }])
    })

    test.each([
      ['mayfly frobnicate', 2, /no command "frobnicate".*--help/],
      ['mayfly wait', 2, /mayfly wait ADDRESS.*--help/],
      ['mayfly wait a@mayfly.test b@mayfly.test', 2, /mayfly wait ADDRESS/],
      ['mayfly wait a@mayfly.test --timeout soon', 2, /`--timeout` must be a number.*"soon"/],
      ['mayfly wait a@mayfly.test --has money', 2, /`--has` must be one of code/],
      ['mayfly code a@mayfly.test --subjct x', 2, /no option `--subjct`\. Did you mean `--subject`\?/],
      ['mayfly code a@mayfly.test --timeout', 2, /`--timeout` needs a value/],
      ['mayfly code a@mayfly.test --json=yes', 2, /`--json` takes no value/],
      ['mayfly --port 3', 2, /no option `--port`\. Did you mean `--http-port`\?/],
      ['mayfly --http-port x', 78, /MAYFLY_HTTP_PORT must be/],
      ['mayfly run', 2, /mayfly run -- npm test/],
      ['mayfly run --domains x -- true', 2, /MAYFLY_DOMAINS has "x"/],
      ['mayfly run -- no-such-program', 127, /`no-such-program` did not start/],
      [
        'mayfly code nobody',
        2,
        /^The address is not valid\. Give a complete address such as bot42@example\.com\./,
      ],
      ['mayfly code a@nowhere.test', 2, /not registered/],
      ['mayfly new --domain nowhere.test', 2, /not registered.*`mayfly list`/],
      ['mayfly new --prefix "a b"', 2, /No address can begin with "a b"/],
      ['mayfly --url nonsense new', 2, /`--url` comes after a command/],
      ['mayfly new --url nonsense', 2, /is no URL of a service/],
      ['MAYFLY_API_KEY=mf_wrong mayfly list a@mayfly.test', 2, /MAYFLY_API_KEY/],
      ['mayfly completion powershell', 2, /bash, zsh and fish/],
      ['mayfly send a@mayfly.test --smtp nowhere', 2, /HOST:PORT/],
      ['mayfly send a@mayfly.test --file nowhere.eml', 2, /nowhere\.eml/],
      ['mayfly send a@nowhere.test', 1, /refused.*5\.1\.2/],
      ['mayfly send a@mayfly.test --smtp 127.0.0.1:1', 3, /No mail server answers/],
      ['mayfly new --url http://127.0.0.1:9', 3, /No service answers at .*`mayfly`/],
      ['mayfly show a@mayfly.test 01J00000000000000000000000', 1, /no such email/i],
      ['mayfly show empty@mayfly.test', 1, /^No mail for empty@mayfly\.test\.\n$/],
      ['mayfly list empty@mayfly.test', 1, /^No matching mail for empty@mayfly\.test\.\n$/],
      [
        'mayfly code empty@mayfly.test --timeout 0.2',
        1,
        /No mail with a code arrived for empty@mayfly\.test within 200 ms/,
      ],
    ])('%s: exit code %d and a reason', async (script, code, words) => {
      const outcome = await shell(script)
      expect([outcome.code, outcome.stderr]).toEqual([code, expect.stringMatching(words)])
      expect(outcome.stderr).not.toMatch(/\bat .*:\d+:\d+/)
    })

    test('mcp: tools for an agent, of the service at MAYFLY_URL', async () => {
      const command = join(started().folder, 'node_modules/.bin/mayfly')
      const env = (await environment()) as Record<string, string>
      const client = await mcpClient({ command, args: ['mcp'], env })
      const { address } = (await client.call('create_inbox', {})).structuredContent as { address: string }
      const waiting = client.call('wait_for_code', { address })
      await sendMail(started().smtp, { to: address, text: 'Your code is 739105.' })
      expect((await waiting).structuredContent).toMatchObject({ code: '739105' })
      await client.close()
    })

    test('a pipe that closes early is no error', async () => {
      const address = freshAddress()
      const text = 'x'.repeat(16_000)
      for (let n = 0; n < 20; n++) await sendMail(started().smtp, { to: address, subject: String(n), text })
      const { stdout, stderr } = await shell(`set -o pipefail; mayfly list ${address} | head -1; echo $?`)
      expect(stderr).toBe('')
      expect(stdout).toMatch(/^\{.*\}\n0\n$/)
    })

    test('help with examples for the command and each subcommand; the version', async () => {
      const { stdout } = await shell('mayfly --help; mayfly --version')
      expect(stdout).toMatch(/\n\d+\.\d+\.\d+\n$/)
      const lines = [...stdout.matchAll(/^ {2}mayfly (\w+)/gm)].map(([, name]) => name!)
      const names = [...new Set(lines)]
      expect(names).toHaveLength(13)
      const each = await shell(names.map((name) => `mayfly ${name} --help`).join('; '))
      expect(each.stdout.match(/Examples:\n {2}\S/g)).toHaveLength(13)
    })

    test('completion of commands and of their options', async () => {
      const { folder } = started()
      await writeFile(
        join(folder, 'complete.sh'),
        `source <(mayfly completion bash)
        complete_() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mayfly; echo "\${COMPREPLY[*]}"; }
        complete_ mayfly c; complete_ mayfly link --m; complete_ mayfly wait a@b --`,
      )
      const { stdout } = await shell('source complete.sh')
      const [commands, options, all] = stdout.split('\n')
      expect([commands, options]).toEqual(['code clear completion', '--match'])
      expect(all!.split(' ')).toEqual(expect.arrayContaining(['--subject', '--timeout', '--json']))
      expect((await shell('mayfly completion fish; mayfly completion zsh')).code).toBe(0)
    })
  })
}
