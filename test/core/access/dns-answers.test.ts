import { beforeEach, describe, expect, test } from '@jest/globals'
import { DnsAnswers } from '../../../core/access/dns-answers.ts'
import type { WantedRecord } from '../../../core/access/ports.ts'
import { Problem } from '../../../core/errors.ts'
import { DNS_QUESTIONS, MINUTE_MS } from '../../../core/limits.ts'
import { FakeDns } from './fakes.ts'

const NAME = 'a.example'
const wanted = (type: WantedRecord['type'], name = NAME): WantedRecord => ({
  type,
  name,
  value: 'value',
  purpose: 'Is tested.',
})

describe('DNS answers', () => {
  let dns: FakeDns
  let answers: DnsAnswers
  let now: number

  beforeEach(() => {
    dns = new FakeDns()
    now = 1_790_000_000_000
    answers = new DnsAnswers(dns, () => now)
  })

  test('have the hosts of the best preference in canonical form', async () => {
    dns.mxRecords = [
      { preference: 20, exchange: 'second.example' },
      { preference: 10, exchange: 'One.Example.' },
      { preference: 10, exchange: 'two.example' },
      { preference: 0, exchange: '.' },
    ]
    expect((await answers.of(NAME)).mx).toEqual([
      { preference: 10, exchange: 'one.example' },
      { preference: 10, exchange: 'two.example' },
    ])
  })

  test('have the unique time at which the first question was asked', async () => {
    const first = await answers.of(NAME)
    expect(first.askedAt).toBe(now)
    expect((await answers.of('b.example')).askedAt).toBeGreaterThan(first.askedAt)
  })

  test('report whether a required record exists', async () => {
    dns.texts = ['other', 'value']
    expect(await answers.isThere(wanted('TXT'))).toBe(true)
    expect(await answers.isThere(wanted('CNAME'))).toBe(false)
    dns.texts = ['other']
    dns.canonicalNames = ['value']
    expect(await answers.isThere(wanted('TXT'))).toBe(false)
    expect(await answers.isThere(wanted('CNAME'))).toBe(true)
  })

  test('report a required record without an answer as missing, and pass on every other fault', async () => {
    dns.texts = 'fail'
    expect(await answers.isThere(wanted('TXT'))).toBe(false)
    for (const fault of [new Error('a fault'), new Problem('unavailable', 'a fault')]) {
      dns.txt = () => Promise.reject(fault)
      await expect(answers.isThere(wanted('TXT'))).rejects.toBe(fault)
    }
  })

  test('are asked for again when the clock was set back', async () => {
    for (let n = 0; n < DNS_QUESTIONS + 1; n++) await answers.isThere(wanted('TXT'))
    expect(dns.questions).toBe(DNS_QUESTIONS)
    now -= MINUTE_MS
    await answers.isThere(wanted('TXT'))
    expect(dns.questions).toBe(DNS_QUESTIONS + 1)
  })

  test('are cached for the last 10,000 questions', async () => {
    const ask = async (name: string) => {
      const before = dns.questions
      await answers.isThere(wanted('TXT', name))
      return dns.questions > before
    }
    await ask('first.example')
    for (let n = 0; n < DNS_QUESTIONS; n++) await ask('forgotten.example')
    for (let n = 1; n < DNS_QUESTIONS; n++) await ask('first.example')
    for (let n = 2; n < 10_000; n++) await ask(`${n}.example`)
    expect(await ask('forgotten.example')).toBe(false)
    await ask('one-more.example')
    expect(await ask('first.example')).toBe(false)
    expect(await ask('forgotten.example')).toBe(true)
  })
})
