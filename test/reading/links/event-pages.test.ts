import { describe, expect, test } from '@jest/globals'
import { findLinks } from '../../../reading/links.ts'

const actionOf = (subject: string, text: string) =>
  findLinks({ subject, text, html: null }, { links: 50, linkBytes: 2048 }).actionLink

describe('the page of an event, below an invitation to it, is no action', () => {
  const event = (page: string) =>
    `You are invited.\n\nPlan of action\nMonday, 08:30 – 16:00\n\nhttps://kestrel.example/${page}\n`
  test.each(['plan-of-action', 'spring-plan-2026', 'plan-3', 'e/plan-day-2026'])('%s', (page) => {
    expect(actionOf('Invitation: Plan of action', event(page))).toBeNull()
  })

  test('but a value made for the reader is one', () => {
    const text = event('i/Q7mVx2LkTz0eSbYw4dRcHn5J')
    expect(actionOf('Invitation to Kestrel', text)?.kind).toBe('invite')
  })
})

test('an invitation to a meeting is none, whatever value its address has', () => {
  const url = 'https://teams.kestrel.example/l/meetup-join/19meetingQ7mVx2LkTz0eSbYw4dRcHn5J'
  expect(
    actionOf('Einladung: Jour fixe', `Hallo zusammen,\n\nAn Besprechung teilnehmen: ${url}\n`),
  ).toBeNull()
})

test('the page of an airline to check in is no action', () => {
  const text = 'Prijavite se onlajn: https://harbour.example/check-in?pnr=6KQ2LM'
  expect(actionOf('Prijava za let JU 380', text)).toBeNull()
})
