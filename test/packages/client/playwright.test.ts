import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { startService } from '../../support/service.ts'

const FOLDER = fileURLToPath(new URL('playwright/', import.meta.url))
const COMMAND = fileURLToPath(import.meta.resolve('@playwright/test/cli'))

test('the tests of playwright/ pass in Playwright', async () => {
  const output = mkdtempSync(join(tmpdir(), 'mayfly-playwright-'))
  const service = await startService()
  const { JEST_WORKER_ID: _, ...env } = process.env
  try {
    const options = ['test', '--reporter=list', '--workers=1', `--output=${output}`]
    const { stdout, stderr, status } = spawnSync(process.execPath, [COMMAND, ...options], {
      cwd: FOLDER,
      env: { ...env, MAYFLY_URL: service.http, XDG_CACHE_HOME: output },
      encoding: 'utf8',
    })
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('4 passed')])
  } finally {
    await service.stop()
    rmSync(output, { recursive: true, force: true })
  }
})
