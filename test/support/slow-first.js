import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Sequencer from '@jest/test-sequencer'

/** Files that take longest. On a new machine Jest begins with the largest files, and these are short. */
const SLOW = [
  'adapters/dynamodb/store-contract',
  'adapters/dynamodb/throughput',
  'adapters/send-apis/cost',
  'adapters/send-apis/safety',
  'aws/iam/policies',
  'e2e/accessible',
  'e2e/large-mail',
  'e2e/overlap',
  'faults/webhooks',
  'hostile/expressions',
  'hostile/html',
  'hostile/private-mail',
  'hostile/reading',
  'http/private-mail',
  'local-service/crash',
].map((name) => fileURLToPath(new URL(`../${name}.test.ts`, import.meta.url)))

const missing = SLOW.filter((path) => !existsSync(path))
if (missing.length > 0) throw new Error(`test/support/slow-first.js names ${missing}, which does not exist`)

/** Begins with the slowest files, so that no worker is left alone with one at the end. */
export default class SlowFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests)
    const isSlow = ({ path }) => SLOW.includes(path)
    return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))]
  }
}
