/** What the service logged, for a job that failed. */
import { existsSync, readFileSync } from 'node:fs'

const log = process.env.STATE_log
console.log('::group::Log of Mayfly')
console.log(log && existsSync(log) ? readFileSync(log, 'utf8') : 'It was never started.')
console.log('::endgroup::')
