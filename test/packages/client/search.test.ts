import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { Deadline } from '../../../packages/client/src/deadline.ts'
import { MayflyError } from '../../../packages/client/src/errors.ts'
import type { MailFilter } from '../../../packages/client/src/filter.ts'
import type { Http } from '../../../packages/client/src/http.ts'
import { Mail } from '../../../packages/client/src/mail.ts'
import type { InboxRequests } from '../../../packages/client/src/requests.ts'
import { Search } from '../../../packages/client/src/search.ts'
import type { Email } from '../../../packages/client/src/wire.ts'

const [one, two, three] = ['1', '2', '3'].map((id) => new Mail({ id, subject: id } as Email, {} as Http)) as [
  Mail,
  Mail,
  Mail,
]

type Held = Mail | null
type Answer = Held | Mail[] | (() => Held | Mail[])

/** When a wait lists the mails, from where it continues, and what ends it. */
describe('a search', () => {
  let nowMs: number

  beforeEach(() => {
    nowMs = 0
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs)
  })
  afterEach(() => {
    jest.restoreAllMocks()
  })

  /** A search whose requests get these answers; `asked` has the requests, each with its `since`. */
  function searching(
    answers: Answer[],
    { count = 1, filter = {}, since = undefined as string | undefined, taken = new Set<string>() } = {},
  ) {
    const asked: string[] = []
    const request = (kind: string) => async (_filter: MailFilter, after: string | undefined) => {
      asked.push(`${kind} ${after}`)
      const answer = answers.shift()
      return typeof answer === 'function' ? answer() : answer
    }
    const requests = { wait: request('wait'), list: request('list') } as unknown as InboxRequests
    return { search: new Search(requests, { filter, count }, { taken, since }), asked, taken }
  }

  const REJECTING = { where: () => false }
  const late = <T>(answer: T) => {
    return () => {
      nowMs = 5000
      return answer
    }
  }

  test('takes the mail of a held request', async () => {
    const { search, asked, taken } = searching([one], { since: '0' })
    expect(await search.run(new Deadline(5000))).toEqual([one])
    expect([asked, [...taken]]).toEqual([['wait 0'], ['1']])
  })

  test('lists the mails if several are wanted, and continues after the last one', async () => {
    const { search, asked } = searching([one, [one], null, two, [two, three]], { count: 2 })
    expect(await search.run(new Deadline(5000))).toEqual([one, two])
    expect(asked).toEqual(['wait undefined', 'list undefined', 'wait 1', 'wait 1', 'list 1'])
  })

  test('keeps its position when a list has no mail', async () => {
    const answers = [[], two]
    const { search, asked } = searching(answers, { since: '1', taken: new Set(['1']) })
    expect(await search.run(new Deadline(5000))).toEqual([two])
    expect(asked).toEqual(['list 1', 'wait 1'])
  })

  test('does not take what another one has taken meanwhile', async () => {
    const taken = new Set<string>()
    const other = () => {
      taken.add('1')
      return one
    }
    const { search, asked } = searching([other, [one, two]], { taken })
    expect(await search.run(new Deadline(5000))).toEqual([two])
    expect(asked).toEqual(['wait undefined', 'list undefined'])
  })

  test('does not list again, after its time, what it has rejected', async () => {
    const answers = [one, [one], late(null), [one]]
    const { search, asked } = searching(answers, { filter: REJECTING })
    expect(await search.run(new Deadline(5000))).toBeUndefined()
    expect(await search.last(undefined, undefined)).toEqual({ arrived: [one] })
    expect(asked).toEqual(['wait undefined', 'list undefined', 'wait 1', 'list undefined'])
  })

  test('finds, after its time, a mail of the last moment', async () => {
    const { search, asked } = searching([late(null), [one, two], [two]], { since: '0' })
    expect(await search.run(new Deadline(5000))).toBeUndefined()
    expect(await search.last('0', undefined)).toEqual({ mails: [two] })
    expect(asked).toEqual(['wait 0', 'list 0', 'list 0'])
  })

  test('without time lists the mails that arrived and those that match, and no others', async () => {
    const { search, asked } = searching([[one, two], [one]], { taken: new Set(['1']) })
    expect(await search.run(new Deadline(0))).toBeUndefined()
    expect(await search.last(undefined, undefined)).toEqual({ arrived: [two] })
    expect(asked).toEqual(['list undefined', 'list undefined'])
  })

  test('of an inbox without mail lists once after its time', async () => {
    const { search, asked } = searching([[]])
    expect(await search.last(undefined, undefined)).toEqual({ arrived: [] })
    expect(asked).toEqual(['list undefined'])
  })

  const lost = (name: string) => new MayflyError('unreachable', 'lost', { cause: { name } })

  test.each([
    ['a request that the deadline ended', 5000, undefined, lost('TimeoutError')],
    ['a lost connection', 5000, 'unreachable', lost('TypeError')],
    ['a refusal', 5000, 'internal_error', new MayflyError('internal_error', 'refused')],
    ['a request that took too long before the deadline', 4999, 'unreachable', lost('TimeoutError')],
  ])('has as its outcome for %s, after %d ms: %s', async (_what, ms, code, error) => {
    const { search } = searching([
      () => {
        nowMs = ms
        throw error
      },
    ])
    const outcome = await search.run(new Deadline(5000)).catch((reason: MayflyError) => reason.code)
    expect(outcome).toBe(code)
  })

  test('rejects with what a predicate throws', async () => {
    const where = () => {
      nowMs = 5000
      throw new Error('of the predicate')
    }
    const { search } = searching([one], { filter: { where } })
    await expect(search.run(new Deadline(5000))).rejects.toThrow('of the predicate')
  })

  test('passes the signal of the caller on to its last list', async () => {
    const signal = AbortSignal.abort('by the caller')
    await expect(searching([[]]).search.last(undefined, signal)).rejects.toBe('by the caller')
  })
})
