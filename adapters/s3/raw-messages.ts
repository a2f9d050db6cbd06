import { GetObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3'
import { PREFIXES } from '../aws/env.ts'

/** A raw message in the bucket. */
export interface RawObject {
  messageId: string
  /** Unix ms. */
  storedAt: number
}

/** Yields pages of up to 1,000 raw messages, in the order of their ids. */
export async function* rawMessages(s3: S3Client, bucket: string, after: string): AsyncIterable<RawObject[]> {
  let startAfter = PREFIXES.raw + after
  for (;;) {
    const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: PREFIXES.raw, StartAfter: startAfter })
    const { Contents = [], IsTruncated } = await s3.send(command)
    yield Contents.map(({ Key = '', LastModified }) => ({
      messageId: Key.slice(PREFIXES.raw.length),
      storedAt: LastModified?.getTime() ?? 0,
    }))
    startAfter = Contents.at(-1)?.Key ?? ''
    if (!IsTruncated || startAfter === '') return
  }
}

/** Returns the first bytes of a raw message. */
export async function headOf(
  s3: S3Client,
  bucket: string,
  messageId: string,
  bytes: number,
): Promise<Uint8Array> {
  const Range = `bytes=0-${bytes - 1}`
  const { Body } = await s3.send(
    new GetObjectCommand({ Bucket: bucket, Key: PREFIXES.raw + messageId, Range }),
  )
  return (await Body?.transformToByteArray()) ?? new Uint8Array()
}
