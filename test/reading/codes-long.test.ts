import { describe, expect, test } from '@jest/globals'
import { findCodes } from './find-codes.ts'

const HEX = '4b5e90a968d1757b89e102f21fb5e669'
const MIXED = 'WBGlScduPTCRsZyQUqwb7'

const codesOf = (text: string, subject = '') => findCodes({ subject, text, html: null })

describe('a long token is a code', () => {
  test.each([
    ['tr', `Şifrenizi sıfırlayın.\n\nDoğrulama kodu ${HEX}\n\nTeşekkürler.`],
    ['lv', `Lai atjaunotu paroli, ievadiet kodu.\n\nApstiprinājuma kods ${HEX}\n\nPaldies.`],
    ['bn', `পাসওয়ার্ড রিসেট করুন।\n\nযাচাইকরণ কোডটি ${HEX}\n\nধন্যবাদ।`],
    ['fa', `برای بازگردانی رمزعبور:\n\nکد تاییدیه ${HEX} است.\n\nبا تشکر.`],
    ['ka', `პაროლის აღდგენა.\n\nშემოწმების კოდი არის ${HEX}\n\nგმადლობთ.`],
    ['ta', `கடவுச்சொல்லை மீளமைக்க.\n\nஉறுதிப்படுத்தும் குறியீட்டானது ${HEX} ஆகும்.\n\nநன்றி.`],
    ['ko', `비밀번호를 재설정하세요.\n\n인증 코드를 ${HEX}\n\n감사합니다.`],
    ['ja', `パスワードの再設定。\n\n確認コードとして ${HEX}\n\nHarbour`],
    ['th', `รีเซ็ตรหัสผ่าน\n\nรหัสยืนยันของคุณ ${HEX}\n\nHarbour`],
  ])('right behind its noun: %s', (_language, text) => {
    expect(codesOf(text)).toEqual([HEX])
  })

  test.each([
    ['en', 'Your verification code', 'Paste the code below. If you did not request it, ignore this email.'],
    [
      'de',
      'Dein Bestätigungscode',
      'Kopiere den Code. Falls du ihn nicht angefordert hast, ignoriere die E-Mail.',
    ],
    [
      'fr',
      'Votre code de vérification',
      "Copiez le code. Si vous ne l'avez pas demandé, ignorez cet e-mail.",
    ],
  ])('alone on its line below words that ask for a code: %s', (_language, subject, words) => {
    expect(codesOf(`${words}\n\n${MIXED}\n`, subject)).toEqual([MIXED])
  })
})

describe('a long token is no code', () => {
  test.each([
    ['a build', 'Build finished', `Verification code tests passed.\n\n${HEX}\n`],
    ['in a sentence', 'Release', `The confirmation code ${HEX} handles is in the branch, see the diff.`],
    [
      'without a request',
      'Two-factor authentication is on',
      `Your device:\n\n${MIXED}\n\nNo code is needed.`,
    ],
  ])('%s', (_title, subject, text) => {
    expect(codesOf(text, subject)).toEqual([])
  })
})

test.each([
  ['ur', 'صارف کا نام: ines.q\nپاس ورڈ: M85naZfB'],
  ['fa', 'نام کاربری: ines.q\nرمزعبور:Z2aYiYgA'],
  ['gu', 'વપરાશકર્તા: ines.q\nસાંકેતિક શબ્દ: M85naZfB'],
  ['ml', 'ഉപയോക്താവ്: ines.q\nഅടയാളവാക്ക്: M85naZfB'],
  ['ms', 'Kata laluan baru anda:\n\nM85naZfB'],
])('a stated password is a code: %s', (_language, text) => {
  expect(codesOf(text)).toEqual([/[A-Z]\w{7}/.exec(text)![0]])
})

