import { describe, expect, test } from '@jest/globals'
import { findCodeDetails } from '../../reading/codes.ts'

const kindsOf = (text: string, subject = 'Kestrel') =>
  findCodeDetails({ subject, text: `Ines,\n\n${text}\n\nKestrel`, html: null }).map(
    ({ value, kind }) => `${kind} ${value}`,
  )

describe('a password until the reader sets another one is a password', () => {
  test.each([
    ['af', 'Jou tydelike wagwoord is: pM7xk2Qd'],
    ['ar', 'كلمة المرور المؤقتة: pM7xk2Qd'],
    ['bg', 'Вашата временна парола е: pM7xk2Qd'],
    ['ca', 'La vostra contrasenya temporal és: pM7xk2Qd'],
    ['cs', 'Vaše dočasné heslo je: pM7xk2Qd'],
    ['da', 'Din midlertidige adgangskode er: pM7xk2Qd'],
    ['de', 'Ihr vorläufiges Passwort lautet: pM7xk2Qd'],
    ['de', 'Ihr Initialpasswort: pM7xk2Qd'],
    ['el', 'Ο προσωρινός κωδικός πρόσβασης είναι: pM7xk2Qd'],
    ['en', 'Your temporary password is pM7xk2Qd'],
    ['en', 'Your initial password is: pM7xk2Qd'],
    ['es', 'Su contraseña temporal es: pM7xk2Qd'],
    ['et', 'Sinu ajutine parool on: pM7xk2Qd'],
    ['fa', 'رمز عبور موقت شما: pM7xk2Qd'],
    ['fi', 'Väliaikainen salasanasi on: pM7xk2Qd'],
    ['fr', 'Votre mot de passe provisoire est : pM7xk2Qd'],
    ['he', 'הסיסמה הזמנית שלך היא: pM7xk2Qd'],
    ['hr', 'Vaša privremena lozinka je: pM7xk2Qd'],
    ['hu', 'Ideiglenes jelszava: pM7xk2Qd'],
    ['id', 'Kata sandi sementara Anda: pM7xk2Qd'],
    ['it', 'La tua password temporanea è: pM7xk2Qd'],
    ['ja', '仮パスワード: pM7xk2Qd'],
    ['ko', '회원님의 임시 비밀번호는 pM7xk2Qd 입니다.'],
    ['lt', 'Jūsų laikinas slaptažodis: pM7xk2Qd'],
    ['lv', 'Jūsu pagaidu parole: pM7xk2Qd'],
    ['nb', 'Ditt midlertidige passord er: pM7xk2Qd'],
    ['nl', 'Uw tijdelijke wachtwoord is: pM7xk2Qd'],
    ['pl', 'Twoje tymczasowe hasło to: pM7xk2Qd'],
    ['pt', 'Sua senha temporária é: pM7xk2Qd'],
    ['ro', 'Parola dumneavoastră temporară este: pM7xk2Qd'],
    ['ru', 'Ваш временный пароль: pM7xk2Qd'],
    ['sk', 'Vaše dočasné heslo je: pM7xk2Qd'],
    ['sl', 'Vaše začasno geslo je pM7xk2Qd'],
    ['sr', 'Ваша привремена лозинка је: pM7xk2Qd'],
    ['sv', 'Ditt tillfälliga lösenord är: pM7xk2Qd'],
    ['th', 'รหัสผ่านชั่วคราวของคุณคือ pM7xk2Qd'],
    ['tr', 'Geçici şifreniz: pM7xk2Qd'],
    ['uk', 'Ваш тимчасовий пароль: pM7xk2Qd'],
    ['vi', 'Mật khẩu tạm thời của bạn: pM7xk2Qd'],
    ['zh', '您的临时密码: pM7xk2Qd'],
    ['en, of digits', 'You asked for a new one. Your temporary password is: 03442599', '03442599'],
    ['en, behind it', 'pM7xk2Qd is your temporary password.'],
    ['en, in a sentence before', 'Sign in with this temporary password.\n\npM7xk2Qd'],
  ])('%s: %s', (_language, text, value = 'pM7xk2Qd') => {
    expect(kindsOf(text)).toEqual([`password ${value}`])
  })
})

describe('a password for one time is a code', () => {
  test.each([
    ['de', 'Ihr Einmalpasswort lautet: q8Zr41kM'],
    ['en', 'One-time password: q8Zr41kM'],
    ['en', 'Your one-time password is q8Zr41kM'],
    ['fr', 'Votre mot de passe à usage unique : q8Zr41kM'],
    ['ru', 'Ваш одноразовый пароль для входа: q8Zr41kM'],
    ['tr', 'Tek kullanımlık şifreniz: q8Zr41kM'],
    ['en', 'Your temporary one-time password is q8Zr41kM'],
    ['de', 'Ihr vorübergehend gültiges Einmalpasswort lautet q8Zr41kM'],
    ['ru', 'Ваш одноразовый пароль, действительный в течение 24 часов: q8Zr41kM'],
    ['fr', 'Votre mot de passe à usage unique pour réinitialiser votre compte : q8Zr41kM'],
  ])('%s: %s', (_language, text) => {
    expect(kindsOf(text)).toEqual(['one_time q8Zr41kM'])
  })
})

