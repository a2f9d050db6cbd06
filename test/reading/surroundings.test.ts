import { describe, expect, test } from '@jest/globals'
import { READING_LIMITS } from '../../core/limits.ts'
import { findIn } from '../../reading/read.ts'
import { codesBelow as codes } from './find-codes.ts'

/** The kind of the action link of a text. */
function actionOf(subject: string, text: string): string | undefined {
  return findIn({ subject, text, html: null, isTextOfHtml: false }, READING_LIMITS).actionLink?.kind
}

describe('a code stays one', () => {
  test.each([
    // Lines that a program wrapped.
    [
      'Anmeldecode',
      'Ihr Anmeldecode steht unten. Bitte geben Sie ihn in Ihrem\ngeöffneten Browserfenster ein.\n\nGLZZ-PPQR',
      'GLZZ-PPQR',
    ],
    [
      'Welcome',
      'Your user name is anna4711. Thank you for signing up. 301056\nis your verification code',
      '301056',
    ],
    [
      'Ihre mTAN',
      'Ihre mTAN für die Überweisung über 1.250,00 EUR an\nStadtwerke Hof lautet 730561. Auftrag 2211-9.',
      '730561',
    ],
    [
      'Sign in',
      'Enter this code:\n\nBVQ7ZK\n\nThis code expires in 10 minutes. Customer service: +44 20\n3320 2609',
      'BVQ7ZK',
    ],
    // In bold type and in that of programs.
    ['Qaratoyuq', 'Giriş üçün *550318* kodunu daxil edin.', '550318'],
    ['WhatsApp', '`464387` doğrulama kodun. Güvenliğin için bu kodu paylaşma.', '464387'],
    ['Message', 'PayID confirmation: *5821*. This code expires in 5 minutes.', '5821'],
    [
      'Your sign-in phrase',
      'Type this phrase in the app:\n\n*lantern gravel opossum*\n\nIt works once.',
      'lantern gravel opossum',
    ],
    // Before words that some language writes for "and".
    ['WhatsApp', 'A(z) 326941 az ellenőrző kódod.', '326941'],
    ['Código', 'Seu 326941 é seu código de confirmação.', '326941'],
    // Above an advertisement.
    ['Почта', 'Ваш код подтверждения: 564511.\n\nUse code SAVE20 at checkout for 20% off.', '564511'],
    ['Your code', 'Your code is 564511.\n\nUse code SAVE20 at checkout for 20% off.', '564511'],
    ['Sign in', 'To go on, enter 913 774 to sign in.\n\nGet 10% off with code HARBOUR10.', '913774'],
    ['Your code', 'Use code SAVE20 at checkout for 20% off.\n\nYour code is 564511.', '564511'],
    // Beside a second label, below a subject that names the code.
    [
      'Code d’authentification',
      'Voici le code à renseigner : 483545\n\nPoints : 4829\n\nLe lien suivant mène à votre compte et à toutes vos offres, que nous renouvelons chaque semaine pour vous et vos amis, et que vous retrouvez dans votre application, dans nos magasins et sur notre site, avec vos points, vos achats et vos bons.',
      '483545',
    ],
    // Above a code of another kind.
    ['Rookery', 'Rookery code: 20385\n\nSupport PIN: 4829', '20385'],
    // In names of companies.
    ['Ticketmaster', 'Your Ticketmaster code is 4821. Never share this code.', '4821'],
    // Letters without a vowel, and tokens that are nearly a number.
    ['OTP', 'आपका वन-टाइम पासवर्ड FLRTKQ है।', 'FLRTKQ'],
    ['登录', '您的验证码为KQFJDP，请于5分钟内正确输入。', 'KQFJDP'],
    ['Your code', 'Use 7b376054 to verify your account. Code expires in 10 min.', '7b376054'],
    ['Your code', 'Use b6463591 to verify your account. Code expires in 10 min.', 'b6463591'],
    ['Your code', 'Use k3xm9p to verify your account. Code expires in 10 min.', 'k3xm9p'],
  ])('%j, %j', (subject, text, value) => expect(codes(subject, text)).toEqual([value]))
})

describe('a number around a mail is no code', () => {
  const confirm =
    'Please confirm your address by opening this link:\n\nhttps://app.example.com/verify?token=88120499123\n\n'
  test.each([
    ['Verify your email address', `${confirm}Your points: 4829. Your level: Gold.`],
    ['Verify your email address', `${confirm}X-Trace: 4829137A`],
    [
      'Verify your email address',
      'Please confirm that this is your address. It expires in 24 hours.\n\nWe moved! Our new address: 4829 Main St, Springfield',
    ],
    [
      'Ошибка входа',
      'Была зафиксирована неудачная попытка входа в вашу учетную запись.\n\nYour points: 4829.',
    ],
    ['Account', 'Hi Ann,\n\nSupport PIN: 4829'],
    ['Account', 'Hi Ann,\n\nYour support PIN is 4829.'],
    ['Top stories', '48291 people verified\n\n2118858 new codes issued in 2026'],
  ])('%j, %j', (subject, text) => expect(codes(subject, text)).toEqual([]))

  test('nor are lines of a list joined', () => {
    const list = '79xr-ww6d, wwxx-f32p, bh46-7bm4, 3cjj-5g0p\nvwmv-krgb, xvxv-2djw'
    expect(codes('Your recovery codes', `Here are your recovery codes:\n\n${list}`)).toHaveLength(6)
  })
})

describe('a link around a mail', () => {
  const token = 'https://harbour.example/v/aB3xK9mQ2vLr8TzN'
  test.each([
    [
      'Verify your email address',
      'Type this:\n\n64 20 18\n\nForgot your password? Reset it: https://harbour.example/reset',
    ],
    [
      'Einladung zu Harbour',
      'Ihr Einladungscode lautet 577428.\n\nForgot it? Reset: https://harbour.example/reset',
    ],
    ['Confirm your email', 'Your code: 482913\n\nDownload the app: https://apps.harbour.example/id482913377'],
    ['Confirm your email', 'Your code: 482913\n\nOur blog: https://blog.harbour.example/p/482913377'],
  ])('is no action: %j, %j', (subject, text) => expect(actionOf(subject, text)).toBeUndefined())

  test.each([
    ['Confirm your email', `Your code: 482913\n\n${token}`, 'confirm'],
    ['Confirm your email', `Your code: 482913\n\nLink: ${token}`, 'confirm'],
    ['Reset your Zoom password', `Click to reset your Zoom password: ${token}`, 'reset'],
    ['Sign in to Booking.com', `Click to sign in to Booking.com: ${token}`, 'sign_in'],
  ])('but here: %j, %j', (subject, text, kind) => expect(actionOf(subject, text)).toBe(kind))
})
