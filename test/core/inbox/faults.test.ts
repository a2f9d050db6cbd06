import { expect, test } from '@jest/globals'
import { type Fault, FaultAttempts, faultOf, UnknownFaultError } from '../../../core/inbox/faults.ts'

const ALWAYS = Number.POSITIVE_INFINITY

test.each<[string, Fault]>([
  ['smtp.451', { at: 'rcpt', does: { reply: 451 }, times: ALWAYS }],
  ['SMTP.Data.550', { at: 'data', does: { reply: 550 }, times: ALWAYS }],
  ['smtp.421x1', { at: 'rcpt', does: { reply: 421 }, times: 1 }],
  ['smtp.450x999', { at: 'rcpt', does: { reply: 450 }, times: 999 }],
  ['smtp.data.452X2', { at: 'data', does: { reply: 452 }, times: 2 }],
  ['smtp.552', { at: 'rcpt', does: { reply: 552 }, times: ALWAYS }],
  ['smtp.554', { at: 'rcpt', does: { reply: 554 }, times: ALWAYS }],
  ['smtp.delay.0', { at: 'rcpt', does: { delayMs: 0 }, times: ALWAYS }],
  ['smtp.delay.60', { at: 'rcpt', does: { delayMs: 60_000 }, times: ALWAYS }],
  ['smtp.drop', { at: 'data', does: 'drop', times: ALWAYS }],
])('the tag %s requests a fault', (tag, fault) => {
  expect(faultOf(`bot+${tag}@d.test`)).toEqual(fault)
})

test.each([
  'smtp.',
  'smtp.250',
  'smtp.4510',
  'smtp.451x0',
  'smtp.451x1000',
  'smtp.451x',
  'smtp.x451',
  'smtp.data.drop',
  'smtp.data.delay.1',
  'smtp.delay.61',
  'smtp.delay.100',
  'smtp.delay.',
  'smtp.dropped',
])('the tag %s is unknown', (tag) => {
  expect(() => faultOf(`bot+${tag}@d.test`)).toThrow(UnknownFaultError)
})

test('the message about an unknown fault lists faults that exist, with the longest delay', () => {
  const { message } = new UnknownFaultError()
  const [, longest] = /smtp\.delay\.5 \(at most (\d+)\)/.exec(message) ?? []
  const tags = [...message.matchAll(/smtp\.[\w.]+/g)].map(([tag]) => tag)
  expect(tags).toEqual(['smtp.451', 'smtp.451x2', 'smtp.data.451', 'smtp.delay.5', 'smtp.drop'])
  for (const tag of tags) expect(faultOf(`bot+${tag}@d.test`)).toBeDefined()
  expect(faultOf(`bot+smtp.delay.${longest}@d.test`)).toBeDefined()
  expect(() => faultOf(`bot+smtp.delay.${Number(longest) + 1}@d.test`)).toThrow(UnknownFaultError)
})

test.each([
  'bot@d.test',
  'bot+tag@d.test',
  'smtp.451@d.test',
  'bot+x+smtp.451@d.test',
  'bot+smtp@d.test',
  'bot+smtpx451@d.test',
])('the address %s requests no fault', (address) => {
  expect(faultOf(address)).toBeUndefined()
})

test('a fault with a number ends for each address after so many attempts, in any case', () => {
  const attempts = new FaultAttempts()
  const due = (address: string, times: number) => attempts.isDue(address, { at: 'rcpt', does: 'drop', times })
  expect(['a@d.test', 'A@D.test', 'a@d.test'].map((address) => due(address, 2))).toEqual([true, true, false])
  expect([due('b@d.test', 1), due('b@d.test', 1)]).toEqual([true, false])
  for (let n = 0; n < 3; n++) expect(due('c@d.test', ALWAYS)).toBe(true)
})

test('the attempts of the last 10,000 addresses are counted', () => {
  const attempts = new FaultAttempts()
  const due = (address: string) => attempts.isDue(address, { at: 'rcpt', does: 'drop', times: 1 })
  for (const address of ['first', 'second', 'first']) due(address)
  for (let n = 2; n < 10_000; n++) due(`${n}`)
  due('one more')
  expect([due('first'), due('second')]).toEqual([false, true])
})
