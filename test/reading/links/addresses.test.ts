import { describe, expect, test } from '@jest/globals'
import { readAddress } from '../../../reading/links/action-address.ts'
import { Link } from '../../../reading/links/link.ts'

const SITE = 'https://harbour.example'
const address = (rest: string) => readAddress(`${SITE}${rest}`)
const T = 'a81f9c2e77b04d15'

describe('the kinds of action that an address names', () => {
  test.each([
    ['/reset-password', ['reset']],
    ['/reset_your_password', ['reset']],
    ['/setmypassword', ['reset']],
    ['/forgot-pwd', ['reset']],
    ['/newpw', ['reset']],
    ['/newpwx', []],
    ['/resend-password?k=1', ['reset']],
    ['/password/reset', ['reset']],
    ['/pwd-change', ['reset']],
    ['/passwords-edit', ['reset']],
    ['/pw-reset', ['reset']],
    ['/pswreset.php', ['reset']],
    ['/new-psw', ['reset']],
    ['/user/reset', ['reset']],
    ['/recover?x=1', ['reset']],
    ['/preset', []],
    ['/resets', []],
    ['/?mode=resetpassword', ['reset']],
    ['/account-recovery', ['reset']],
    ['/?type=recovery', ['reset']],
    ['/?action=rp', ['reset']],
    ['/?action=rp&x=1', ['reset']],
    ['/?action=rpx', []],
    ['/invite', ['invite']],
    ['/accept-invitation', ['invite']],
    ['/user_invites/7', ['invite']],
    ['/team-invited', ['invite']],
    ['/invitations?x=1', ['invite']],
    ['/invite_email=x', []],
    ['/uninvite', []],
    ['/inviter', []],
    ['/join-team', ['invite']],
    ['/joinworkspace', ['invite']],
    ['/members/accept', ['invite']],
    ['/membership/accept?x', ['invite']],
    ['/group/accept/7', ['invite']],
    ['/groups/acceptance', []],
    ['/shared_invite/x', []],
    ['/send_invite?x=1', []],
    ['/send-invite', []],
    ['/friends/invite/7', []],
    ['/contacts/invite', []],
    ['/magic-link', ['sign_in']],
    ['/magic', ['sign_in']],
    ['/magicauth', ['sign_in']],
    ['/passwordless', ['sign_in']],
    ['/one-time-login', ['sign_in']],
    ['/login-token', ['sign_in']],
    ['/sign-in/link', ['sign_in']],
    ['/signin_code', ['sign_in']],
    ['/email-link-callback', ['sign_in']],
    ['/?mode=signin', ['sign_in']],
    ['/?action=sign_in', ['sign_in']],
    ['/otp-login', ['sign_in']],
    ['/login', []],
    [`/users/active/?userid=3311&checknum=${T}`, ['confirm']],
    [`/users/active/${T}`, []],
    ['/verify', ['confirm']],
    ['/verification', ['confirm']],
    ['/reverify', ['confirm']],
    ['/confirmation?x', ['confirm']],
    ['/activate/7', ['confirm']],
    ['/validate', ['confirm']],
    ['/opt-in', ['confirm']],
    ['/double-optin', ['confirm']],
    ['/bestaetigen', ['confirm']],
    ['/verifyaddress', ['confirm']],
    ['/verify-email', ['confirm']],
    ['/unverified', []],
    ['/reset-password/confirm', ['reset']],
    ['/login/verify-magic-link', ['sign_in']],
    [`/register/magic-link/${T}`, []],
    [`/register/magic-sign/${T}`, []],
    [`/register/magic-url/${T}`, []],
    [`/reset-password/magic-link/${T}`, ['reset']],
    [`/profile?action=change_email&key=${T}`, ['confirm']],
    [`/profile?action=email-update&key=${T}`, ['confirm']],
    ['/profile?action=change_email', []],
    [`/login?x=${T}`, ['sign_in']],
    [`/auth/${T}`, ['sign_in']],
    [`/session?key=${T}`, ['sign_in']],
    [`/loginx?key=${T}`, []],
    ['/x?utm_campaign=verify&a=1', []],
    ['/x?a=1&utm_content=reset', []],
    ['/x?utm=verify', ['confirm']],
  ])('%s: %j', (rest, kinds) => {
    expect([...(address(rest)?.kinds ?? ['none'])]).toEqual(kinds)
  })
})

