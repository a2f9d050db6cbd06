import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'

const DEMO = fileURLToPath(new URL('../../bin/demo.ts', import.meta.url))

test('npm run demo shows an address, a mail, its event and its code, and ends', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [DEMO], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout.trimEnd().split('\n')).toEqual([
    'const inbox = await mayfly.inbox()',
    expect.stringMatching(/^ {4}→ \w+@mayfly\.test$/),
    expect.stringMatching(/^SMTP to 127\.0\.0\.1:\d+$/),
    expect.stringMatching(/^ {4}→ 250 2\.0\.0 Ok: \w{26}$/),
    'for await (const mail of inbox.stream())',
    '    → {"subject":"Confirm your e-mail address","codes":["739105"]}',
    'await inbox.waitForCode()',
    '    → 739105',
  ])
})