describe('a value that is to be typed is found right behind its noun', () => {
  test.each([
    ['8d2d130a45', 'To activate your account, visit the page and enter the code "8d2d130a45".'],
    [
      '8d2d130a45',
      'Your account has been approved. Visit the page to activate it and enter the code "8d2d130a45".',
    ],
    ['9o1qjF', 'Open the page and enter the code 9o1qjF.\n\nThis code expires in 15 minutes.'],
    ['Gs6noc', 'Confirm it by clicking this link and providing the registration code Gs6noc within an hour.'],
    [
      '1D5RQ3Ip1UEQ9Y6kXIGq',
      '要重置密码，请访问以下链接。\n\n然后您需要使用以下密码重置密钥：1D5RQ3Ip1UEQ9Y6kXIGq\n',
    ],
    ['QHPqR1oYtQ9yPryIBjBV', 'سپس به کلید فعال سازی زیر نیاز خواهید داشت : QHPqR1oYtQ9yPryIBjBV\n'],
    [
      '3GBd5Og9NvWAMtLpl2wH',
      'Введите ключ активации: 3GBd5Og9NvWAMtLpl2wH \\n\\n Если это не вы, проигнорируйте.',
    ],
  ])('%s', (value, text) => {
    expect(findCodes({ subject: 'Harbour', text, html: null })).toEqual([value])
  })

  test.each([
    'To activate your account, enter the code "Harbour24".',
    'To activate your account, enter the code word.',
    'To activate your account, use the code iPhone14.',
    'To activate your account, enter the code 9o1qjF.x1 on the page.',
  ])('but no name: %s', (text) => {
    expect(findCodes({ subject: 'Harbour', text, html: null })).toEqual([])
  })
})

test('the word of one language for an invitation is no offer of another one', () => {
  const text = 'Noor te invita pe Harbour.\n\nCodul de invitatie: 2HMSCB'
  expect(findCodes({ subject: 'Noor te invita', text, html: null })).toEqual(['2HMSCB'])
})

test('small letters and digits are a code right behind a noun that is to be used', () => {
  const text = 'To reset your password, please use the recovery code a71ab6a4: /email code a71ab6a4.'
  expect(codesOf(text)).toEqual(['a71ab6a4'])
  expect(codesOf(text.replaceAll('a71ab6a4', 'harbour4'))).toEqual([])
})

describe('a long token alone below a word for any code', () => {
  test.each([
    [
      'tr',
      'Bu işlem için aşağıdaki kodla onaylamanız gerekmektedir.',
      'Eğer bu isteği siz yapmadıysanız, bildiriniz.',
    ],
    [
      'mn',
      'Үйлдлийг баталгаажуулахын тулд доорх кодыг оруулаарай.',
      'Хэрэв та энэ хүсэлтийг гаргаагүй бол мэдэгдэнэ үү.',
    ],
    [
      'ur',
      'آپریشن کی توثیق کرنے کے لیے نیچے دیا گیا کوڈ استعمال کرنا ہوگا۔',
      'اگر آپ نے یہ درخواست نہیں کی ہے تو اطلاع دیں۔',
    ],
  ])('is a code if the mail asks to enter it: %s', (_language, request, warning) => {
    expect(codesOf(`${request}\n\n${MIXED}\n\n${warning}`)).toEqual([MIXED])
  })
})

test('several names before one value do not rank it above an earlier one', () => {
  const text = `Hello Ines,

Your passphrase is: copper-lantern-drift
Your passphrase, your security code, your code is: amber-fox-stone

Harbour`
  expect(findCodes({ subject: 'Sign in', text, html: null })).toEqual([
    'copper-lantern-drift',
    'amber-fox-stone',
  ])
})

test('a long token alone on its line, below the code of something else, is a code in a mail that warns', () => {
  const text = 'Hello,\n\nHere is the code of the door:\n\nABCD2345EFGH6789\n\nKestrel'
  const codes = (body: string) => findCodes({ subject: 'Your verification code', text: body, html: null })
  expect(codes(`${text}\n\nIf you did not request this, ignore it.`)).toEqual(['ABCD2345EFGH6789'])
  expect(codes(text)).toEqual([])
})

