import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { AWS_VARIABLES } from '../../support/aws-variables.ts'
import { API_KEY, startSendService, type TestService } from './setup.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

const PRELUDE = `
import { Mayfly } from './packages/client/src/node.ts'
const inbox = await new Mayfly().inbox()
`
const CHECK = `
if (code !== '482913') throw new Error(code)
`

let service: TestService

beforeAll(async () => {
  service = await startSendService()
})

afterAll(() => service.stop())

test('the examples of docs/send-apis.md send with the SDK and wait for the code', async () => {
  const page = await readFile(`${ROOT}docs/send-apis.md`, 'utf8')
  const examples = [...page.matchAll(/^```js run\n(.*?)^```$/gms)].map(([, code]) => code)
  expect(examples).toHaveLength(5)
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    MAYFLY_URL: service.http,
    MAYFLY_API_KEY: API_KEY,
    AWS_ENDPOINT_URL_SESV2: `${service.http}/ses`,
    ...AWS_VARIABLES,
  }
  for (const example of examples) {
    const code = PRELUDE + example + CHECK
    await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: ROOT, env })
  }
})
