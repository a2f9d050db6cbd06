import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import type { customResource as CustomResource } from '../../lambdas/cloudformation.ts'
import { collectLog, type LogLine } from '../support/logged.ts'
import { askCustomResource, type SignedUrl, startSignedUrl } from '../support/signed-url.ts'

/** The pauses between two attempts, which are short here, and how many of them have not ended. */
const pauses: number[] = []
let running = 0
let customResource: typeof CustomResource
let signedUrl: SignedUrl

beforeAll(async () => {
  const pause = async (ms: number) => {
    pauses.push(ms)
    running++
    await sleep(20)
    running--
  }
  jest.unstable_mockModule('node:timers/promises', () => ({ setTimeout: pause }))
  ;({ customResource } = await import('../../lambdas/cloudformation.ts'))
  signedUrl = await startSignedUrl()
})
let logged: LogLine[]
beforeEach(() => {
  logged = collectLog().lines
  pauses.length = 0
  signedUrl.statuses.length = 0
})
afterEach(() => void jest.restoreAllMocks())
afterAll(() => signedUrl.close())

const UPDATE = { RequestType: 'Update', ResourceProperties: {} }

describe('a custom resource', () => {
  const thing = (apply: Parameters<typeof CustomResource>[1]) =>
    customResource('mayfly-thing', apply) as never

  test('answers under the physical id that CloudFormation knows', async () => {
    const handler = thing(async () => {})
    const answer = { Status: 'SUCCESS', StackId: 's', RequestId: 'r', LogicalResourceId: 'l' }
    const created = { ...answer, PhysicalResourceId: 'mayfly-thing' }
    expect(await askCustomResource(handler, signedUrl, UPDATE)).toEqual(created)
    // CloudFormation deletes a resource whose physical id changes.
    const known = { ...UPDATE, PhysicalResourceId: 'of-an-older-version' }
    expect(await askCustomResource(handler, signedUrl, known)).toEqual({
      ...created,
      PhysicalResourceId: 'of-an-older-version',
    })
  })

  test.each([
    [new Error('no access'), 'no access (mayfly-thing)'],
    ['a text', 'a text (mayfly-thing)'],
    // CloudFormation refuses an answer of more than 4 KB.
    [new Error('x'.repeat(5000)), 'x'.repeat(3000)],
  ])('that fails answers with the reason', async (error, reason) => {
    const answer = await askCustomResource(
      thing(() => Promise.reject(error)),
      signedUrl,
      { ...UPDATE, PhysicalResourceId: 'known' },
    )
    expect(answer).toEqual({
      Status: 'FAILED',
      Reason: reason,
      StackId: 's',
      RequestId: 'r',
      LogicalResourceId: 'l',
      PhysicalResourceId: 'known',
    })
    expect(logged).toEqual([
      {
        level: 'error',
        message: 'the deployment failed here',
        resource: 'l',
        error: expect.stringContaining(reason.slice(0, 6)),
      },
    ])
  })

  test('knows how much of its time is left', async () => {
    const seen: number[] = []
    const handler = thing(async (_, remainingMs) => {
      seen.push(remainingMs())
    })
    await askCustomResource(handler, signedUrl, UPDATE, 1234)
    await (handler as (request: object) => Promise<void>)({ ...UPDATE, ResponseURL: signedUrl.url })
    expect(seen).toEqual([1234, Number.POSITIVE_INFINITY])
  })

  test('is applied once, and its answer is sent until the signed URL accepts it', async () => {
    let applied = 0
    const handler = thing(async () => {
      applied++
    })
    signedUrl.statuses.push(503, 500, 403, 503)
    expect(await askCustomResource(handler, signedUrl, UPDATE)).toMatchObject({ Status: 'SUCCESS' })
    expect(pauses).toEqual([500, 1000, 2000, 4000])
    expect(running).toBe(0)
    expect(applied).toBe(1)
    expect(logged.map(({ level, message, tries }) => [level, message, tries])).toEqual(
      [1, 2, 3, 4].map((tries) => ['warn', 'CloudFormation did not accept the answer', tries]),
    )
  })

  test('sends its answer again if the signed URL does not answer for five seconds', async () => {
    const waiting = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort())
    const answer = await askCustomResource(
      thing(async () => {}),
      signedUrl,
      UPDATE,
    )
    expect(answer).toMatchObject({ Status: 'SUCCESS' })
    expect(waiting.mock.calls).toEqual([[5000], [5000]])
    expect(pauses).toEqual([500])
  })

  test('fails if five attempts to answer fail, so that Lambda retries', async () => {
    signedUrl.statuses.push(503, 503, 503, 503, 403, 200)
    await expect(
      askCustomResource(
        thing(async () => {}),
        signedUrl,
        UPDATE,
      ),
    ).rejects.toThrow('status 403')
    expect(signedUrl.answers).toEqual([])
    expect(pauses).toHaveLength(4)
  })
})
