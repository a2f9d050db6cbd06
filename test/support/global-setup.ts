import startDynamoDbOnDemand from '../aws/shared-dynamodb.ts'
import { buildPagesIfStale } from './pages.ts'

/** Jest's globalSetup, before each run, in watch mode too. */
export default async function setup(): Promise<void> {
  buildPagesIfStale()
  await startDynamoDbOnDemand()
}
