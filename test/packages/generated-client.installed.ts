import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type RunningService, startService } from '../support/service.ts'

const run = promisify(execFile)
const API_KEY = 'operator-key-of-the-generated-client'

/** Mails a code by SMTP, as an application would. */
const SIGN_UP = `package signup

import (
	"net/smtp"
	"os"
	"testing"
)

func signUp(t *testing.T, address string) {
	message := []byte("Subject: Your code\\r\\n\\r\\nYour verification code is 739105.\\r\\n")
	if err := smtp.SendMail(os.Getenv("SMTP"), nil, "shop@example.com", []string{address}, message); err != nil {
		t.Fatal(err)
	}
}
`

let service: RunningService
let folder: string

beforeAll(async () => {
  service = await startService({ MAYFLY_API_KEYS: API_KEY })
  folder = await mkdtemp(join(tmpdir(), 'mayfly-generated-'))
})

afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})

/** The code blocks below a heading of docs/recipes.md, by language. */
async function blocksOf(heading: string): Promise<Record<string, string>> {
  const page = await readFile(new URL('../../docs/recipes.md', import.meta.url), 'utf8')
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
  return Object.fromEntries(
    [...section.matchAll(/^```(\w+) \w+\n(.*?)^```$/gms)].map(([, language, code]) => [language, code]),
  )
}

/** Whether Go can fetch the newer version of itself that the generator asks for. */
async function hasGo(): Promise<boolean> {
  const { stdout } = await run('go', ['env', 'GOVERSION']).catch(() => ({ stdout: '' }))
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(stdout) ?? []
  return Number(major) > 1 || Number(minor) >= 21
}

test('the recipe generates a client in Go, which waits for a code', async () => {
  if (!(await hasGo())) {
    process.stderr.write('LEFT OUT: the generated client needs Go 1.21 or newer, and there is none.\n')
    return
  }
  const { sh, go } = await blocksOf('A generated client')
  await writeFile(join(folder, 'go.mod'), 'module signup\n\ngo 1.21\n')
  await writeFile(join(folder, 'sign_up_test.go'), go ?? '')
  await writeFile(join(folder, 'app_test.go'), SIGN_UP)
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    MAYFLY_URL: service.http,
    MAYFLY_API_KEY: API_KEY,
    SMTP: `${service.smtp.host}:${service.smtp.port}`,
  }
  const options = { cwd: folder, env }
  await run('bash', ['-euo', 'pipefail', '-c', sh ?? ''], options)
  const { stdout } = await run('go', ['test', '-count=1', '-v', '.'], options)
  expect(stdout).toContain('--- PASS: TestSignUpWithTheGeneratedClient')
}, 300_000)
