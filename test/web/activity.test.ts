import { describe, expect, test } from '@jest/globals'
import type { Refusal } from '../../web/all-mail/refusals.ts'
import {
  type ActivityAnswer,
  type ClientRequest,
  endOf,
  outcomeOf,
  positionIn,
  refusalsFor,
  sessionsOf,
  wantedBy,
} from '../../web/inbox/activity.ts'

const NOW = Date.parse('2026-11-21T10:00:00.000Z')
const at = (seconds: number) => new Date(NOW + 1000 * seconds).toISOString()
const email = (seconds: number, subject = 'Welcome') => ({
  id: String(seconds),
  from: { name: null, address: 'a@b.example' },
  subject,
  received_at: at(seconds),
})
const request = (seconds: number, facts: Partial<ClientRequest> = {}): ClientRequest => ({
  method: 'GET',
  target: '/wait?has=code',
  started_at: at(seconds),
  status: 200,
  ms: 1000,
  wait: null,
  ...facts,
})
const refusal = (recipient: string | null, seconds = 0): Refusal => ({
  at: at(seconds),
  client: '127.0.0.1',
  mail_from: null,
  recipient,
  code: 550,
  reply: 'No such domain',
})
type Wait = NonNullable<ClientRequest['wait']>
const wait = (facts: Partial<Wait> = {}): Wait => ({
  filter: { has: 'code' },
  since: null,
  timeout: 25,
  found: null,
  missed: [],
  ...facts,
})

describe('the sessions of an inbox', () => {
  const sessions = (
    requests: ClientRequest[],
    emails: ActivityAnswer['emails'] = [],
    refusals: Refusal[] = [],
  ) => sessionsOf({ success: true, requests, emails }, refusals, NOW)

  test('end with a pause of a minute, and the latest comes first', () => {
    const found = sessions([request(-10), request(-100), request(-60)], [email(-59), email(-200)])
    expect(found.map(({ from, to, requests }) => [from - NOW, to - NOW, requests.length])).toEqual([
      [-100_000, -9_000, 3],
    ])
    const starts = (...requests: ClientRequest[]) => sessions(requests).map(({ from }) => from - NOW)
    expect(starts(request(-10), request(-71))).toEqual([-71_000])
    expect(starts(request(-10), request(-71.001))).toEqual([-10_000, -71_001])
  })

  test('an open request lasts until now, and emails alone are no session', () => {
    const [open] = sessions([request(-30, { status: null, ms: null })])
    expect([open?.from, open?.to]).toEqual([NOW - 30_000, NOW])
    expect(sessions([], [email(-5)])).toEqual([])
  })

  test('a refusal is a session, or a part of one', () => {
    const alone = sessions([], [email(-200)], [refusal('a@b.example', -100)])
    expect(alone.map(({ from, emails, refusals }) => [from - NOW, emails.length, refusals.length])).toEqual([
      [-100_000, 0, 1],
    ])
    const [one] = sessions([request(-20)], [], [refusal('a@b.example', -5)])
    expect([one?.from, one?.to, one?.refusals.length]).toEqual([NOW - 20_000, NOW - 5000, 1])
  })

  test('refusals are those of the address, of its name elsewhere, and of a typing error', () => {
    const others = ['bto@mayfly.test', 'BOT@Mayfly.Tset', 'bot@other.example', 'bot2@mayfly.test']
    const foreign = ['someone@mayfly.test', 'robots@mayfly.test', null]
    const all = [...others, ...foreign].map((recipient) => refusal(recipient))
    expect(refusalsFor('bot@mayfly.test', all).map(({ recipient }) => recipient)).toEqual(others)
  })

  test('a quick request has room, and every time is inside', () => {
    const [quick] = sessions([request(-10, { ms: 1 })])
    expect(quick && quick.to - quick.from).toBe(2000)
    expect([-11, -10, -9, -8, 0].map((seconds) => quick && positionIn(quick, NOW + seconds * 1000))).toEqual([
      0, 0, 50, 100, 100,
    ])
  })
})

describe('what came of a request', () => {
  test.each<[Partial<ClientRequest>, string, string]>([
    [{ wait: wait(), ms: 3000 }, 'no email in 3 s', 'warn'],
    [
      { wait: wait({ found: email(0, 'Your code') }), ms: 716 },
      'answered with “Your code” after 716 ms',
      'good',
    ],
    [{ wait: wait({ found: email(0, '') }), ms: 12_400 }, 'answered with “No subject” after 12 s', 'good'],
    [{ wait: wait(), status: null, ms: null }, 'waiting for 30 s', ''],
    [{ status: null, ms: null }, 'running for 30 s', ''],
    [{ status: 400, ms: 1 }, '400 after 1 ms', 'bad'],
    [{ ms: 2 }, '200 after 2 ms', ''],
  ])('%j', (facts, text, tone) => {
    expect(outcomeOf(request(-30, facts), NOW)).toEqual({ text, tone })
  })

  test('ends when it was answered; one that runs ends now, and not before its begin if clocks differ', () => {
    const running = (seconds: number) => endOf(request(seconds, { ms: null }), NOW)
    expect([endOf(request(-30), NOW), running(-30), running(5)]).toEqual([NOW - 29_000, NOW, NOW + 5000])
  })

  test('a wait is named by its filter, and any other request by what it asked for', () => {
    expect(wantedBy(request(0, { wait: wait({ filter: { subject: 'Confirm', has: 'code' } }) }))).toBe(
      'wait subject: Confirm, has: code',
    )
    expect(wantedBy(request(0, { wait: wait({ filter: {} }) }))).toBe('wait for any email')
    expect(wantedBy(request(0, { target: '', method: 'DELETE' }))).toBe('DELETE /')
  })
})