describe('an address that is never the action', () => {
  test.each([
    '/orders/7',
    '/my-order.html',
    '/offers',
    '/coupon',
    '/promotion',
    '/shop/verify',
    '/checkout',
    '/report',
    '/listinfo/x',
    '/decline',
    '/x:cancel-it',
    '/invite/reject',
    '/account_revoke',
    '/two-factor',
    '/2fa/confirm',
    '/blog/verify',
    '/docs/reset-password',
    `/tasks/${T}`,
    '/x?promo=1',
    '/x?promotion_id=1',
    '/passwords/new',
    '/confirmation/resend/',
    '/unlocks/new',
    '/forgot-password',
    '/lost_password/',
    '/verification/new',
    '/two-step/x',
    '/my-2fa.html',
    '/x?sort=a',
    '/x?a=1&page=2',
    '/x?order_by=a',
    '/how-to-reset-the-lock',
    '/this-is-what-we-did',
    '/one-two-three-four-five',
    '/how-to-reset-the-lock/7',
  ])('%s', (rest) => {
    expect(address(rest)).toBeNull()
  })
  test.each([
    '/border/7',
    '/ordering',
    '/xcancel',
    `/2fa?token=${T}`,
    '/2fa?code=abcd',
    `/news/42?token=${T}`,
    '/blogger/verify',
    '/x?xpromo=1',
    `/passwords/new?token=${T}`,
    `/x?sort=a&token=${T}`,
    '/one-two-three-four',
    `/how-to-reset-the-lock?token=${T}`,
  ])('but %s may be', (rest) => {
    expect(address(rest)).not.toBeNull()
  })
  test('a short code or a token of few characters does not make it the action', () => {
    expect([address('/2fa?code=abc'), address('/news/42?token=a81f9c2e77b'), address('/2fa?x=abcd')]).toEqual(
      [null, null, null],
    )
  })
  test('the page of a program, but not a page below it', () => {
    const of = (rest: string, host = 'github.com') => readAddress(`https://${host}${rest}`)
    expect([
      of('/a/b'),
      of('/a/b/'),
      of('/a/b#x'),
      of('/a/b', 'gitlab.com'),
      of('/a/b', 'codeberg.org'),
    ]).toEqual([null, null, null, null, null])
    expect([of('/a/b/c'), of('/a/b?x'), of('/a/b', 'hub.com')].includes(null)).toBe(false)
  })
  test('the site of a social network, unless it confirms, resets or signs in there', () => {
    const of = (rest: string) => readAddress(`https://www.facebook.com${rest}`)
    expect([of('/x'), of(`/x/${T}`), of('/confirm'), of(`/invite/${T}`)]).toEqual([null, null, null, null])
    expect([of(`/confirm/${T}`), of(`/reset/${T}`), of(`/magic-link/${T}`)].includes(null)).toBe(false)
  })
})

