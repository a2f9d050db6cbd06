import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { waitSnippets } from '../../web/inbox/snippets.ts'
import { sendMail } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { newKey, PATIENCE_MS } from './browser.ts'

const DOMAIN_KEY = 'sesame'
const PROGRAMS = { curl: ['sh', '-c'], python: ['python3', '-c'] } as const

describe('the code that the inbox shows', () => {
  let service: RunningService
  beforeAll(async () => {
    service = await startService({ MAYFLY_DOMAINS: `mayfly.test,private.test=${DOMAIN_KEY}` })
  }, PATIENCE_MS)
  afterAll(() => service?.stop())

  const isThere = (tool: string) => spawnSync(tool, ['--version']).error === undefined
  for (const [id, [program, option]] of Object.entries(PROGRAMS)) {
    const tool = id === 'curl' ? 'curl' : program
    if (!isThere(tool)) process.stderr.write(`SKIPPED: the code for ${id} needs ${tool}\n`)
    const run = isThere(tool) ? test : test.skip
    run.each(['public/a+b@mayfly.test', "o'neil{x}@private.test"])(
      `for ${id} waits for the mail of %s`,
      async (address) => {
        await sendMail(service.smtp, { to: address, subject: 'Grüße "Ann"', text: 'Your code is 739105' })
        const inbox = { base: service.http, address, isPrivate: address.endsWith('private.test') }
        const snippet = waitSnippets(inbox, { subject: 'grüße "ann"', has: 'code' }).find(
          (each) => each.id === id,
        )
        const env = {
          ...process.env,
          MAYFLY_API_KEY: await newKey(service),
          MAYFLY_DOMAIN_KEY: DOMAIN_KEY,
          PYTHONPATH: fileURLToPath(new URL('../../packages/python/src', import.meta.url)),
        }
        const { stdout } = await promisify(execFile)(program, [option, snippet?.text ?? ''], { env })
        expect(stdout).toContain('739105')
      },
      PATIENCE_MS,
    )
  }
})
