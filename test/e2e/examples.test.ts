import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { EXAMPLES } from '../../web/docs/examples.ts'
import { sendMail } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { newKey, PATIENCE_MS } from './browser.ts'

const CODE = '739105'

/** The examples work unchanged: each is run, and waits for an email that the test then sends. */
describe('the examples of the API page', () => {
  let service: RunningService
  let dir: string

  beforeAll(async () => {
    service = await startService()
    dir = await mkdtemp(join(tmpdir(), 'mayfly-examples-'))
  }, PATIENCE_MS)
  afterAll(async () => {
    await service?.stop()
    await rm(dir, { recursive: true, force: true })
  }, PATIENCE_MS)

  const example = (id: string) => EXAMPLES.find((candidate) => candidate.id === id)!.code(service.http)
  const send = (to: string) =>
    sendMail(service.smtp, { to, subject: 'Confirm', text: `Your verification code is ${CODE}.` })

  /** Runs a program, sends an email to the address that it prints, and returns its output. */
  async function run(command: string, args: string[], env: Record<string, string> = {}): Promise<string> {
    const child = spawn(command, args, { cwd: dir, env: { ...process.env, ...env } })
    let output = ''
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk
    })
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    for await (const line of createInterface({ input: child.stdout })) {
      output += `${line}\n`
      const address = /^address: (\S+)$/.exec(line)?.[1]
      if (address !== undefined) await send(address)
    }
    expect({ code: await ended, errors }).toMatchObject({ code: 0 })
    return output
  }

  whereThereIs(['bash', 'curl', 'jq'], 'shell', async () => {
    const env = { MAYFLY_API_KEY: await newKey(service) }
    expect(await run('bash', ['-c', example('shell')], env)).toMatch(new RegExp(`\n${CODE}\n$`))
  })

  whereThereIs(['bash', 'curl', 'jq'], 'CI pipeline', async () => {
    const [take, , read] = steps(example('ci'))
    const env = { MAYFLY: service.http, MAYFLY_KEY: await newKey(service), GITHUB_ENV: join(dir, 'env') }
    await run('bash', ['-e', '-c', take!], env)
    const address = (await readFile(env.GITHUB_ENV, 'utf8')).trim().replace('ADDRESS=', '')
    await send(address)
    await writeFile(join(dir, 'confirm.sh'), '#!/bin/sh\necho "confirmed $1 with $2"\n', { mode: 0o755 })
    const output = await run('bash', ['-e', '-c', read!], { ...env, ADDRESS: address })
    expect(output).toBe(`confirmed ${address} with ${CODE}\n`)
  })
})

/** The commands of a pipeline's steps. */
function steps(yaml: string): string[] {
  return [...yaml.matchAll(/^ {8}run: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/gm)].map(
    ([, block, line]) => block?.replace(/^ {10}/gm, '') ?? line!,
  )
}

function whereThereIs(tools: string[], name: string, body: () => Promise<void>): void {
  const missing = tools.filter((tool) => spawnSync(tool, ['--version']).error !== undefined)
  if (missing.length > 0) {
    process.stderr.write(`SKIPPED: the example "${name}" needs ${missing.join(', ')}\n`)
    test.skip(name, body, PATIENCE_MS)
  } else test(name, body, PATIENCE_MS)
}
