import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ObjectStore {
  endpoint: string
  /** By `/bucket/key`. */
  objects: Map<string, Buffer>
  /** The tags of objects, by `/bucket/key`. */
  tags: Map<string, Record<string, string>>
  /** When objects were stored, by `/bucket/key`; by default now. */
  storedAt: Map<string, Date>
  stop(): Promise<void>
}

/** Larger objects are accepted and discarded: the benchmark does not read them again. */
const KEPT_BYTES = 1024 * 1024
const PAGE_KEYS = 1000

/** The part of S3 that storing and reading mail uses, in memory and without checks. */
export async function startObjectStore(): Promise<ObjectStore> {
  const objects = new Map<string, Buffer>()
  const tags: ObjectStore['tags'] = new Map()
  const storedAt: ObjectStore['storedAt'] = new Map()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, 'http://localhost')
    const path = decodeURIComponent(url.pathname)
    const query = url.searchParams
    const body = await contentOf(request)
    response.setHeader('ETag', '"0"')
    if (request.method === 'PUT' && query.has('tagging')) {
      const found = String(body).matchAll(/<Key>(.*?)<\/Key><Value>(.*?)<\/Value>/g)
      tags.set(path, Object.fromEntries(Array.from(found, ([, key, value]) => [key, value])))
      response.end()
    } else if (request.method === 'PUT') {
      if (!query.has('uploadId') && body !== undefined) objects.set(path, body)
      response.end()
    } else if (request.method === 'POST' && query.has('uploads')) {
      response.end('<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>')
    } else if (request.method === 'POST' && query.has('uploadId')) {
      response.end('<CompleteMultipartUploadResult><ETag>"0"</ETag></CompleteMultipartUploadResult>')
    } else if (request.method === 'POST') {
      response.end('<DeleteResult></DeleteResult>')
    } else if (query.has('list-type')) {
      response.end(listing([...objects.keys()], storedAt, path, query))
    } else {
      const object = objects.get(path)
      response.statusCode = object === undefined ? 404 : 200
      response.end(object ?? '<Error><Code>NoSuchKey</Code></Error>')
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    tags,
    storedAt,
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Returns the page of a list (ListObjectsV2): at most 1,000 keys of a bucket, in their order. */
function listing(
  paths: string[],
  storedAt: ObjectStore['storedAt'],
  bucket: string,
  query: URLSearchParams,
): string {
  const root = bucket.endsWith('/') ? bucket : `${bucket}/`
  const [prefix, after] = [query.get('prefix') ?? '', query.get('start-after') ?? '']
  const keys = paths
    .filter((path) => path.startsWith(root))
    .map((path) => path.slice(root.length))
    .filter((key) => key.startsWith(prefix) && key > after)
    .sort()
  const modified = (key: string) => (storedAt.get(`${root}${key}`) ?? new Date()).toISOString()
  const contents = keys
    .slice(0, PAGE_KEYS)
    .map((key) => `<Contents><Key>${key}</Key><LastModified>${modified(key)}</LastModified></Contents>`)
  const isTruncated = `<IsTruncated>${keys.length > PAGE_KEYS}</IsTruncated>`
  return `<ListBucketResult>${contents.join('')}${isTruncated}</ListBucketResult>`
}

/** Undefined if it is too large to be kept. */
async function contentOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= KEPT_BYTES) chunks.push(chunk)
  }
  return size <= KEPT_BYTES ? Buffer.concat(chunks) : undefined
}
