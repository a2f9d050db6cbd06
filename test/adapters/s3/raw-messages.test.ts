import type { S3Client } from '@aws-sdk/client-s3'
import { expect, test } from '@jest/globals'
import { PREFIXES } from '../../../adapters/aws/env.ts'
import { headOf, rawMessages } from '../../../adapters/s3/raw-messages.ts'

/** A client that answers one command after the other, and keeps what each asked for. */
function answering(...answers: object[]): { s3: S3Client; asked: object[] } {
  const asked: object[] = []
  const send = async ({ input }: { input: object }) => {
    asked.push(input)
    return answers.shift()
  }
  return { s3: { send } as unknown as S3Client, asked }
}

test('the head of a message is as many bytes as are asked for', async () => {
  const bytes = Uint8Array.of(1, 2)
  const { s3, asked } = answering({ Body: { transformToByteArray: async () => bytes } }, {})
  expect(await headOf(s3, 'a-bucket', 'an-id', 100)).toBe(bytes)
  expect(await headOf(s3, 'a-bucket', 'another', 1)).toEqual(new Uint8Array())
  expect(asked).toEqual([
    { Bucket: 'a-bucket', Key: `${PREFIXES.raw}an-id`, Range: 'bytes=0-99' },
    { Bucket: 'a-bucket', Key: `${PREFIXES.raw}another`, Range: 'bytes=0-0' },
  ])
})

test('raw messages come by pages, which end with the last one or with an empty one', async () => {
  const page = (IsTruncated: boolean, ...ids: string[]) => ({
    Contents: ids.map((id) => ({ Key: PREFIXES.raw + id, LastModified: new Date(5) })),
    IsTruncated,
  })
  for (const last of [page(false, 'c'), { IsTruncated: true }]) {
    const { s3, asked } = answering(page(true, 'a', 'b'), last)
    const ids = (await Array.fromAsync(rawMessages(s3, 'a-bucket', 'x'))).map((found) =>
      found.map(({ messageId, storedAt }) => `${messageId} ${storedAt}`),
    )
    expect(ids).toEqual([['a 5', 'b 5'], 'Contents' in last ? ['c 5'] : []])
    expect(asked).toEqual(
      ['x', 'b'].map((after) => ({
        Bucket: 'a-bucket',
        Prefix: PREFIXES.raw,
        StartAfter: PREFIXES.raw + after,
      })),
    )
  }
})
