import { ENV } from '../../adapters/aws/env.ts'
import { type AwsStore, openStore } from '../../service/aws-store.ts'
import { AWS_VARIABLES } from '../support/aws-variables.ts'
import { createTables, type LocalDynamoDb, type LocalTables } from './dynamodb-local.ts'
import { sharedDynamoDb } from './on-dynamodb.ts'

/** The name of the bucket. A test whose subject reads or writes it starts a server for S3. */
export const BUCKET = 'bucket'

/** Tables of one suite on DynamoDB Local, as the functions and services of a deployment find them. */
export interface LocalDeployment {
  dynamo: LocalDynamoDb
  tables: LocalTables
  store: AwsStore
  /** The environment variables of AWS: region, credentials and endpoints. */
  awsVariables: Record<string, string>
  /** These, and those by which every function finds the tables and the bucket. */
  variables: Record<string, string>
  close(): Promise<void>
}

/** Creates the tables, and gives this process the environment variables of a function. */
export async function openLocalDeployment(): Promise<LocalDeployment> {
  const dynamo = await sharedDynamoDb()
  const tables = await createTables(dynamo.client)
  const awsVariables = {
    ...AWS_VARIABLES,
    AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
    AWS_ENDPOINT_URL_DYNAMODB_STREAMS: dynamo.endpoint,
  }
  const variables = {
    ...awsVariables,
    [ENV.mailTable]: tables.mailTable,
    [ENV.keysTable]: tables.keysTable,
    [ENV.bucket]: BUCKET,
  }
  Object.assign(process.env, variables)
  const store = openStore({ ...tables, bucket: BUCKET, dynamo: dynamo.client })
  return { dynamo, tables, store, awsVariables, variables, close: () => dynamo.stop() }
}
