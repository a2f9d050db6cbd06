import { Readable } from 'node:stream'
import { NoSuchKey, S3Client } from '@aws-sdk/client-s3'
import { expect, test } from '@jest/globals'
import { S3Blobs } from '../../../adapters/s3/blobs.ts'
import { removeAllObjects } from '../../../adapters/s3/remove-all.ts'
import { eventually } from '../../support/eventually.ts'
import { failing } from '../dynamodb/faults.ts'

type Answer = (input: never) => object

/** S3 with an answer to each command, in the order of the calls, and what it was asked for. */
function s3With(answers: Record<string, Answer>) {
  const asked: [string, object][] = []
  const client = {
    send: async (command: { constructor: { name: string }; input: never }) => {
      const name = command.constructor.name.replace('Command', '')
      asked.push([name, command.input])
      return answers[name]!(command.input)
    },
  }
  return { client: client as unknown as S3Client, asked }
}
const throwing = (error: Error) => () => {
  throw error
}

/** Waits until work without a network has come to its end. */
async function settled() {
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
}

const SLOW = failing('SlowDown')
const ABSENT = new NoSuchKey({ message: 'absent', $metadata: {} })
const REFUSED = { Errors: [{ Key: 'k', Code: 'AccessDenied', Message: 'no' }] }

test.each<[string, Record<string, Answer>, (blobs: S3Blobs) => Promise<unknown>]>([
  ['a write', { PutObject: throwing(SLOW) }, (blobs) => blobs.put('d', 'raw', new Uint8Array(1))],
  ['a read', { GetObject: throwing(SLOW) }, (blobs) => blobs.open('d', 'raw')],
  ['a list', { ListObjectsV2: throwing(SLOW) }, (blobs) => blobs.remove('d')],
  ['a deletion', { ListObjectsV2: () => ({}), DeleteObjects: throwing(SLOW) }, (blobs) => blobs.remove('d')],
  ['a tag', { PutObjectTagging: throwing(SLOW) }, (blobs) => blobs.expireWithEmails('d')],
  [
    'the deletion of one object',
    { ListObjectsV2: () => ({}), DeleteObjects: () => REFUSED },
    (blobs) => blobs.remove('d'),
  ],
])('the store is unavailable when S3 refuses %s', async (_, answers, call) => {
  const fault = call(new S3Blobs(s3With(answers).client, 'bucket'))
  await expect(fault).rejects.toMatchObject({ code: 'unavailable' })
})

test('a raw message that a caller has deleted meanwhile is not tagged, which is no fault', async () => {
  const blobs = new S3Blobs(s3With({ PutObjectTagging: throwing(ABSENT) }).client, 'bucket')
  await expect(blobs.expireWithEmails('d')).resolves.toBeUndefined()
})

test('a connection that breaks while an object is read makes the store unavailable', async () => {
  const Body = Readable.from(
    (function* () {
      yield Buffer.from('x')
      throw Object.assign(new Error('reset'), { code: 'ECONNRESET' })
    })(),
  )
  const { client } = s3With({ GetObject: () => ({ ContentLength: 2, Body }) })
  const opened = await new S3Blobs(client, 'bucket').open('d', 'raw')
  const reading = opened!.stream[Symbol.asyncIterator]()
  expect((await reading.next()).value).toEqual(Buffer.from('x'))
  await expect(reading.next()).rejects.toMatchObject({ code: 'unavailable' })
})

test('an upload of unknown size has two parts of 5 MB under way, and reads no further', async () => {
  const PART_BYTES = 5 * 1024 * 1024
  const parts: { bytes: number; answer: () => void }[] = []
  let read = 0
  const content = async function* () {
    for (; read < 4; read++) yield Buffer.alloc(PART_BYTES)
  }
  const client = new S3Client({ region: 'us-east-1', requestChecksumCalculation: 'WHEN_REQUIRED' })
  client.send = (async ({ input }: { input: { Body?: Buffer } }) => {
    if (input.Body === undefined) return { UploadId: 'upload' }
    await new Promise<void>((answer) => parts.push({ bytes: input.Body!.length, answer }))
    return { ETag: 'part' }
  }) as S3Client['send']
  const stored = new S3Blobs(client, 'bucket').put('d', 'attachments/0', content())
  for (const underWay of [2, 3, 4]) {
    await eventually('the next part', () => parts.length >= underWay)
    await settled()
    expect([parts.length, read <= underWay + 1]).toEqual([underWay, true])
    parts[underWay - 2]!.answer()
  }
  parts.at(-1)!.answer()
  await stored
  expect(parts.map(({ bytes }) => bytes)).toEqual(Array(4).fill(PART_BYTES))
})

test('every page of the parts is removed, with the raw message', async () => {
  const { client, asked } = s3With({
    ListObjectsV2: ({ ContinuationToken: token }: { ContinuationToken?: string }) =>
      token === undefined
        ? { Contents: [{ Key: 'parts/d/0' }], NextContinuationToken: 'more' }
        : { Contents: [{ Key: 'parts/d/1' }] },
    DeleteObjects: () => ({}),
  })
  await new S3Blobs(client, 'bucket').remove('d')
  const removed = asked.flatMap(([name, input]) =>
    name === 'DeleteObjects' ? (input as { Delete: { Objects: { Key: string }[] } }).Delete.Objects : [],
  )
  expect(removed.map(({ Key }) => Key)).toEqual(['inbound/d', 'parts/d/0', 'parts/d/1'])
})

test('a bucket with versions is empty when its versions and its delete markers are gone', async () => {
  const pages = [
    { Versions: [{ Key: 'a', VersionId: '1' }], DeleteMarkers: [{ Key: 'a', VersionId: '2' }] },
    { DeleteMarkers: [{ Key: 'b', VersionId: '3' }] },
    {},
  ]
  const { client, asked } = s3With({ ListObjectVersions: () => pages.shift()!, DeleteObjects: () => ({}) })
  expect(await removeAllObjects(client, 'bucket', { versioned: true, hasTime: () => true })).toBe(true)
  const removed = asked.flatMap(([name, input]) => (name === 'DeleteObjects' ? [input] : []))
  expect(removed).toMatchObject([
    {
      Delete: {
        Objects: [
          { Key: 'a', VersionId: '1' },
          { Key: 'a', VersionId: '2' },
        ],
      },
    },
    { Delete: { Objects: [{ Key: 'b', VersionId: '3' }] } },
  ])
})

test('an object that cannot be deleted fails the emptying of its bucket by name', async () => {
  const { client } = s3With({
    ListObjectsV2: () => ({ Contents: [{ Key: 'k' }] }),
    DeleteObjects: () => REFUSED,
  })
  const emptying = removeAllObjects(client, 'bucket', { hasTime: () => true })
  await expect(emptying).rejects.toThrow('k: AccessDenied no')
})
