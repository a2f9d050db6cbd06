import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { isUlid, lastUlidOf, ulidSource, ulidTime } from '../../core/ulid.ts'

describe('ULIDs', () => {
  test('contain their time and are canonical', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (time) => {
        const id = ulidSource(() => time, randomBytes)()
        expect(isUlid(id)).toBe(true)
        expect(ulidTime(id)).toBe(time)
        expect(id <= lastUlidOf(time)).toBe(true)
        if (time > 0) expect(id > lastUlidOf(time - 1)).toBe(true)
      }),
    )
  })

  test('contain the random bytes, without their first bit', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 10, maxLength: 10 }), (bytes) => {
        const id = ulidSource(
          () => 0,
          () => bytes,
        )()
        let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`) & ((1n << 79n) - 1n)
        let text = ''
        for (let n = 0; n < 16; n++, value >>= 5n)
          text = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'[Number(value & 31n)] + text
        expect(id).toBe('0'.repeat(10) + text)
      }),
    )
  })

  test('of one millisecond are numbered on', () => {
    const next = ulidSource(
      () => 1,
      () => new Uint8Array(10).fill(255),
    )
    const tails = ['FZZZZZZZZZZZZZZZ', 'G000000000000000', 'G000000000000001']
    expect([next(), next(), next()]).toEqual(tails.map((tail) => `0000000001${tail}`))
  })

  test('the example of the specification', () => {
    expect(ulidTime('01ARZ3NDEKTSV4RRFFQ69G5FAV')).toBe(1469922850259)
  })

  test('always grow, even if the clock is set back, also over a restart', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1000, max: 1010 }), { minLength: 2, maxLength: 200 }),
        (times) => {
          let now = 0
          const all: string[] = []
          let next = ulidSource(() => now, randomBytes)
          times.forEach((time, i) => {
            now = time
            if (i === times.length >> 1) next = ulidSource(() => now, randomBytes, all.at(-1))
            all.push(next())
          })
          expect([...new Set(all)].sort()).toEqual(all)
        },
      ),
    )
  })

  test('count on when the random part is used up', () => {
    const next = ulidSource(() => 5, randomBytes, `0000000005${'Z'.repeat(16)}`)
    const id = next()
    expect(isUlid(id)).toBe(true)
    expect(ulidTime(id)).toBe(6)
  })

  test.each([
    '',
    '01arz3ndektsv4rrffq69g5fav',
    '81ARZ3NDEKTSV4RRFFQ69G5FAV',
    '01ARZ3NDEKTSV4RRFFQ69G5FA',
    '01ARZ3NDEKTSV4RRFFQ69G5FAU',
  ])('%s is not a ULID', (text) => {
    expect(isUlid(text)).toBe(false)
  })
})