describe('a value made for the reader', () => {
  const tokens = (rest: string) => {
    const found = address(rest)!
    return [found.hasToken, found.hasLongToken]
  }
  test.each([
    ['/x', [false, false]],
    ['/x/abcdef', [false, false]],
    ['/x/abcde7', [true, false]],
    ['/x/abcd7', [false, false]],
    ['/x/1234', [false, false]],
    ['/x/12345', [true, false]],
    ['/x?id=12345', [true, false]],
    ['/x?id=1234', [false, false]],
    ['/x#abcde7', [true, false]],
    ['/x:abcde7', [true, false]],
    ['/x/abcde7/y', [true, false]],
    ['/x/%41%42%43', [false, false]],
    ['/x/abcdefghijklmnopqrst', [true, false]],
    ['/x/abcdefghijklmnopqrs', [false, false]],
    ['/x?token=a', [true, false]],
    ['/x?my_token=abcdef', [true, true]],
    ['/x?token=abcde', [true, false]],
    ['/x?t=abcdef', [true, true]],
    ['/x?k=abcdef', [true, true]],
    ['/x?c=abcdef', [true, true]],
    ['/x?b=abcdef', [false, false]],
    ['/signup.php?activate.512.8e1c3b7f0d9a5264', [true, true]],
    ['/signup.php?activate.512.8e1c3b7f0d9a526', [false, false]],
    ['/signup.php?activate.512.8e1c3b7f0d9a5264x', [false, false]],
    ['/x?a81f9c2e77b04d1592a0', [false, false]],
    ['/x?eyjhbgcioijiuzi1nij9.eyjzdwiioii0mij9.x_u61lss', [true, true]],
    ['/?q=48.8566,2.3522219000000177', [false, false]],
    ...['otp', 'ticket', 'nonce', 'secret', 'signature', 'hash', 'key', 'code'].map(
      (name): [string, boolean[]] => [`/x?${name}=abcdef`, [true, true]],
    ),
    ['/x?token_id=abcde', [true, false]],
    ['/x?token_id=abcdef', [true, true]],
    ['/x?token_category=abcdef', [true, true]],
    ['/x?token_reference=abcdef', [false, false]],
    ['/x?b=a&f473ba581190ab34', [true, false]],
    ['/x?b=a&f473ba581190ab34&y=1', [true, false]],
    ['/x?b=a&f473ba581190ab3', [false, false]],
    ['/x?b=a&f473ba581190ab34-', [false, false]],
    ['/x/a81f9c2e77b04d1', [true, true]],
    ['/x/a81f9c2e77b04d', [true, false]],
    ['/x/a81f9c2e77b04d15.html', [true, false]],
  ])('%s', (rest, expected) => {
    expect(tokens(rest)).toEqual(expected)
  })
})

test.each([
  ['', 'isHome', true],
  ['/', 'isHome', true],
  ['/?a=1', 'isHome', true],
  ['/#top', 'isHome', true],
  ['/de', 'isHome', true],
  ['/de-at/', 'isHome', true],
  ['/home', 'isHome', true],
  ['/index.html', 'isHome', true],
  ['/deu', 'isHome', false],
  ['/home/x', 'isHome', false],
  [`/?token=${T}`, 'isHome', false],
  ['/x', 'isPlainPage', true],
  ['/verify', 'isPlainPage', false],
  [`/x/${T}`, 'isPlainPage', false],
  ['/login', 'isSignInPage', true],
  ['/sign-in?x=1', 'isSignInPage', true],
  ['/signon', 'isSignInPage', true],
  ['/my-login', 'isSignInPage', true],
  ['/login-x', 'isSignInPage', true],
  ['/sso', 'isSignInPage', true],
  ['/authenticate', 'isSignInPage', true],
  ['/author', 'isSignInPage', false],
  [`/login/${T}`, 'isSignInPage', false],
  [`/login/${T}`, 'isSignInPath', true],
  [`/login/verify/${T}`, 'isSignInPath', false],
  ['/login', 'isSignInPath', false],
  [`/register/${T}`, 'signsUp', true],
  [`/merchant-signup/${T}`, 'signsUp', true],
  [`/user/create/${T}`, 'signsUp', true],
  [`/auth/new/${T}`, 'signsUp', true],
  [`/create-account/${T}`, 'signsUp', true],
  ['/register', 'signsUp', false],
  [`/registered/${T}`, 'signsUp', false],
] as const)('of %s, %s is %s', (rest, name, value) => {
  expect(address(rest)![name]).toBe(value)
})

describe('a value that may have been made for the reader', () => {
  test.each([
    '/reset-password?email=ines@acme.example',
    '/reset-password?email=ines%40acme.example',
    '/password/reset/jgdgzwrlgc',
    '/users/reset_password/adlhjdthpo/',
  ])('is in %s', (rest) => {
    expect(address(rest)).toMatchObject({ hasToken: false, mayBeOwn: true })
  })
  test.each([
    `/reset-password?email=ines@acme.example&token=${T}`,
    '/reset-password?email=acme',
    '/password/reset/instructions',
    '/password/reset/confirmation/',
    '/reset/password',
    '/password/reset/short',
    '/password/reset/customers',
    '/forgot-pass?email=ines@acme.example',
  ])('but not in %s', (rest) => {
    expect(address(rest)?.mayBeOwn).toBe(false)
  })
})

