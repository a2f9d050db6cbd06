/** The custom resource that empties a bucket before CloudFormation deletes it. */
import { s3Client } from '../adapters/aws/clients.ts'
import { removeAllObjects } from '../adapters/s3/remove-all.ts'
import { customResource } from './cloudformation.ts'

/** Time kept for the answer to CloudFormation. */
const RESERVE_MS = 30_000

const s3 = s3Client()

export const handler = customResource<{ bucket: string; versioned?: string }>(
  'mayfly-objects',
  async ({ RequestType, ResourceProperties: { bucket, versioned } }, remainingMs) => {
    if (RequestType !== 'Delete') return
    const options = { versioned: versioned === 'true', hasTime: () => remainingMs() > RESERVE_MS }
    const isEmpty = await removeAllObjects(s3, bucket, options)
    if (!isEmpty) throw new Error(`${bucket} still has objects: delete the stack again to continue`)
  },
)