describe('a code that resets a password is no password', () => {
  test.each([
    ['en', 'Please use the following code to reset your password: 826356'],
    ['en', 'Your OTP for password reset is: 826356'],
    ['en', 'Use this code to sign in and reset your password. It will expire in 15 minutes.\n\n826356'],
    ['en', '826356 is the code to reset your password.'],
    ['ar', 'رمز التحقق لإعادة تعيين كلمة المرور: 826356'],
    ['de', 'Ihr Code zum Zurücksetzen des Passworts lautet: 826356'],
    ['fr', 'Pour réinitialiser votre mot de passe, utilisez ce code : 826356'],
    ['ja', 'パスワード再設定の認証コード: 826356'],
    ['ko', '아래 인증 코드를 입력하여 비밀번호 재설정을 진행해주세요: 826356'],
    ['pt', 'Utilize o seguinte código para redefinir a sua senha: 826356'],
    ['ru', 'Твой код для сброса пароля: 826356'],
    ['vi', 'Mã OTP để đặt lại mật khẩu của bạn là: 826356'],
    ['zh', '您正在进行修改密码操作, 验证码为: 826356'],
  ])('%s: %s', (_language, text) => {
    expect(kindsOf(text)).toEqual(['one_time 826356'])
  })

  test('nor is a number behind no more than the wish to reset it', () => {
    expect(kindsOf('It expires in 10 minutes.', 'Redefinir senha (826356)')).toEqual(['one_time 826356'])
  })
})

test.each([
  ['Use the code below to accept the invitation: k3v9zt2q', 'invitation k3v9zt2q'],
  ['To accept this invitation, please enter the following code: WZR7QE', 'invitation WZR7QE'],
  ['Your new password: 48291377', 'password 48291377'],
  ['Ihr neues Passwort lautet 482913', 'password 482913'],
  ['We have reset your password. Your new password is 48291377', 'password 48291377'],
  ['Your temporary passcode is 482913. It expires in 10 minutes.', 'one_time 482913'],
  ["You've been invited: enter code 482913 to verify your email address.", 'one_time 482913'],
  [
    'Your phone number with the country code +49 must be verified.\n\n482913\n\nEnter this number.',
    'one_time 482913',
  ],
  ['You were invited by Tom. Your verification code is: 826356', 'one_time 826356'],
  ['Your passcode is: t4mx9hrd', 'one_time t4mx9hrd'],
  ['Use the following invitation code during registration:\n\nLSH8TABTNM', 'invitation LSH8TABTNM'],
  ['Your order number is 5511. Your password is: pM7xk2Qd', 'password pM7xk2Qd'],
])('%s', (text, expected) => {
  expect(kindsOf(text)).toEqual([expected])
})

test('a code for the account beside a first password', () => {
  const both = ['one_time TzDowRGU65xAaV9jZnHV', 'password pM7xk2Qd']
  expect(
    kindsOf(
      'Activation code: TzDowRGU65xAaV9jZnHV\n\nYour temporary password is pM7xk2Qd. Change it soon.',
    ).sort(),
  ).toEqual(both)
  expect(
    kindsOf('Your login: TzDowRGU65xAaV9jZnHV\n\nYour temporary password is pM7xk2Qd. Change it soon.'),
  ).toEqual(both.slice(1))
})

describe('a code to sign up with, below an invitation, is that of the invitation', () => {
  test.each([
    [
      'invitation',
      'Omar invited you to Kestrel',
      'Setting up the tablet? Choose “Join a team” and enter code QX7K2M4P.',
    ],
    ['invitation', '邀請您加入', '請於登入後輸入以下邀請碼：\nQX7K2M4P'],
    ['one_time', 'Omar invited you to Kestrel', 'Your verification code to confirm your address: QX7K2M4P'],
    ['one_time', 'Omar invited you to Kestrel', 'Use this code to sign in: QX7K2M4P'],
    ['invitation', 'Your invite code', 'Code: QX7K2M4P'],
    ['one_time', 'Your invite code', 'Code: QX7K2M4P\nIt expires in 10 minutes.'],
    ['one_time', 'Omar invited you to Kestrel', 'Use this code to sign in and join the team: QX7K2M4P'],
    ['one_time', 'Omar invited you to view a document', 'To open the document, use this code: QX7K2M4P'],
    ['one_time', 'Welcome to Kestrel', 'Use the following code to join: QX7K2M4P'],
  ])('%s: %s, %s', (kind, subject, text) => {
    expect(kindsOf(text, subject)).toEqual([`${kind} QX7K2M4P`])
  })
})

describe('a value beside a word for a password or a code is a password if it has all kinds of characters', () => {
  test.each([
    ['password', 'NxJza4-qEm2rW-91yGlN'],
    ['one_time', 'NxJza4-qEm2'],
    ['one_time', 'QX7K-2M4P-9TRW'],
  ])('%s: %s', (kind, value) => {
    expect(kindsOf(`Log ind med adgangskoden herunder.\n\n${value}`)).toEqual([`${kind} ${value}`])
  })
  test('or below the name of a user; but not a password for one time', () => {
    expect(kindsOf('Brugernavn: ines42\nAdgangskode: QX7K2M4P')).toEqual(['password QX7K2M4P'])
    expect(kindsOf('Username: ines42\nOne-time password: 48291377')).toEqual(['one_time 48291377'])
    expect(kindsOf('Benutzername: ines42\nEinmalkennwort: QX7K2M4P')).toEqual(['one_time QX7K2M4P'])
  })
})
