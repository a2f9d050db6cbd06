import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { S3Blobs } from '../../../adapters/s3/blobs.ts'
import { describeOnEmulator, EMULATED, type Emulator, startEmulator } from '../../aws/emulator.ts'
import { blobsContract } from '../../contract/blobs.ts'
import { unique } from '../../contract/sample.ts'

describeOnEmulator('Bytes on S3', () => {
  let emulator: Emulator
  let s3: S3Client
  const bucket = 'messages'

  beforeAll(async () => {
    emulator = await startEmulator()
    s3 = new S3Client({ ...EMULATED, endpoint: emulator.endpoint })
    await s3.send(new CreateBucketCommand({ Bucket: bucket }))
  })
  afterAll(async () => {
    s3.destroy()
    await emulator.stop()
  })

  blobsContract('S3', async () => ({
    blobs: new S3Blobs(s3, bucket),
    clock: Date.now,
    advance: () => {},
    close: async () => {},
  }))

  test('keeps the raw message where SES puts it, and the other parts next to it', async () => {
    const blobs = new S3Blobs(s3, bucket)
    const delivery = unique()
    await blobs.put(delivery, 'raw', randomBytes(10))
    await blobs.put(delivery, 'attachments/0', randomBytes(10))
    const { Contents } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }))
    const keys = Contents!.map(({ Key }) => Key!).filter((key) => key.includes(delivery))
    expect(keys).toEqual([`inbound/${delivery}`, `parts/${delivery}/attachments/0`])
  })

  test('keeps the parts of every id that SES gives apart', async () => {
    const blobs = new S3Blobs(s3, bucket)
    const ids = [unique(), `${unique()}_-A`, 'x'.repeat(96) + unique()]
    for (const id of ids) await blobs.put(id, 'body', Buffer.from(id))
    for (const id of ids) expect(await text((await blobs.open(id, 'body'))!.stream)).toBe(id)
  })

  test('removes more parts than one request deletes', async () => {
    const blobs = new S3Blobs(s3, bucket)
    const [delivery, longer] = [unique(), `${unique()}x`]
    await blobs.put(longer, 'body', randomBytes(1))
    for (let n = 0; n < 1005; n += 15) {
      await Promise.all(
        Array.from({ length: 15 }, (_, i) => blobs.put(delivery, `attachments/${n + i}`, randomBytes(1))),
      )
    }
    await blobs.remove(delivery)
    const left = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: `parts/${delivery}/` }))
    expect(left.KeyCount).toBe(0)
    for await (const chunk of (await blobs.open(longer, 'body'))!.stream) expect(chunk).toHaveLength(1)
  })

  test('links for five minutes', async () => {
    const link = new URL(
      await new S3Blobs(s3, bucket).link('d', 'raw', { contentType: 'message/rfc822', filename: 'a.eml' }),
    )
    expect(link.searchParams.get('X-Amz-Expires')).toBe('300')
    expect(link.searchParams.get('response-content-disposition')).toContain('a.eml')
  })
})
