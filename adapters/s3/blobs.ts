import { Readable } from 'node:stream'
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  PutObjectTaggingCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { contentDisposition } from '../../core/content-disposition.ts'
import type { BlobStore, Download, Opened, Part } from '../../core/inbox/ports.ts'
import { PREFIXES, STORED_TAG } from '../aws/env.ts'
import { translated, unavailable } from '../aws/errors.ts'

/**
 * The minimum of S3 for a part of a multipart upload, and the number of concurrent parts: 10 MB in
 * memory.
 */
const UPLOAD_PART_BYTES = 5 * 1024 * 1024
const UPLOAD_WINDOW = 2

const LINK_SECONDS = 300

/**
 * Parts of messages as objects. The raw message is where the S3 action of SES writes it, all others
 * are under `parts/<message id>/`. The bucket's lifecycle rule removes the parts of messages that
 * were never stored or never removed.
 */
export class S3Blobs implements BlobStore {
  readonly #client: S3Client
  readonly #bucket: string

  constructor(client: S3Client, bucket: string) {
    this.#client = client
    this.#bucket = bucket
  }

  async put(messageId: string, part: Part, content: AsyncIterable<Uint8Array> | Uint8Array): Promise<void> {
    const target = { Bucket: this.#bucket, Key: keyOf(messageId, part) }
    try {
      if (content instanceof Uint8Array) {
        await this.#client.send(new PutObjectCommand({ ...target, Body: content }))
        return
      }
      // Loaded here, because most functions never need it. It puts a small stream as one object,
      // and aborts a failed upload.
      const { Upload } = await import('@aws-sdk/lib-storage')
      const upload = new Upload({
        client: this.#client,
        params: { ...target, Body: Readable.from(copies(content), { objectMode: false }) },
        partSize: UPLOAD_PART_BYTES,
        queueSize: UPLOAD_WINDOW,
      })
      await upload.done()
    } catch (error) {
      throw translated(error)
    }
  }

  async open(messageId: string, part: Part): Promise<Opened | undefined> {
    try {
      const output = await this.#client.send(
        new GetObjectCommand({ Bucket: this.#bucket, Key: keyOf(messageId, part) }),
      )
      return { size: output.ContentLength ?? 0, stream: guarded(output.Body as Readable) }
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined
      throw translated(error)
    }
  }

  /** Signs the URL locally, without a request. */
  async link(messageId: string, part: Part, download: Download): Promise<string> {
    const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: keyOf(messageId, part),
      ResponseContentType: download.contentType,
      ResponseContentDisposition: contentDisposition(download.filename),
    })
    return getSignedUrl(this.#client, command, { expiresIn: LINK_SECONDS })
  }

  async remove(messageId: string): Promise<void> {
    const prefix = `${PREFIXES.parts}${messageId}/`
    let keys = [keyOf(messageId, 'raw')]
    let token: string | undefined
    try {
      do {
        const page = await this.#client.send(
          new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix, ContinuationToken: token }),
        )
        keys.push(...(page.Contents ?? []).map(({ Key }) => Key!))
        token = page.NextContinuationToken
        // A page has 1,000 keys, and the raw message adds one; a request deletes at most 1,000
        // objects.
        while (keys.length > 0) {
          await this.#delete(keys.slice(0, 1000))
          keys = keys.slice(1000)
        }
      } while (token !== undefined)
    } catch (error) {
      throw translated(error)
    }
  }

  /**
   * Tags a raw message whose emails are stored: a lifecycle rule removes it when they have expired.
   * An untagged one is kept as long as its notification may wait in a queue.
   * @throws Problem `unavailable`
   */
  async expireWithEmails(messageId: string): Promise<void> {
    const TagSet = [{ Key: STORED_TAG.name, Value: STORED_TAG.value }]
    try {
      await this.#client.send(
        new PutObjectTaggingCommand({
          Bucket: this.#bucket,
          Key: keyOf(messageId, 'raw'),
          Tagging: { TagSet },
        }),
      )
    } catch (error) {
      // A caller has deleted the email meanwhile.
      if (error instanceof NoSuchKey) return
      throw translated(error)
    }
  }

  async #delete(keys: string[]): Promise<void> {
    const output = await this.#client.send(
      new DeleteObjectsCommand({
        Bucket: this.#bucket,
        Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true },
      }),
    )
    const failed = output.Errors?.[0]
    if (failed !== undefined) throw unavailable(new Error(`${failed.Key}: ${failed.Code} ${failed.Message}`))
  }
}

function keyOf(messageId: string, part: Part): string {
  return part === 'raw' ? PREFIXES.raw + messageId : `${PREFIXES.parts}${messageId}/${part}`
}

/**
 * Copies each chunk: a sender may reuse its buffer while the upload still holds the chunks of its
 * part.
 */
async function* copies(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const chunk of content) yield Buffer.from(chunk)
}

/**
 * Returns the chunks of an object, and releases its connection when the reader stops. It is no
 * generator, and does not return the stream's own iterator, which is one: `return` before the first
 * `next` would keep the connection until its time-out.
 */
function guarded(stream: Readable): AsyncIterable<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]()
  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      try {
        return await chunks.next()
      } catch (error) {
        throw translated(error)
      }
    },
    async return() {
      stream.destroy()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
