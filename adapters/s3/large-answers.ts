import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { PREFIXES } from '../aws/env.ts'
import { translated } from '../aws/errors.ts'

const LINK_SECONDS = 300

/** Answers that are too large for a function: objects under a prefix that expire after a day. */
export class LargeAnswers {
  readonly #client: S3Client
  readonly #bucket: string

  constructor(client: S3Client, bucket: string) {
    this.#client = client
    this.#bucket = bucket
  }

  /** Stores an answer and returns a URL from which anyone can fetch it for five minutes. */
  async put(body: AsyncIterable<Uint8Array>, headers: Record<string, string>): Promise<string> {
    const target = { Bucket: this.#bucket, Key: `${PREFIXES.answers}${randomUUID()}` }
    try {
      const [{ Upload }, { getSignedUrl }] = await Promise.all([
        import('@aws-sdk/lib-storage'),
        import('@aws-sdk/s3-request-presigner'),
      ])
      const upload = new Upload({
        client: this.#client,
        params: {
          ...target,
          Body: Readable.from(body, { objectMode: false }),
          ContentType: headers['content-type'],
          ContentEncoding: headers['content-encoding'],
          CacheControl: 'no-store',
        },
        queueSize: 2,
      })
      await upload.done()
      return await getSignedUrl(this.#client, new GetObjectCommand(target), { expiresIn: LINK_SECONDS })
    } catch (error) {
      throw translated(error)
    }
  }
}
