import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'

const FOLDER = fileURLToPath(new URL('playwright/', import.meta.url))
const COMMAND = fileURLToPath(import.meta.resolve('@playwright/test/cli'))

test('the tests of playwright/ pass in Playwright', () => {
  const output = mkdtempSync(join(tmpdir(), 'mayfly-playwright-'))
  const { JEST_WORKER_ID: _, ...env } = process.env
  try {
    const options = ['test', '--reporter=list', '--workers=1', `--output=${output}`]
    const { stdout, stderr, status } = spawnSync(process.execPath, [COMMAND, ...options], {
      cwd: FOLDER,
      env: { ...env, MAYFLY_URL: 'http://127.0.0.1:1' },
      encoding: 'utf8',
    })
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('2 passed')])
  } finally {
    rmSync(output, { recursive: true, force: true })
  }
})
