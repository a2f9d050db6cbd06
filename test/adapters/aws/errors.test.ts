import { expect, test } from '@jest/globals'
import { attemptsOf, isPassing, translated } from '../../../adapters/aws/errors.ts'
import { Problem } from '../../../core/errors.ts'
import { failing } from '../dynamodb/faults.ts'

const PASSING =
  `InternalServerError InternalFailure LimitExceededException ProvisionedThroughputExceededException
  RequestLimitExceeded RequestTimeout RequestTimeoutException ServiceUnavailable SlowDown Throttling
  ThrottlingException TimeoutError TooManyRequestsException`.split(/\s+/)

const NETWORK = 'EAI_AGAIN ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ENOTFOUND EPIPE ETIMEDOUT'.split(
  ' ',
)

const broken = (code: string) => Object.assign(new Error('broken'), { code })
const answered = (httpStatusCode: number) => Object.assign(new Error('no'), { $metadata: { httpStatusCode } })

test.each([...PASSING.map(failing), ...NETWORK.map(broken), answered(500), answered(503)])(
  'a later attempt may succeed after %p',
  (error) => {
    const problem = translated(error)
    expect(problem).toBeInstanceOf(Problem)
    expect(problem).toMatchObject({ code: 'unavailable', retryAfter: 2, cause: error })
  },
)

test.each([
  failing('AccessDenied'),
  broken('EACCES'),
  answered(499),
  new Error('x'),
  'TimeoutError',
  undefined,
])('%p stays as it is', (error) => {
  expect(isPassing(error)).toBe(false)
  expect(translated(error)).toBe(error)
})

test('an error knows how often the SDK tried', () => {
  expect(attemptsOf(Object.assign(new Error('x'), { $metadata: { attempts: 4 } }))).toBe(4)
  expect([attemptsOf(new Error('x')), attemptsOf(answered(500))]).toEqual([1, 1])
})