describe('a number of many digits', () => {
  test.each([
    ['ru', 'Код для удаления аккаунта', 'Код для удаления аккаунта: 83019245516207'],
    ['en', 'Your code for the deletion', 'Code for the deletion of your data: 83019245516207'],
    ['en', 'Your access code', 'Access code: 83019245516207'],
    ['de', 'Ihr Zugangscode', 'Ihr Zugangscode lautet: 83019245516207'],
  ])('is a code that the subject names as well: %s %s', (_language, subject, text) => {
    expect(codesOf(`${text}\n\nKestrel`, subject)).toEqual(['83019245516207'])
    expect(codesOf(`${text}\n\nKestrel`, 'Kestrel')).toEqual([])
  })

  test.each(['4 471 920 385', '44 719 203 850'])(
    'is a code in threes behind its first digits: %s',
    (value) => {
      const id = (text: string) => codesOf(text, 'Kestrel')
      expect(id(`Ihre Aktivierungs-ID lautet:\n\n    ${value}\n\nKestrel`)).toEqual([
        value.replaceAll(' ', ''),
      ])
      expect(id(`Your activation ID is ${value}\n`)).toEqual([value.replaceAll(' ', '')])
      expect(id(`Your activation ID is ${value} or so\n`)).toEqual([])
      expect(id(`Your activation ID is 0${value.slice(1)}\n`)).toEqual([])
      expect(id(`Your activation ID is ${value}1\n`)).toEqual([])
    },
  )
})

test.each([
  ['i1c9s2', 'Enter the verifykey below on the page.\n\nVerifykey: i1c9s2\n'],
  ['bwvi65', 'Saisissez le code de certifier en dessous.\n\nCode de certifier: bwvi65\n'],
  ['bwvi65', 'Code de certification : bwvi65\n'],
  ['482913', "Votre identifiant d'activation : 482913\n"],
])('%s is behind its name: %s', (value, text) => {
  expect(codesOf(text, 'Kestrel')).toEqual([value])
})

test.each([
  ['behind a colon, before another sentence', `Your confirmation code: ${MIXED}. Or follow the link.`, MIXED],
  [
    'below a request in a mail about passwords',
    `To change your password, copy the following code:\n\n${HEX}\n\nIf you did not request this, ignore this mail.`,
    HEX,
  ],
  [
    'as a UUID that is to be used',
    'To reset your password, use the code a48ef386-6743-4fa2-a8ae-777509b5da4d in the game.',
    'a48ef386-6743-4fa2-a8ae-777509b5da4d',
  ],
])('a long token %s', (_case, text, value) => {
  expect(codesOf(text, 'Your password')).toEqual([value])
})

test('a long token behind the label of an invitation code is one', () => {
  expect(
    codesOf(`Ola invited you.\n\nInvitation code: ${HEX}\nExpires in 72 hours.`, 'Your invitation'),
  ).toEqual([HEX])
  expect(codesOf(`Ola sent you the invitation ${HEX}.`, 'Your invitation')).toEqual([])
  const named = 'Ola invited you with the invitation code Kq92LmX8Ab3dEfGh7.'
  expect(codesOf(named, 'Your invitation code')).toEqual([])
  const expired = `The invitation that you received has expired.\n\nInvitation code: ${HEX}`
  expect(codesOf(expired, 'Your invitation expired')).toEqual([])
})

test('a token of letters, digits, dashes and low lines, alone below a sentence that asks, is one', () => {
  const token = 'PLN_1x__kjuwq6zcWnBmVyCFKdN67OI-LLH06bW-ILd'
  const text = `Enter this code:\n\n${token}\n\nIf you did not request this, ignore this email.`
  expect(codesOf(text, 'Password reset request')).toEqual([token])
  const device =
    'New sign-in from\n\nMozilla-Firefox-133-on-Windows-11-x64\n\nIf this was not you, enter your code and change your password.'
  expect(codesOf(device, 'New sign-in')).toEqual([])
})

test('the name of a reader and a random value are one code in a wiki', () => {
  expect(codesOf('Your verification code is InesBerg.MVQ7yuYT.', 'Registration')).toEqual([
    'InesBerg.MVQ7yuYT',
  ])
  expect(codesOf('Your verification code is InesBerg.example.', 'Registration')).toEqual([])
})
