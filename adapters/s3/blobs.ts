import { Readable } from 'node:stream'
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { contentDisposition } from '../../core/content-disposition.ts'
import type { BlobStore, Download, Opened, Part } from '../../core/inbox/ports.ts'
import { PREFIXES } from '../aws/env.ts'
import { translated, unavailable } from '../aws/errors.ts'

/** The least that S3 takes for a part of a multipart upload, and how many may be under way: 10 MB in memory. */
const UPLOAD_PART_BYTES = 5 * 1024 * 1024
const UPLOAD_WINDOW = 2

const LINK_SECONDS = 300

/**
 * Parts of messages as objects. The raw message is where the S3 action of SES writes it, all others are under
 * `parts/<message id>/`. What is never stored or never removed goes by the bucket's lifecycle rule.
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
      // Seldom needed where requests are answered, so loaded only here. It puts a small stream as one object,
      // and aborts the upload of one that fails.
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

  /** Signed here, without a request. */
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
        // A page and the raw message before it; one request deletes 1,000 objects at most.
        while (keys.length > 0) {
          await this.#delete(keys.slice(0, 1000))
          keys = keys.slice(1000)
        }
      } while (token !== undefined)
    } catch (error) {
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

/** A sender may fill its buffer anew for each chunk, while the upload still holds the chunks of its part. */
async function* copies(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const chunk of content) yield Buffer.from(chunk)
}

/**
 * The chunks of an object, whose connection is given up when the reader leaves. No generator, nor the stream's own
 * iterator, which is one: returned from before it began, it would hold the connection until its time-out.
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
