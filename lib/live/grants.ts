import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager'
import { grantStorage } from '../grants.ts'
import type { Storage } from '../storage.ts'

export interface LiveGrants {
  storage: Storage
  originSecret: ISecret
  operatorKeys: ISecret | undefined
}

/**
 * Grants what sse-service/ needs: streams and waits read emails and domains, and the tools of MCP
 * read messages and delete emails.
 */
export function grantLive(
  role: IRole,
  { storage, originSecret, operatorKeys }: LiveGrants,
  { readsStream }: { readsStream: boolean },
): void {
  originSecret.grantRead(role)
  operatorKeys?.grantRead(role)
  storage.encryptionKey?.grantEncryptDecrypt(role)
  grantStorage(role, storage, {
    mailTable: ['GetItem', 'BatchGetItem', 'Query', 'UpdateItem', 'DeleteItem'],
    keysTable: ['GetItem', 'UpdateItem'],
    index: true,
    // A domain is changed when its key is shown for the first time.
    domains: true,
    read: ['parts'],
    delete: ['raw', 'parts'],
  })
  if (!readsStream) return
  role.addToPrincipalPolicy(
    new PolicyStatement({
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetShardIterator', 'dynamodb:GetRecords'],
      resources: [storage.streamArn],
    }),
  )
}
