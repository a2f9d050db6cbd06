import {
  DeleteObjectsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  type ObjectIdentifier,
  type S3Client,
} from '@aws-sdk/client-s3'

/**
 * Deletes every object of a bucket, 1,000 at a time.
 *
 * @param options.versioned whether to delete versions and delete markers too
 * @param options.hasTime checked before each page
 * @returns whether the bucket is empty; false if the time ran out
 */
export async function removeAllObjects(
  s3: S3Client,
  bucket: string,
  { versioned = false, hasTime }: { versioned?: boolean; hasTime: () => boolean },
): Promise<boolean> {
  while (hasTime()) {
    const Objects = versioned ? await versionsOf(s3, bucket) : await objectsOf(s3, bucket)
    if (Objects.length === 0) return true
    const { Errors = [] } = await s3.send(
      new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
    )
    if (Errors[0] !== undefined) throw new Error(`${Errors[0].Key}: ${Errors[0].Code} ${Errors[0].Message}`)
  }
  return false
}

async function objectsOf(s3: S3Client, bucket: string): Promise<ObjectIdentifier[]> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }))
  return Contents.map(({ Key }) => ({ Key }))
}

async function versionsOf(s3: S3Client, bucket: string): Promise<ObjectIdentifier[]> {
  const page = await s3.send(new ListObjectVersionsCommand({ Bucket: bucket }))
  return [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])].map(({ Key, VersionId }) => ({
    Key,
    VersionId,
  }))
}
