import { DeleteObjectsCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3'

/**
 * Deletes every object of a bucket, a page of 1,000 at a time.
 *
 * @param goesOn asked before each page
 * @returns whether the bucket is empty; false when there was no time left
 */
export async function removeAllObjects(
  s3: S3Client,
  bucket: string,
  goesOn: () => boolean,
): Promise<boolean> {
  while (goesOn()) {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }))
    if (Contents.length === 0) return true
    const { Errors = [] } = await s3.send(
      new DeleteObjectsCommand({
        Bucket: bucket,
        Delete: { Objects: Contents.map(({ Key }) => ({ Key })), Quiet: true },
      }),
    )
    if (Errors[0] !== undefined) throw new Error(`${Errors[0].Key}: ${Errors[0].Code} ${Errors[0].Message}`)
  }
  return false
}
