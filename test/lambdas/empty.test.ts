import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { AWS_VARIABLES } from '../support/aws-variables.ts'
import { listening } from '../support/http-server.ts'
import { askCustomResource, type SignedUrl, startSignedUrl } from '../support/signed-url.ts'

/** The keys in the bucket, and those of older versions. */
let keys: string[]
let versions: string[]
let s3: Awaited<ReturnType<typeof listening>>
let signedUrl: SignedUrl
let handler: (request: object, context: object) => Promise<void>

/** The handler with the part of S3 that it uses, and a server in place of the signed URL of CloudFormation. */
beforeAll(async () => {
  s3 = await listening(
    createServer(async (request, response) => {
      const body = await text(request)
      response.setHeader('Content-Type', 'application/xml')
      if (request.method === 'POST') {
        const removed = [...body.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key)
        keys = keys.filter((key) => !removed.includes(key))
        if (body.includes('<VersionId>1</VersionId>'))
          versions = versions.filter((key) => !removed.includes(key))
        response.end('<DeleteResult></DeleteResult>')
        return
      }
      if (request.url?.includes('versions')) {
        const found = versions.map((key) => `<Version><Key>${key}</Key><VersionId>1</VersionId></Version>`)
        response.end(`<ListVersionsResult>${found.join('')}</ListVersionsResult>`)
        return
      }
      const contents = keys.map((key) => `<Contents><Key>${key}</Key></Contents>`)
      response.end(`<ListBucketResult>${contents.join('')}</ListBucketResult>`)
    }),
  )
  signedUrl = await startSignedUrl()
  Object.assign(process.env, {
    ...AWS_VARIABLES,
    AWS_ENDPOINT_URL_S3: s3.url,
  })
  handler = (await import('../../lambdas/empty.ts')).handler as never
})
beforeEach(() => {
  keys = ['inbound/1', 'parts/1/0']
  versions = [...keys, 'old']
})
afterAll(async () => {
  await s3?.close()
  await signedUrl?.close()
})

const ask = (type: string, remainingMs?: number, properties?: { versioned: string }) =>
  askCustomResource(
    handler,
    signedUrl,
    { RequestType: type, ResourceProperties: { bucket: 'messages', ...properties } },
    remainingMs,
  )

test.each(['Create', 'Update'])('%s leaves every object in the bucket', async (type) => {
  expect(await ask(type)).toMatchObject({ Status: 'SUCCESS' })
  expect(keys).toEqual(['inbound/1', 'parts/1/0'])
})

test('a deletion removes every object', async () => {
  // It keeps 30 s for its answer.
  expect(await ask('Delete', 30_001)).toMatchObject({
    Status: 'SUCCESS',
    PhysicalResourceId: 'mayfly-objects',
  })
  expect(keys).toEqual([])
  expect(versions).toEqual(['inbound/1', 'parts/1/0', 'old'])
})

test('a deletion removes every version of a bucket with versions', async () => {
  expect(await ask('Delete', undefined, { versioned: 'true' })).toMatchObject({ Status: 'SUCCESS' })
  expect(versions).toEqual([])
})

test('a deletion that runs out of time answers before Lambda ends it, and says what to do', async () => {
  const { Status, Reason } = await ask('Delete', 30_000)
  expect(Status).toBe('FAILED')
  expect(Reason).toContain('messages still has objects: delete the stack again to continue')
})
