import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { FULL, IN_VPC, SHARED_RULES, SMTP_FIRST, WEB_FUNCTION } from '../lib/configurations.ts'
import { synthesise } from '../lib/synth.ts'

const PROGRAM = new URL('../../.venv/bin/cfn-lint', import.meta.url).pathname
/**
 * Dependencies that CDK writes although a reference implies them, and availability zones by name,
 * which the configuration may contain.
 */
const IGNORED = ['W3005', 'W3010']

if (!existsSync(PROGRAM)) {
  process.stderr.write('LEFT OUT: cfn-lint on the template. .ci/emulator installs it.\n')
  test.todo('cfn-lint finds nothing in the template')
} else {
  test.each([
    ['the smallest configuration', {}],
    ['every option', FULL],
    ['an existing network', IN_VPC],
    ['a web function', WEB_FUNCTION],
    ['a rule set of others', SHARED_RULES],
    ['SMTP first', SMTP_FIRST],
  ])('cfn-lint finds nothing in the template: %s', async (_, config) => {
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-lint-'))
    const file = join(folder, 'template.json')
    await writeFile(file, JSON.stringify(synthesise(config).template.toJSON()))
    const lint = promisify(execFile)(PROGRAM, ['--ignore-checks', ...IGNORED, '--', file])
    const { stdout } = await lint.catch((error: { stdout: string }) => error)
    await rm(folder, { recursive: true })
    expect(stdout).toBe('')
  })
}
