/**
 * `npm run test:mutation [-- core|http|sqlite|dynamodb [files]]`: Stryker breaks the code line by line, and the tests
 * are to notice. One DynamoDB Local serves the whole run; each mutant makes tables of its own there.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startDynamoDb } from '../aws/dynamodb-local.ts'
import { STARTER } from '../aws/shared-dynamodb.ts'
import { AREA, AREAS } from './areas.ts'

const [wanted, files] = process.argv.slice(2)
const areas = wanted === undefined ? Object.keys(AREAS) : [wanted]
if (areas.some((area) => !(area in AREAS))) {
  console.error(`Usage: npm run test:mutation [-- ${Object.keys(AREAS).join('|')} [files]]`)
  process.exit(2)
}

// The newest runner for Jest names an older core as its peer.
const STRYKER = ['--yes', '--legacy-peer-deps']
for (const name of ['core@10.1.1', 'jest-runner@10.0.0'])
  STRYKER.push('--package', `@stryker-mutator/${name}`)

const dynamoDb = await startDynamoDb()
const server = createServer((_, response) => response.end(dynamoDb.endpoint)).listen(0, '127.0.0.1')
await once(server, 'listening')
const starter = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
for (const area of areas) {
  const { mutate } = AREAS[area as keyof typeof AREAS]
  const stryker = spawn(
    'npx',
    [...STRYKER, 'stryker', 'run', '--mutate', files ?? [...mutate, '!**/ports.ts'].join(',')],
    {
      stdio: 'inherit',
      env: { ...process.env, [STARTER]: starter, [AREA]: area },
    },
  )
  const [code] = (await once(stryker, 'exit')) as [number | null]
  process.exitCode ||= code ?? 1
}
server.close()
await dynamoDb.stop()
