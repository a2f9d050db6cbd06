import { describe, expect, test } from '@jest/globals'
import { readIntent } from '../../../reading/links/intent.ts'
import { Phrases } from '../../../reading/links/phrases.ts'

const QUESTIONS = [
  'isNotice',
  'invites',
  'isAboutAddress',
  'isAboutPassword',
  'isPastInvitation',
  'offers',
  'asksForCode',
  'bringsCode',
  'isAboutSignIn',
  'isMeeting',
  'isOnlyMeeting',
  'isElse',
] as const

/** What a mail asks for, whether it reports, and each question that is answered with yes. */
function intentOf(subject: string, text: string): string {
  const mail = readIntent(subject, text, new Phrases())
  return [
    ...mail.subject,
    ...(mail.reports ? ['reports'] : []),
    ...QUESTIONS.filter((question) => mail[question]()),
  ].join(' ')
}

describe('what the subject of a mail says', () => {
  test.each([
    ['Confirm your email address', 'confirm isAboutAddress'],
    ['Reset your password', 'reset isAboutPassword'],
    ['Your password was changed', 'reports isNotice isAboutPassword'],
    ['Your password was changed. Confirm it', 'reports isNotice isAboutPassword'],
    ['Confirm that your password was changed', 'confirm isAboutPassword'],
    ['Re: Confirm your email', 'reports'],
    ['[heron #482] Confirm your email', 'reports'],
    ['New comment on "Reset your password"', ''],
    ['You are invited to join Harbour', 'invite invites'],
    ['Your invitation was accepted', 'reports isPastInvitation'],
    ['You have 120 new invitations', ''],
    ['Summit 2026 invitation', 'invite invites'],
    ['Harbour24 invitation', 'invite invites'],
    ['Harbour #24 invitation', 'invite invites'],
    ['Your account was created', 'isAboutAddress'],
    ['Sign in to Harbour', 'sign_in isAboutSignIn'],
    ['New sign-in to your account', 'reports isAboutAddress isAboutSignIn'],
    ['Confirm the new sign-in', 'sign_in confirm isAboutSignIn'],
    ['Your login code', 'sign_in bringsCode isAboutSignIn isElse'],
    ['Your voucher code to sign in', 'sign_in isAboutSignIn isMeeting isOnlyMeeting isElse'],
    ['Invitation: Review at 10:00', 'invite invites isMeeting isOnlyMeeting isElse'],
    ['Confirm the review, 9h30', 'confirm isMeeting isOnlyMeeting isElse'],
    ['Confirm version 10.5', 'confirm'],
    ['Confirm your order', 'confirm isMeeting isOnlyMeeting isElse'],
    ['Confirm your email address for the order', 'confirm isAboutAddress isMeeting isElse'],
    ['Reset your password before the meeting', 'reset isAboutPassword isMeeting isElse'],
    ['Change of your email address', 'confirm isAboutAddress'],
  ])('"%s": %s', (subject, intent) => {
    expect(intentOf(subject, '')).toBe(intent)
  })
})

describe('what the beginning of its text says', () => {
  test.each([
    ['Your password was changed.', 'isNotice'],
    ['See https://a.example. Your password was changed.', ''],
    [`${' '.repeat(320)}Your password was changed.`, 'isNotice'],
    [`${'\u00ad\u200b\u2060\ufeff\u034f '.repeat(60)}Your password was changed.`, 'isNotice'],
    [`${' '.repeat(3990)}Your password was changed.`, ''],
    [`${'a '.repeat(137)}Your password was changed.`, 'isNotice'],
    [`${'a '.repeat(138)}Your password was changed.`, ''],
    ['You are invited to join us.', 'invites'],
    [`${'a '.repeat(488)}You are invited to join us.`.slice(0, 1000), 'invites'],
    [`${'a '.repeat(500)}You are invited to join us.`, ''],
    ['https://a.example/you-are-invited', ''],
    ['Get a discount of 20', 'offers'],
    ['Enter this code: 482913', 'asksForCode'],
    ['Your verification code is below.', 'asksForCode'],
    ['重置码', 'asksForCode'],
    ['https://a.example/register?code=1', ''],
  ])('%#: %s', (text, intent) => {
    expect(intentOf('Harbour', text)).toBe(intent)
  })
})

describe('what one of them says, and the other one does not', () => {
  const LATE = `${'a'.repeat(1000)} `
  test.each([
    ['asksAboutSignIn', 'Verify login', '', true],
    ['asksAboutSignIn', 'Authentication link', '', false],
    ['asksAboutSignIn', 'Login', 'Verify login', false],
    ['isAboutDevice', 'Approve the new browser', '', true],
    ['isAboutDevice', 'Re: Approve the new browser', '', false],
    ['isAboutDevice', 'Hello', 'Approve the new browser.', false],
    ['tellsOfChange', 'Hello', 'Your password was changed.', true],
    ['tellsOfChange', 'Reset your password', 'Your password was changed.', true],
    ['tellsOfChange', 'Your password was changed', '', false],
    ['isNotice', 'Reset your password', 'Your password was changed.', false],
    ['isAboutAccess', 'Sign in', '', true],
    ['isAboutAccess', 'Your password', '', true],
    ['isAboutAccess', 'Your account', '', true],
    ['isAboutAccess', 'Hello', 'Sign in.', true],
    ['isAboutAccess', 'Hello', 'Your password.', true],
    ['isAboutAccess', 'Hello', 'Your account.', true],
    ['isAboutAccess', 'Hello', 'See https://a.example/password', false],
    ['isAboutAccess', 'Hello', `${LATE}Your password.`, false],
    ['isAboutSignIn', 'New activity', 'We saw a new sign-in.', false],
    ['isAboutSignIn', 'New device', 'We saw a new sign-in.', true],
    ['isAboutSignIn', 'New device', 'https://a.example We saw a new sign-in.', false],
    ['namesTime', 'Hello', 'We meet at 10:00 - 11:30.', true],
    ['namesTime', 'Hello', 'We meet at 10.00–11h30.', true],
    ['namesTime', 'Hello', 'We meet at 10:00.', false],
    ['namesTime', 'At 10:00 - 11:30', '', false],
    ['namesTime', 'Hello', 'https://a.example/10:00-11:30', false],
    ['namesTime', 'Hello', `${LATE}10:00 - 11:30`, false],
    ['invites', 'Hello', `${LATE}You are invited to join us.`, false],
    ['offers', 'Hello', `${LATE}Get a discount of 20`, false],
    ['asksForCode', 'Hello', `${LATE}Enter this code: 482913`, false],
    ['bringsCode', 'Your login code', '', true],
    ['bringsCode', 'Re: Your login code', '', false],
    ['bringsCode', 'Hello', 'Your login code', false],
    ['isElse', 'Hello', 'Your order', false],
    ['isElse', '[Harbour Code Review] Hello', '', false],
    ['isElse', 'Hello [Harbour Code Review]', '', true],
  ] as const)('%s of "%s" and "%s": %s', (question, subject, text, answer) => {
    expect(readIntent(subject, text, new Phrases())[question]()).toBe(answer)
  })
})
