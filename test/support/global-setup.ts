import { fileURLToPath } from 'node:url'
import startDynamoDbOnDemand from '../aws/shared-dynamodb.ts'
import { buildPagesIfStale } from './pages.ts'

/**
 * Node's compiled code, from one process or thread to the next. Without it each thread of a store removes the types of
 * every file again, which is half of the CPU time of a test that opens a store.
 */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/mayfly', import.meta.url))

/** Jest's globalSetup, before each run, in watch mode too. Its variables reach the workers and their children. */
export default async function setup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= CACHE
  buildPagesIfStale()
  await startDynamoDbOnDemand()
}
