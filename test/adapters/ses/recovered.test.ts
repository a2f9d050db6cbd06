import { expect, test } from '@jest/globals'
import { recoveredEnvelope } from '../../../adapters/ses/recovered.ts'

/** The first fields of a message as SES stores it. */
const HEAD = `Return-Path: <ann@shop.example>
Received: from mail.shop.example (mail.shop.example [192.0.2.1])
 by inbound-smtp.eu-west-1.amazonaws.com with SMTP id d6iitobk75ur44p8kdnnp7g2n800
 for blind@a.example;
 Mon, 05 Jan 2026 10:02:00 +0000 (UTC)
X-SES-Spam-Verdict: PASS
X-SES-Virus-Verdict: FAIL
Authentication-Results: amazonses.com;
 spf=pass (spfCheck: ok) client-ip=192.0.2.1; dkim=fail header.i=@shop.example; dmarc=none
From: Ann <ann@shop.example>
To: Bot <bot@a.example>, "x, y" <other@b.example>
Cc: bot@a.example

To: not-a-header@c.example
`.replaceAll('\n', '\r\n')

test('the envelope is that of the fields that SES added, and of the named recipients', () => {
  expect(recoveredEnvelope('an-id', Buffer.from(HEAD), 7)).toEqual({
    messageId: 'an-id',
    mailFrom: 'ann@shop.example',
    recipients: ['blind@a.example', 'bot@a.example', 'other@b.example'],
    receivedAt: 7,
    verdicts: { spam: 'pass', virus: 'fail', spf: 'pass', dkim: 'fail', dmarc: null },
  })
})

test('an address may be of any script', () => {
  const head = HEAD.replace('Bot <bot@a.example>', 'Jörg <jörg@a.example>')
  expect(recoveredEnvelope('an-id', Buffer.from(head), 7)?.recipients).toContain('jörg@a.example')
})

test('a verdict that SES did not add is unknown', () => {
  const head = HEAD.replace(/X-SES-.*(?=From:)/s, '')
  expect(recoveredEnvelope('an-id', Buffer.from(head), 7)?.verdicts).toEqual({
    spam: null,
    virus: null,
    spf: null,
    dkim: null,
    dmarc: null,
  })
})

test('a bounce has no sender', () => {
  const bounce = HEAD.replace('<ann@shop.example>', '<>')
  expect(recoveredEnvelope('an-id', Buffer.from(bounce), 7)?.mailFrom).toBeNull()
})

test.each([
  ['nothing', ''],
  ['no trace of SES', 'Subject: x\r\n\r\ny'],
  ['a trace of SES below that of another server', `Received: from a by b.example;\r\n now\r\n${HEAD}`],
])('a message with %s was not stored by SES', (_, head) => {
  expect(recoveredEnvelope('an-id', Buffer.from(head), 7)).toBeUndefined()
})
