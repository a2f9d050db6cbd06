import { describe, expect, test } from '@jest/globals'
import { htmlText } from '../../reading/html/text.ts'
import { findLinks } from '../../reading/links.ts'
import type { ActionLink } from '../../reading/message.ts'

const LIMITS = { links: 50, linkBytes: 2048 }
/** The address of a tracker, so that only words show what the link is for. */
const TRACKED = 'https://click.harbour.example/ls/click?upn=u001.Q7mVx2LkTz0eSbYw4dRcHn5J'

/** The action of a mail with one sentence and one button. */
function ofButton(subject: string, sentence: string, words: string, url = TRACKED): ActionLink | null {
  const html = `<p>Hi Nora,</p><p>${sentence}</p><p><a href="${url}">${words}</a></p>`
  return findLinks({ subject, text: htmlText(html), html, isTextOfHtml: true }, LIMITS).actionLink
}

function ofText(subject: string, text: string): ActionLink | null {
  return findLinks({ subject, text, html: null }, LIMITS).actionLink
}

describe('notices with one button have no action', () => {
  test.each([
    ['Please confirm your appointment', 'It is on 12 December at 10:30.', 'Confirm'],
    ['Appointment reminder', 'It is tomorrow.', 'Confirm my visit'],
    ['Confirm your interview', 'It is on Monday.', 'Yes, confirm'],
    ['Your trial is ending', 'Activate your plan to keep your data.', 'Activate plan'],
    ["You're invited: Team dinner on Friday", 'Will you come?', 'Accept'],
    ['Password reset successful', 'Sign in with the new password you set.', 'Reset password again'],
    ['Your account has been approved', 'It was approved by an administrator.', 'You may sign in'],
  ])('%s: %s [%s]', (subject, sentence, words) => {
    expect(ofButton(subject, sentence, words)).toBeNull()
    const confirms = 'https://harbour.example/visits/confirm/8f7d6a5b4c3e2f10'
    if (/confirm/i.test(words)) expect(ofButton(subject, sentence, words, confirms)).toBeNull()
  })

  test('an approved account and a sentence to sign in bring no link to sign in', () => {
    const text = `Your account was approved by an administrator. You can now sign in.\n\n${TRACKED}\n`
    expect(ofText('Your account has been approved', text)).toBeNull()
  })

  test('to approve a sign-in is an action still', () => {
    expect(ofButton('New sign-in to your account', 'Approve it here.', 'Approve')).not.toBeNull()
  })

  test('to confirm an address is one, whatever else the subject names', () => {
    const sentence = 'Verify your email address to finish.'
    expect(ofButton('Your first order at Harbour', sentence, 'Verify')).toMatchObject({ kind: 'confirm' })
  })
})

describe('the button of a text', () => {
  test.each([`Continue: ${TRACKED}`, `Click here [${TRACKED}]`, `Get started (${TRACKED})`])(
    'is read with the line above it: %s',
    (line) => {
      const text = `Hi Nora,\n\nTo finish signing up, confirm your email.\n\n${line}\n\nThe Harbour team\n`
      expect(ofText('Almost there', text)).toMatchObject({ url: TRACKED, kind: 'confirm' })
    },
  )

  test.each([`If this was not you: ${TRACKED}`, `If this was not you [${TRACKED}]`])(
    'is not, if it is for a reader who did not ask: %s',
    (line) => {
      const text = `Hi Nora,\n\nConfirm your email address in the app.\n\n${line}\n`
      expect(ofText('Almost there', text)).toBeNull()
    },
  )
})

test.each([
  ['confirm', 'Harbour', 'Please confirm that n@mail.example is yours.', 'Yes, this is my email'],
  ['confirm', 'Confirm your subscription', 'You asked for our news.', 'Yes, subscribe me'],
  ['reset', 'Account recovery', 'We received your request.', 'Recover my account'],
  ['invite', 'Join the team', 'Ben added you as an editor.', 'Accept and join'],
])('%s: "%s" [%s]', (kind, subject, sentence, words) => {
  expect(ofButton(subject, sentence, words)).toMatchObject({ url: TRACKED, kind })
})
