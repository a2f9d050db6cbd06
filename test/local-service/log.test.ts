import { expect, test } from '@jest/globals'
import { shownMs } from '../../local-service/log.ts'

test('a duration is logged to a tenth of a millisecond', () => {
  expect([0, 0.04, 12.345, 1999.96].map(shownMs)).toEqual([0, 0, 12.3, 2000])
})
