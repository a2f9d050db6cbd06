import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { AWS_VARIABLES } from '../support/aws-variables.ts'
import { listening } from '../support/http-server.ts'
import { askCustomResource, type SignedUrl, startSignedUrl } from '../support/signed-url.ts'

/** The keys in the bucket. */
let keys: string[]
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
        response.end('<DeleteResult></DeleteResult>')
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
})
afterAll(async () => {
  await s3?.close()
  await signedUrl?.close()
})

const ask = (type: string, remainingMs?: number) =>
  askCustomResource(
    handler,
    signedUrl,
    { RequestType: type, ResourceProperties: { bucket: 'messages' } },
    remainingMs,
  )

test.each(['Create', 'Update'])('%s leaves every object in the bucket', async (type) => {
  expect(await ask(type)).toMatchObject({ Status: 'SUCCESS' })
  expect(keys).toEqual(['inbound/1', 'parts/1/0'])
})

test('a deletion removes every object', async () => {
  expect(await ask('Delete')).toMatchObject({ Status: 'SUCCESS' })
  expect(keys).toEqual([])
})

test('a deletion that runs out of time answers before Lambda ends it, and says what to do', async () => {
  const { Status, Reason } = await ask('Delete', 30_000)
  expect(Status).toBe('FAILED')
  expect(Reason).toContain('messages still has objects: delete the stack again to continue')
})
