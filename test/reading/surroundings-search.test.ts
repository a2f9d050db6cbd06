import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { READING_LIMITS } from '../../core/limits.ts'
import { findIn } from '../../reading/read.ts'
import { Random } from '../hostile/search/random.ts'

/*
 * What services write above and below their mails says nothing about the code or the link: addresses, numbers of
 * customers, advertisements, rules of safety. Each mail of the fixtures is read with random ones.
 */

interface Labelled {
  subject: string
  text: string
  html?: string
}

const MAILS = 4000
/** Of a hundred, as many may be read otherwise. */
const OTHERWISE_PERCENT = 0.6

const ABOVE = [
  'CAUTION: This email originated from outside of the organization. Do not click links or open attachments unless you recognize the sender.',
  '[This sender has been verified]',
  'Ticket #482913',
  'View this email in your browser: https://harbour.example/v/4829137',
  '01 Dec 2026',
  'Customer number: 48291377',
  'Ref. 4829-1137',
]

const BELOW = [
  'Nordwind GmbH, Musterstr. 12, 80331 München, HRB 123456, USt-IdNr. DE123456789, Tel. +49 89 1234567',
  '© 2026 Harbour Ltd. Registered in England No. 04829137. 22 Harbour Road, Bristol BS1 6UH.',
  'Harbour Inc., 500 Terry A Francois Blvd, Suite 4829, San Francisco, CA 94158',
  'P.O. Box 482913, Dubai, UAE',
  'Questions? Call +1 800 555 0199 or write to help@harbour.example.',
  'You receive this email because you are registered at Harbour with user ID 48291377.',
  'Your account number: 48291377',
  'Customer number 48291377',
  'Case ID: 00482913',
  'Request ID: 7d8f5a05-4c1e-4f0a-9b1d-2c3e4f5a6b7c',
  'Request ID: 4f0a9b1d2c3e',
  'Ref: A1B2C3D4',
  'Reference: 4829137',
  'Transaction 48291377 of 1 December 2026',
  'Invoice INV-2026-0042',
  'Order #482913',
  'Tracking number: 1Z999AA10123456784',
  'Version 24.11.0 (build 20261201)',
  'Device: iPhone 15, iOS 18.1\nIP address: 203.0.113.42\nTime: 2026-12-01 11:22:33 UTC\nLocation: Berlin, 10115',
  'Date: 01.12.2026, 11:22\nIP: 203.0.113.42',
  'Sent from my iPhone',
  'Unsubscribe: https://harbour.example/u/8f3kd02ls9\nView in browser: https://harbour.example/v/4829137',
  'Download the app: https://apps.harbour.example/id482913377',
  'Follow us on Twitter, Facebook and Instagram.',
  'This is an automated message. Please do not reply.',
  'Your points: 4829. Your level: Gold.',
  'Total: $48.29',
  'Your balance is 482,913 points.',
  'Kundennummer: 48291377',
  'Bestellnummer: 482913',
  'Numéro client : 48291377',
  'Número de pedido: 482913',
  'Номер заказа: 482913',
  'Номер обращения 482913',
  'Müşteri numarası: 48291377',
  '注文番号：48291377',
  '客服电话：400-820-4829',
  '고객센터 1588-3820',
  'رقم الطلب: 482913',
  'Nr zamówienia: 482913',
  'Customer service: 0800 48 29 13',
  'Member since 2019. Member no. 482913.',
  'Msg#482913',
  '[ref:_00D48.!_5004829:ref]',
  'ID: 7F3K99QP',
  'X-Trace: 4829137A',
  '-- \nAnn Keller\nHarbour Support\nExt. 4829',
  'More than 48291 companies trust us.',
  'We moved! Our new address: 4829 Main St, Springfield, IL 62704',
  'Win one of 5000 prizes! Enter now.',
  'Use code SAVE20 at checkout for 20% off.',
  'Get 10% off with code HARBOUR10.',
  'Invite friends with your code ANNA20 and earn $10.',
  'Never share your password. We will never ask for it.',
  'Support PIN: 4829',
  'Forgot your password? Reset it at any time: https://harbour.example/reset',
  'Manage your account: https://harbour.example/account\nHelp: https://harbour.example/help',
  'Sign in to your account: https://harbour.example/login',
]

const mails = ['codes', 'codes-held-out', 'codes-languages']
  .flatMap(
    (name) =>
      JSON.parse(
        readFileSync(new URL(`../fixtures/mails/${name}.json`, import.meta.url), 'utf8'),
      ) as Labelled[],
  )
  .filter(({ html }) => html === undefined)

/** What the service finds in a text, in one line. */
function foundIn(subject: string, text: string): string {
  const { codes, actionLink } = findIn({ subject, text, html: null, isTextOfHtml: false }, READING_LIMITS)
  return JSON.stringify([codes, actionLink?.url, actionLink?.kind])
}

const seed = process.env.MAYFLY_SEED ?? String(Date.now())

test(`what stands around a mail changes nothing (MAYFLY_SEED=${seed})`, () => {
  const random = new Random(seed)
  const otherwise: string[][] = []
  for (let n = 0; n < MAILS; n++) {
    const { subject, text } = random.pick(mails)
    const around = random.pick(random.below(8) === 0 ? ABOVE : BELOW)
    const written = ABOVE.includes(around) ? `${around}\n\n${text}` : `${text}\n\n${around}`
    const [alone, beside] = [foundIn(subject, text), foundIn(subject, written)]
    if (alone !== beside) otherwise.push([around, subject, text, alone, beside])
  }
  if (otherwise.length > (MAILS * OTHERWISE_PERCENT) / 100) expect(otherwise).toEqual([])
})
