import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { S3Client } from '@aws-sdk/client-s3'

/*
 * The SDK finds Region, credentials and endpoints in the environment (AWS_REGION, AWS_ENDPOINT_URL
 * and others), and keeps connections open. A process creates its clients once.
 */

/**
 * DynamoDB answers within milliseconds; a request without an answer for seconds has lost its
 * connection.
 */
const DYNAMODB = { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true }
/** A large message takes long, but its connection must not be silent for longer than this. */
const S3 = { connectionTimeout: 2000, socketTimeout: 20_000 }

export function dynamoClient(): DynamoDBClient {
  return new DynamoDBClient({ requestHandler: DYNAMODB, maxAttempts: 4 })
}

export function s3Client(): S3Client {
  return new S3Client({ requestHandler: S3 })
}
