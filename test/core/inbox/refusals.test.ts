import { expect, test } from '@jest/globals'
import { latestRefusals, Refusals, type RefusedMail } from '../../../core/inbox/refusals.ts'

const refused = (change: Partial<RefusedMail> = {}): RefusedMail => ({
  at: 1,
  client: '192.0.2.1',
  mailFrom: 'ann@shop.example',
  recipient: 'bot@mayfly.test',
  code: 550,
  reply: '5.1.2 No',
  ...change,
})

test('the latest 200 refusals are kept, newest first, and all are counted', () => {
  const refusals = new Refusals()
  for (let at = 1; at <= 200; at++) refusals.add(refused({ at }))
  expect(refusals.list().map(({ at }) => at)).toEqual(Array.from({ length: 200 }, (_, n) => 200 - n))
  refusals.add(refused({ at: 201 }))
  const kept = refusals.list()
  expect([kept.length, kept[0]?.at, kept.at(-1)?.at, refusals.count]).toEqual([200, 201, 2, 201])
})

test('texts of a stranger are cut at 512 characters', () => {
  const refusals = new Refusals()
  const [whole, long] = ['x'.repeat(512), 'x'.repeat(513)]
  refusals.add(refused({ mailFrom: whole, recipient: whole, reply: whole }))
  refusals.add(refused({ mailFrom: long, recipient: long, reply: long }))
  refusals.add(refused({ mailFrom: null, recipient: null }))
  expect(refusals.list()).toEqual([
    refused({ mailFrom: null, recipient: null }),
    ...Array(2).fill(refused({ mailFrom: whole, recipient: whole, reply: whole })),
  ])
})

test('of several lists the latest 200 are returned, newest first', () => {
  const list = (...times: number[]) => times.map((at) => refused({ at }))
  expect(latestRefusals(list(5, 2), [], list(4, 3)).map(({ at }) => at)).toEqual([5, 4, 3, 2])
  const many = Array.from({ length: 150 }, (_, n) => 2 * n).reverse()
  const latest = latestRefusals(list(...many), list(...many.map((at) => at + 1)))
  expect([latest.length, latest[0]?.at, latest.at(-1)?.at]).toEqual([200, 299, 100])
})
