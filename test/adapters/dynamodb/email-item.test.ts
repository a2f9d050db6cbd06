import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { emailItem } from '../../../adapters/dynamodb/email-item.ts'
import type { Email } from '../../../core/inbox/email.ts'
import { LINK_BYTES, LINKS_MAX, SUMMARY_TEXT_BYTES } from '../../../core/limits.ts'
import type { EmailSummary } from '../../../reading/message.ts'
import { sampleContent } from '../../contract/sample.ts'

const EMAIL = {
  id: '01M84WWW9H36WCNK6VY98FDKB1',
  address: 'bot@mail.test',
  receivedAt: 1,
  expiresAt: 2,
} as Email

const packed = (summary: EmailSummary) => emailItem(summary, EMAIL, 'message').summary!.B!.length

test('a summary is stored in about half its bytes', () => {
  const url = new URL('../../fixtures/mails/action-links.json', import.meta.url)
  const mails = JSON.parse(readFileSync(url, 'utf8')) as { language: string; lead: string; button: string }[]
  const english = mails.filter(({ language }) => language === 'en')
  const bodyText = english.map(({ lead, button }) => `${lead}\n\n${button}`).join('\n')
  const summary = sampleContent({ bodyText })
  expect(packed(summary)).toBeLessThan(0.55 * Buffer.byteLength(JSON.stringify(summary)))
})

test('the largest summary, whose characters are escapes in JSON, stays below the 400 KB of an item', () => {
  let seed = 1
  const random = (length: number, first: number, count: number) =>
    Array.from({ length }, () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return String.fromCharCode(first + ((seed >> 16) % count))
    }).join('')
  const links = Array.from({ length: LINKS_MAX }, () => random(LINK_BYTES, 0x21, 94))
  const bodyText = random(SUMMARY_TEXT_BYTES, 1, 31)
  expect(packed(sampleContent({ bodyText, links }))).toBeLessThan(400 * 1024)
})
