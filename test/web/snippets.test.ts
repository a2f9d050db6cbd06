import { execFileSync } from 'node:child_process'
import { describe, expect, test } from '@jest/globals'
import {
  assertionFor,
  curlRead,
  curlSend,
  filterFor,
  ownKeyFile,
  waitSnippets,
} from '../../web/inbox/snippets.ts'
import { email } from './email.ts'

const BASE = 'http://127.0.0.1:8025'
const INBOX = { base: BASE, address: 'bot+1@mayfly.test', isPrivate: false }
const HOSTILE = "o'$(touch x)`id`@mayfly.test"

/** The arguments of a command as the shell passes them; the program itself is not run. */
function shellArguments(command: string): string[] {
  const script = `curl() { printf '%s\\n' "$@"; }\n${command}`
  return execFileSync('sh', ['-c', script], { env: { MAYFLY_API_KEY: 'KEY' }, encoding: 'utf8' })
    .trim()
    .split('\n')
}

describe('code for the emails on the screen', () => {
  test('the shell runs no part of an address', () => {
    const url = `${BASE}/api/emails/${encodeURIComponent(HOSTILE).replace('%40', '@')}/id`
    expect(shellArguments(curlRead({ base: BASE, address: HOSTILE, isPrivate: false }, 'id'))).toEqual([
      '-s',
      '-H',
      'X-API-Key: KEY',
      url,
    ])
    expect(curlSend(HOSTILE, { host: '127.0.0.1', port: 25 })).toContain(
      "--mail-rcpt 'o'\\''$(touch x)`id`@mayfly.test'",
    )
  })

  test('the shell sends a message to the address as it is, and runs nothing of it', () => {
    const address = "o'$(echo no)`echo no`%d\\n+x@mayfly.test"
    const command = curlSend(address, { host: '127.0.0.1', port: 25 })
    const sent = execFileSync('sh', ['-c', `curl() { cat; }\n${command}`], { encoding: 'utf8' })
    expect(sent.split('\r\n')).toContain(`To: ${address}`)
  })

  test('the key of a service on this machine is in a file of its port', () => {
    const files = ['http://localhost:9000', 'http://127.0.0.1', 'http://[::1]:8025/mail'].map(ownKeyFile)
    expect(files.map((file) => file.split('/').pop())).toEqual(['9000.key', '80.key', '8025.key'])
  })

  test('each language waits with the filter, and none contains a key', () => {
    const snippets = waitSnippets(INBOX, { from: 'acme', has: 'code' })
    expect(snippets.map(({ label }) => label)).toEqual([
      'JavaScript',
      'Python',
      'Playwright',
      'Command',
      'curl',
    ])
    const filters = ["from: 'acme'", 'from_="acme"', "from: 'acme'", "--from 'acme'", 'from=acme']
    for (const [i, { text }] of snippets.entries()) {
      expect(text).toContain(filters[i])
      expect(text).not.toMatch(/mf_/)
    }
    const curl = snippets.at(-1)
    expect(shellArguments(curl?.text ?? '').at(-1)).toBe(
      `${BASE}/api/emails/bot%2B1@mayfly.test/wait?from=acme&has=code&timeout=25`,
    )
  })

  test.each([false, true])('to the letter, for a domain that is private: %s', (isPrivate) => {
    const inbox = { ...INBOX, isPrivate }
    const texts = waitSnippets(inbox, { subject: "o'neil" }).map(({ text }) => text)
    expect([...texts, curlRead(inbox, 'id')].join('\n\n')).toMatchSnapshot()
  })

  test('the filter fits the next email of the same kind', () => {
    const mail = email('1', { subject: 'Your code', codes: ['AB-12'] })
    expect(filterFor(mail)).toEqual({ from: 'sender@example.org', subject: 'Your code', has: 'code' })
    const action_link = { url: 'https://shop.example', text: '', kind: 'confirm' } as const
    expect(filterFor(email('1', { subject: 'x'.repeat(61), action_link }))).toEqual({
      from: 'sender@example.org',
      subject: 'x'.repeat(60),
      has: 'action_link',
    })
    expect(filterFor(email('1', { subject: '', from: { name: null, address: null } }))).toEqual({})
  })

  test('the assertion expects a code of the same shape', () => {
    const action_link = { url: 'https://shop.example/confirm?t=1', text: '', kind: 'confirm' } as const
    expect(assertionFor(email('1', { subject: 'Sign "up"', codes: ['AB-12/3'], action_link }))).toBe(
      `const mail = await inbox.waitForMail({ subject: 'Sign "up"' })
expect(mail.code).toMatch(/^[A-Z]{2}-\\d{2}\\/\\d{1}$/)
expect(mail.actionLink?.url).toContain('https://shop.example')
`,
    )
    expect(assertionFor(email('1', { subject: '' }))).toBe(
      "const mail = await inbox.waitForMail()\nexpect(mail.from.address).toBe('sender@example.org')\n",
    )
    const nameless = email('1', { subject: '', from: { name: 'Acme', address: null } })
    expect(assertionFor(nameless)).toContain('expect(mail.from.address).toBe(null)\n')
    const odd = { ...action_link, url: 'no URL' }
    expect(assertionFor(email('1', { action_link: odd }))).toContain("toContain('no URL')")
  })
})