test('a semicolon separates values as well', () => {
  expect(address(`/bin/register?action=verify;code=InesBerg.MVQ7yuYT`)).toMatchObject({
    kinds: new Set(['confirm']),
    hasToken: true,
  })
})

test('but not behind a path, where it begins the number of a session', () => {
  for (const rest of ['/login;jsessionid=8f2c1a9d77b3e0c4a1b2c3d4', '/index.php?topic=482;topicseen'])
    expect(address(rest)).toMatchObject({ kinds: new Set() })
})

test.each([
  ['/order-history/?edd_action=verify_user&token=588884db2b42abb7ae4dfdc10ee98e3b', ['confirm']],
  ['/order-history/?edd_action=verify_user', null],
  ['/order-history/?token=588884db2b42abb7ae4dfdc10ee98e3b', null],
  ['/reservation/?action=confirm&token=588884db2b42abb7ae4dfdc10ee98e3b', null],
  ['/rest/acceptinvitationtojoinspace/66f6b0fd7811fd94dcf92950c1b8234a', ['invite']],
  ['/rest/ignoreinvitationtojoinspace/66f6b0fd7811fd94dcf92950c1b8234a', []],
  ['/event/acceptinvitationtoevent/66f6b0fd7811fd94dcf92950c1b8234a', []],
])('what an address says of actions in its query or in one word: %s', (rest, kinds) => {
  const found = address(rest)
  expect(found && [...found.kinds]).toEqual(kinds)
})

describe('letters in no order were made for the reader', () => {
  const made = (rest: string) => new Link(`${SITE}${rest}`).address?.hasLongToken
  test.each(['/account/activate/YtelECEvMrZpNZDk', '/activate?c=QxmZtPwLkRbVn', '/a/YtelECEvMrZp/'])(
    '%s',
    (rest) => {
      expect(made(rest)).toBe(true)
    },
  )
  test.each([
    '/account/activate/YtelECEvMrZ',
    '/rest/acceptInvitationToJoinSpace',
    '/account/activate/ytelecevmrzpnzdk',
    '/account/activate/YTELECEVMRZPNZDK',
    '/Account/ConfirmEmailAddress',
    '/pages/HowToUseTheNewAPI',
    '/pages/GoToMyAppNow',
  ])('but not %s', (rest) => {
    expect(made(rest)).toBe(false)
  })
})

test('the page of an author of programs is no action', () => {
  expect(new Link('https://github.com/Kestrel22').address).toBeNull()
  expect(new Link('https://github.com/invitations').address).not.toBeNull()
})

describe('a host of articles', () => {
  test.each([
    '/en/articles/1234567',
    '/hc/how-to-reset',
    '/member/8f2c',
    '/a/0gvnbh0v7h12',
    '/sign-in/0gvnbh0v7h12',
    '/en/articles/abcdefghijkl',
  ])('%s is no action', (rest) => {
    expect(readAddress(`https://help.harbour.example${rest}`)).toBeNull()
  })
  test.each(['/update-credentials/ines@acme.example/1c14863f6b952', '/update?token=1c14863f6b952'])(
    '%s may be one',
    (rest) => {
      expect(readAddress(`https://help.harbour.example${rest}`)).toMatchObject({ hasToken: true })
    },
  )
})

test('a value with an exclamation mark is one for its reader', () => {
  expect(address('/reset-password?reset=214!8nmhrx9g')).toMatchObject({ hasToken: true })
  expect(address('/c/sale!2026')).toMatchObject({ hasToken: false })
})

test('an address that denies a sign-in is no action', () => {
  expect(address(`/events/disavow?disavowal_token=${T}`)).toBeNull()
})
