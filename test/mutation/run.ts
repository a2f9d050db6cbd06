/**
 * `npm run test:mutation [-- <area> [<files>] [--sample=N] [--offset=N]]`, areas.ts has the areas: Stryker mutates the
 * code line by line, and the tests should fail. `<files>` are paths, separated by commas. With `--sample=8`, one of
 * eight pieces of the code is mutated, and another one with each `--offset`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { type LocalDynamoDb, startDynamoDb } from '../aws/dynamodb-local.ts'
import { STARTER } from '../aws/shared-dynamodb.ts'
import { AREA, AREAS } from './areas.ts'
import { sampled } from './sampled.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' }, offset: { type: 'string', default: '0' } },
})
const [wanted, files] = positionals
const areas = wanted === undefined ? Object.keys(AREAS) : [wanted]
if (areas.some((area) => !(area in AREAS))) {
  console.error(`Usage: npm run test:mutation [-- ${Object.keys(AREAS).join('|')} [files] [--sample=N]]`)
  process.exit(2)
}

// The newest runner for Jest declares an older core as its peer.
const STRYKER = ['--yes', '--legacy-peer-deps']
for (const name of ['core@10.1.1', 'jest-runner@10.0.0'])
  STRYKER.push('--package', `@stryker-mutator/${name}`)

/**
 * Mutants leave tables and running readers behind, and some hundred of them slow DynamoDB Local
 * down to seconds for an answer. Each DynamoDB Local therefore serves a limited number of suites,
 * and stays for those that still use it.
 */
const SUITES = 50
const LINGER_MS = 60_000

const dynamoDbs: Promise<LocalDynamoDb>[] = []
let asked = 0
const server = createServer(async (_, response) => {
  if (asked++ % SUITES === 0) {
    const before = dynamoDbs.at(-1)
    setTimeout(() => before?.then((dynamoDb) => dynamoDb.stop()), LINGER_MS).unref()
    dynamoDbs.push(startDynamoDb())
  }
  response.end((await dynamoDbs.at(-1)!).endpoint)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const starter = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
for (const area of areas) {
  const { mutate } = AREAS[area as keyof typeof AREAS]
  const whole = files?.split(',') ?? [...mutate, '!**/ports.ts']
  const places = values.sample ? sampled(whole, Number(values.sample), Number(values.offset)) : whole
  const stryker = spawn('npx', [...STRYKER, 'stryker', 'run', '--mutate', places.join(',')], {
    stdio: 'inherit',
    env: { ...process.env, [STARTER]: starter, [AREA]: area },
  })
  const [code] = (await once(stryker, 'exit')) as [number | null]
  process.exitCode ||= code ?? 1
}
server.close()
for (const dynamoDb of dynamoDbs) await (await dynamoDb).stop()
