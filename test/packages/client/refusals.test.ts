import { expect, test } from '@jest/globals'
import { refusalsFor, strayMail } from '../../../packages/client/src/refusals.ts'
import type { Email, RefusedMail } from '../../../packages/client/src/wire.ts'

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
const refused = (recipient: string | null, seconds = 1) => ({ at: ago(seconds), recipient }) as RefusedMail
const arrived = (address: string, seconds = 1) => ({ received_at: ago(seconds), address }) as Email

test('refusals of the last minute for similar addresses are five at most, the nearest first', () => {
  const near = [
    ...['bot1@mayfly.test', 'bto1@mayfly.test', 'bot1@elsewhere.example', 'BOT@mayfly.test'],
    ...['bot1@mayfly.tes', 'bot1@c.d'],
  ]
  const far = [refused(null), refused('somebody@mayfly.test'), refused('bot1@mayfly.test', 61)]
  const found = refusalsFor('bot1@mayfly.test', [...far, ...near.map((one) => refused(one))])
  const order = [near[0], near[3], near[4], near[1], near[2]]
  expect(found.map(({ recipient }) => recipient)).toEqual(order)
})

test('mail for an address that is written in another way is not of another address', () => {
  // A letter with its mark as one character, or as two.
  const email = arrived('jo\u0308@mayfly.test')
  expect([strayMail('j\u00f6@mayfly.test', [email]), strayMail('ja@mayfly.test', [email])]).toEqual([
    [],
    [email],
  ])
})

test('mail of the last minute at similar addresses is five at most, the nearest address first', () => {
  const near = [
    'bot1@c.d',
    'bot12@mayfly.test',
    'bot@mayfly.test',
    'bto1@mayfly.test',
    'bot1@e.f',
    'bot1@g.h',
  ]
  const far = [arrived('BOT1@mayfly.test'), arrived('robots@mayfly.test'), arrived('bot2@mayfly.test', 61)]
  const found = strayMail('bot1@mayfly.test', [...far, ...near.map((one) => arrived(one))])
  expect(found.map(({ address }) => address)).toEqual([near[1], near[2], near[0], near[3], near[4]])
})
