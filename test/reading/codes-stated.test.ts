import { describe, expect, test } from '@jest/globals'
import { readLanguages } from '../../reading/lexicon/build.ts'
import { codesIn as codes, findCodes } from './find-codes.ts'

const languages = [...readLanguages()].filter(([code]) => code !== 'international')
const bare = (word: string) => word.replace(/[*=]/g, '')

describe('"pass" is the word for a password where the user is named before it', () => {
  test.each([
    ['Bienvenue, ton email est : ines@kestrel.example et ton pass est : m4TzKe9V', 'm4TzKe9V'],
    ['Hi all,\n\nlogin: qa / pass: plum!42tree\n\nJo', 'plum!42tree'],
    ['Username: ines42 Pass: kX7pQ2mN', 'kX7pQ2mN'],
    ['Username: ines42\n- Pass: kX7pQ2mN', 'kX7pQ2mN'],
  ])('%j', (text, password) => {
    expect(codes(text)).toEqual([password])
  })
  test.each([
    ['Please log in to get your ski pass: 01-1614 7133 3790'],
    ['Dear Ines, the trip for ines@kestrel.example is booked.\nBoarding pass: KX7P2Q'],
    ['Your boarding pass: kX7pQ2mN'],
    ['Member: Ines Kowalska\nPass no: K48213X\nValid today'],
    ['Compte : ines.kowalska\nPass nº : 7KQ29XM4'],
    ['Account: ines, Pass type: Gold88X'],
    ['Member: ines, Guest pass: X7K2M9QP'],
    ['Member: ines, Pass: Gold2026'],
    ['Ines Kowalska, ines@kestrel.example, Pass: C4VH2K8PT'],
    ['Titulaire : ines@kestrel.example, Pass : 7KQ29XM4'],
    ['Report: https://ci.kestrel.example/b/12 pass: 1204, fail: 3'],
    ['news@kestrel.example   pass: 12044  fail: 3'],
    ['Suite unit        Pass: 1204   Fail: 2   Skip: 11'],
    ['Suite unit        Pass: kX7pQ2mN'],
  ])('but not %j', (text) => {
    expect(codes(text)).toEqual([])
  })
})

describe('a password that the mail states is a code', () => {
  test.each([
    'Your password is kX7pQ2mN',
    'Your password: kX7pQ2mN',
    'Password: kX7pQ2mN',
    'Your new password is kX7pQ2mN.',
    'Your temporary password is kX7pQ2mN',
    'Login: ines\nPassword: kX7pQ2mN',
    'Username: ines\nPassword: "kX7pQ2mN"',
    'User name: ines\nPassword:\tkX7pQ2mN\n',
    'E-mail: ines@mail.example\nPassword: kX7pQ2mN',
    'Votre mot de passe est kX7pQ2mN',
    'We have made a password for you:\nkX7pQ2mN\n',
    'Ihr Passwort lautet: kX7pQ2mN',
    'Ditt nye kontopassord er kX7pQ2mN.',
    'Dit nye password er kX7pQ2mN.',
    'Su nueva contraseña para iniciar sesión es kX7pQ2mN. Por favor, guarde este correo.',
    'סיסמת החשבון החדשה שלך היא kX7pQ2mN. יש לשמור',
    'あなたの一時的なパスワードです。 kX7pQ2mN',
    'あなたの一時的なパスワードです。\nkX7pQ2mN\n',
  ])('%s', (text) => {
    expect(codes(text)).toEqual(['kX7pQ2mN'])
  })

  test.each([
    'Új jelszavad: uzyPmWHSNZUz',
    'Uusi salasanasi: uzyPmWHSNZUz',
    'Yeni şifreniz: uzyPmWHSNZUz',
    'Neues Passwort: uzyPmWHSNZUz',
    'Neues Passwort     : uzyPmWHSNZUz',
    'Nova senha: uzyPmWHSNZUz',
    '新しいパスワード：uzyPmWHSNZUz',
    'Contraseña nueva: uzyPmWHSNZUz',
    'סיסמתך החדשה: uzyPmWHSNZUz',
    '- login: ines\n- palavra-passe uzyPm4WHSNZUz',
    '- ဝင်ရန် ines\n- စကားဝှက် uzyPm4WHSNZUz',
    'login: ines\nmot de santa Clara : uzyPmWHSNZUz',
    'login: ines\nmật mã: uzyPmWHSNZUz',
    'تێپەڕەوشەی نوێ: uzyPmWHSNZUz',
  ])('a new one, as a label: %s', (text) => {
    expect(codes(text)).toEqual([text.match(/uzy\w+/)![0]])
  })

  test('but its hint and the next word are not', () => {
    for (const text of [
      'Password hint: Rex2019',
      'The new password: Harbour',
      'We ask for your password Harbour',
      'Login: ines\nForgot your password Harb0ur99?',
    ])
      expect(codes(text)).toEqual([])
  })

  test('in a list, and long', () => {
    expect(codes('Hello,\n- Login: ines\n- Password: kX7pQ2mNc4Rw9TzL')).toEqual(['kX7pQ2mNc4Rw9TzL'])
  })

  test('with all of its marks', () => {
    expect(codes('Password: kX7p!Q2m!')).toEqual(['kX7p!Q2m!'])
    expect(codes('Password: "kX7p#Q2m".')).toEqual(['kX7p#Q2m'])
    expect(codes('Your password is kX7p#Q2m and must be changed.')).toEqual(['kX7p#Q2m'])
    expect(codes('Login: ines\nPassword: kX7p@Q2m\n')).toEqual(['kX7p@Q2m'])
    expect(codes('Your temporary password is: kX7p@Q-2m\n')).toEqual(['kX7p@Q-2m'])
    expect(codes('Password: my@home.example1')).toEqual([])
  })

  test.each([
    ['Password: kX7pQ2mNc4 -- Please change on first login', 'kX7pQ2mNc4'],
    ['Passwort: kX7p#Q2m (bitte ändern)', 'kX7p#Q2m'],
    ['Mot de passe : "kX7pQ2mN" – à changer', 'kX7pQ2mN'],
    ['パスワード: kX7pQ2mN (変更してください)', 'kX7pQ2mN'],
  ])('before a note: %s', (row, password) => {
    expect(codes(`Username: ines\n${row}\nLogin page: https://it.example/client`)).toEqual([password])
    expect(codes(row.replace(/k\S+/, 'Harbour99 and'))).toEqual([])
    expect(codes(row.replace(/k\S+/, '8-20'))).toEqual([])
  })

  test.each(languages)('%s: of letters and a mark', (_code, { words }) => {
    const label = bare(words.password?.[0] ?? '')
    for (const value of ['YCBDoGoxz#iK', 'YCBDoGoxziK#'])
      expect(codes(`Login: ines\n${label}: ${value}\n`)).toEqual([value])
    for (const value of ['YourName@Home', 'First+Last', 'ABC#def'])
      expect(codes(`Login: ines\n${label}: ${value}\n`)).toEqual([])
  })

  test.each(languages)('%s', (_code, { words }) => {
    const [word = ''] = words.password ?? []
    for (const value of ['kX7pQ2mN', '482913', 'kX7p#Q2m'])
      expect(codes(`Login: ines\n${bare(word)}: ${value}\n`)).toEqual([value])
  })

  test('but not a word with an address behind it', () => {
    const text =
      'Kaixo,\n\nSakatu esteka hau pasahitza ezarri eta Omeka S:\n erabiltzen hastekohttps://app.example/r/7'
    expect(findCodes({ subject: 'Erabiltzaile aktibatzea', text, html: null })).toEqual([])
  })

  test('but not a code that a user was created with', () => {
    const value = 'dJXxZ9HEAvkqVSFkHxfRbV'
    for (const text of [
      `A user was created using code ${value}.`,
      `Ein Benutzer wurde unter Verwendung des Codes ${value} erstellt.`,
      `Uživatel byl vytvořen pomocí kódu ${value}.`,
      `Se creó un usuario con el código ${value}.`,
      `En användare skapades med hjälp av koden ${value}.`,
    ])
      expect(codes(`${text}\n\nName: ines\n\nE-mail: ines@mail.example`)).toEqual([])
    expect(codes(`Sign up using code ${value} today.`)).toEqual([value])
  })

  test('but a name below the last sentence about it is not', () => {
    for (const name of ['eHarbour', 'HarbourPoint', 'Nullstill']) {
      expect(codes(`Your password won't change until you open the link above.\n\n${name}`)).toEqual([])
      expect(codes(`Reset your password:\n\nhttps://a.example/r\n\n${name}`)).toEqual([])
    }
    expect(codes('Your password:\n\nkXvTpQmN')).toEqual(['kXvTpQmN'])
  })

  test('but not the one of a meeting', () => {
    expect(codes('Join the meeting: 123 4567 8901\nPassword: kX7pQ2mN')).toEqual([])
  })
})

test.each(languages)('%s: a licence key is no code', (_code, { words, otherCodes }) => {
  const keys = (words.key ?? []).filter((key) => !/^\p{Lu}+$/u.test(key)).map(bare)
  const labels = keys.flatMap((key) =>
    (otherCodes.licence ?? []).map(bare).flatMap((licence) => [`${licence} ${key}`, `${key} ${licence}`]),
  )
  const given = labels.filter(
    (label) => codes(`Activate your copy.\n\n${label}: XK42Q-99QPA-7M3DR\n`).length > 0,
  )
  expect(otherCodes.licence).toBeDefined()
  expect(given).toEqual([])
})

test('a label without a noun introduces only digits', () => {
  const text = 'Hello,\n\nthe details are on our page.'
  const codesOf = (subject: string) => findCodes({ subject, text, html: null })
  expect(codesOf('Sign-up confirmed: KQ7TB')).toEqual([])
  expect(codesOf('Registration verified: K7T4B')).toEqual([])
  expect(codesOf('Verification: 482913')).toEqual(['482913'])
})

describe('a label of an unknown kind needs one more sign', () => {
  const NOUNS =
    'Shipment Issue Member Supplier Student Room Vehicle Case Device Part Site Campaign Policy Contract Meter Plan Vessel Terminal Harvest Pallet'
  test.each(NOUNS.split(' '))('%s code', (noun) => {
    const mail = (label: string) =>
      `Hello Ines,\n\nthank you for your registration.\n\n${label}\n\nKind regards\nHarbour`
    expect(codes(mail(`${noun} code: 71677541`))).toEqual([])
    expect(codes(mail(`${noun} code: 71677541\nIt expires in 10 minutes.`))).toEqual(['71677541'])
  })

  test('the name of the sender is no such kind', () => {
    expect(codes('Harbour code: 71677541')).toEqual(['71677541'])
    expect(codes('Hello,\n\nthank you for your registration.\n\nHarbour code: 71677541\n\nHarbour')).toEqual([
      '71677541',
    ])
  })

  test('in a record, words behind "code" say what it is of', () => {
    const rows = ['Статус: открыт', 'Проект: Сайт', 'Код проблемы: 9295051', 'Автор: Том', 'Вход: 21.11']
    expect(codes(rows.join('\n'))).toEqual([])
  })
})

test('a day is no code, whatever its label says', () => {
  for (const day of ['2026-11-27', '27-11-2026', '2026_11_27', '3-1-2027']) {
    const text = `Hello,\n\nyour mooring has been set up.\n\nActivated: ${day}\n\nPasswords are not sent.`
    expect(findCodes({ subject: 'Mooring S activated', text, html: null })).toEqual([])
  }
  expect(codes('Verification code: 2741-82-09')).toEqual(['2741-82-09'])
})

test('an access code with a discount is a voucher', () => {
  expect(codes('Your access code: SAVE30NOW. Use it at checkout for 30% off.')).toEqual([])
})

test('a token is a code where it is stated', () => {
  expect(codes('Votre jeton est : 802052')).toEqual(['802052'])
  expect(codes('재설정 토큰은 다음과 같습니다: HU63HEV8')).toEqual(['HU63HEV8'])
})

test.each([
  'A password reset was requested for the user "ines42b". Follow the link below.',
  "You can reset the password for your account 'a7xK92' below.",
  'Es wurde ein neues Passwort für den Benutzer „ines42b“ angefordert.',
  'Un nouveau mot de passe a été demandé pour l’utilisateur « a7xK92 ».',
  'Запрошен сброс пароля пользователя «ines42b».',
  'ユーザー「ines42b」のパスワードの再設定が要求されました。',
  '"ines42b" kullanıcısı için yeni bir parola istendi.',
])('the name of a user in quotes is no password: %s', (text) => {
  expect(codes(text)).toEqual([])
})

describe('a password in quotes, in a sentence about one', () => {
  test('also beside the name of its user in quotes', () => {
    expect(codes('A password for user "ines42b" was created and set to "803et9646m".')).toEqual([
      '803et9646m',
    ])
  })

  test('also after a mail with more values in quotes than are looked at', () => {
    codes(`A password. ${'It was "device41x". '.repeat(10)}`)
    expect(codes('The temporary password was set to "803et9646m".')).toEqual(['803et9646m'])
  })

  test.each([
    ['A temporary password for user\n"Ines" has been created and was set to "2j98flsevi".', '2j98flsevi'],
    ['Un mot de passe temporaire pour « Tomasz42 » a été créé : « udadjqhg0e ».', 'udadjqhg0e'],
    ['Das automatisch erzeugte Passwort für „Tomasz42“ ist „1q4apfo5ph“.', '1q4apfo5ph'],
    ['Konto „Ines”. Aktualnym hasłem jest „mgo7rsr4jq”.', 'mgo7rsr4jq'],
    ['Uma conta com o nome "Marlow" e com a palavra-passe "qqfpsbvhi6".', 'qqfpsbvhi6'],
    ['имя «Tomasz42», пароль «7d0k2mv1qa».', '7d0k2mv1qa'],
    ['The temporary password was set to "803et9646m" for the user Ines.', '803et9646m'],
  ])('%s', (sentence, password) => {
    expect(codes(`Hello,\n\n${sentence}\nSign in and change it.`)).toEqual([password])
  })

  test.each([
    'The password for user "jd4821" was changed.',
    'Your password on "Tomasz42" was changed.',
    'You have a new password. It is not "803et9646m", and not "2j98flsevi".',
    'Your password was changed. The device "803et9646m" did it.',
  ])('none: %s', (sentence) => {
    expect(codes(`Hello,\n\n${sentence}`)).toEqual([])
  })
})

test.each([
  ['Benutzername: ines\nPasswort    : badibo76', 'badibo76'],
  ['Gebruikersnaam: ines\nWachtwoord: mgQPgqZCRG', 'mgQPgqZCRG'],
])('a password behind an aligned label, or without a digit: %s', (rows, password) => {
  expect(codes(rows)).toEqual([password])
})

test.each([
  'If it was not you, make sure that your account has a strong and long password\nherstellen.',
  'Du kannst 10 neue Codes zur Wiederherstellung erzeugen, die du in Zukunft verwenden kannst.',
])('a word of prose is no code: %s', (sentence) => {
  expect(codes(sentence)).toEqual([])
})

test('a name below a sentence that ends with a word for a password is none', () => {
  expect(codes('新しいのはパスワードです。\n港チーム2026\n')).toEqual([])
  expect(codes('これはあなたのパスワードです。 Harbour')).toEqual([])
})

test.each([
  ['New Password: CD!=Ueizx4J6\n', 'CD!=Ueizx4J6'],
  ['New Password: L!Tw=-Qw2TlD\n', 'L!Tw=-Qw2TlD'],
])('a password with two marks in a row is whole: %s', (text, password) => {
  expect(codes(text)).toEqual([password])
})

test('a value behind two marks of something larger is no code', () => {
  expect(codes('Your verification code is in the field CD!=Ueizx4J6 of the form.')).toEqual([])
  expect(codes('Your verification code==482913')).toEqual(['482913'])
  expect(codes('Your verification code: token==Ueizx4J6')).toEqual(['Ueizx4J6'])
})

test.each(['UJMkHRBHEq', 'yabMZJbc', 'ZALQpDGZHU'])(
  'letters alone beside a label are a password: %s',
  (value) => {
    const rows = (cell: string) =>
      `<p>Vaše heslo bylo resetováno</p><table><tr><td>Heslo</td><td>${cell}</td></tr></table>`
    const found = (cell: string) => findCodes({ subject: 'Vaše heslo', text: '', html: rows(cell) })
    expect(found(value)).toEqual([value])
    expect(found('WordPress')).toEqual([])
  },
)

describe('a label that abbreviates "password"', () => {
  test.each([
    'Username : ines\nPass : 5F8wDXhKNk',
    'Login: ines\nPwd: 5F8wDXhKNk',
    'Benutzername: ines\nPass: 5F8wDXhKNk',
    'Nom d’utilisateur : ines\nPass : 5F8wDXhKNk',
    '* Käyttäjätunnus: ines\n* Pass: 5F8wDXhKNk',
    'ユーザー名: ines\nPass: 5F8wDXhKNk',
  ])('%s', (rows) => {
    expect(codes(`Welcome to this platform.\n\n${rows}\n\nSee you soon.`)).toEqual(['5F8wDXhKNk'])
  })

  test.each([
    'Event: Spring fair\nPass: 5F8wDXhKNk',
    'Username: ines\n\nYour visitor pass: 5F8wDXhKNk',
    'Username: ines\nPass to colleagues: 5F8wDXhKNk',
    'Name of the user\nPass: 5F8wDXhKNk',
  ])('but no other pass: %s', (rows) => {
    expect(codes(`Welcome to this fair.\n\n${rows}\n\nSee you soon.`)).toEqual([])
  })
})

test.each([
  ['账号:nora 密码:a1b2c3', 'a1b2c3'],
  ['用户名:nora,初始密码:a1b2c3d4,请修改', 'a1b2c3d4'],
  ['用户名:nora,密码:Abc123456,请及时修改', 'Abc123456'],
  ['User: nora New password: abc123', 'abc123'],
  ['Login: nora@mail.example Password: abc123', 'abc123'],
  ['Username: nora / Password: sunny99', 'sunny99'],
  ['Password: Abc123456, please change it', 'Abc123456'],
])('a password behind a user on one line, or before another clause, is given: %s', (text, value) => {
  expect(codes(`Hello,\n\n${text}\n\nBye`, 'Your account')).toEqual([value])
})

test.each(['User: nora Password: changed', 'Password: abc123.example, please look there'])(
  'no password: %s',
  (text) => {
    expect(codes(`Hello,\n\n${text}\n\nBye`, 'Your account')).toEqual([])
  },
)

test.each([
  ['Your password is ZPuiDmtf#\n\nHarbour', 'ZPuiDmtf#'],
  ['Your password is fgA4ZKFk#\n\nHarbour', 'fgA4ZKFk#'],
  ['Your password is 3btbv9sK!\n\nHarbour', '3btbv9sK!'],
  ['Your password has been reset to Kx4T8Hu \nYou may change it.', 'Kx4T8Hu'],
  ['Your password has been reset to RNLwqDC \nYou may change it.', 'RNLwqDC'],
  ['Your password has been reset to Sunny-Harbour-42', 'Sunny-Harbour-42'],
  ['您的密码已重置为 Kx4T8Hu2', 'Kx4T8Hu2'],
  ['You can log in with your e-mail address and the password PuMurFm\nThank you.', 'PuMurFm'],
  ['You can log in with your e-mail address and the password cQizNfr.', 'cQizNfr'],
])('a password of letters and marks, or behind what it was reset to, is given whole: %j', (text, value) => {
  expect(codes(`A request was submitted for the user nora.\n${text}`, 'Password recovery')).toEqual([value])
})

test.each([
  'Your password has been reset to protect your account.',
  'You can log in with your e-mail address and the password manager\nThank you.',
  'You can log in with the password JavaScript\nThank you.',
  'Если кнопка Сбросить мой пароль не работает, вставьте ссылку ниже в ваш веб-браузер.',
])('no password: %j', (text) => {
  expect(codes(text, 'Password recovery')).toEqual([])
})

test('a password below the name of a user is given, though the mail is about percents or tickets', () => {
  const text = (first: string) =>
    `${first}\nPassword: 9yY1ZIe0\nAccount size: 5\n\n* Profit: 84 %\n* Loss: 14 %\n\nYou can log in.`
  expect(codes(text('Login: user45'), 'Challenge passed')).toEqual(['9yY1ZIe0'])
  expect(codes(text('Hello Ola,'), 'Challenge passed')).toEqual([])
  const html = `<table><tr><td>Login:</td><td>user45</td></tr><tr><td>Password:</td><td>9yY1ZIe0</td></tr></table><p>Profit: 84 %</p>`
  expect(findCodes({ subject: 'Challenge passed', text: '', html })).toEqual(['9yY1ZIe0'])
})

describe('a password of all three kinds of characters is given whole', () => {
  const VALUES = ['Xy7#pQ2!x', 'a1B2c3D4!', 'Tmp-4821-xK', 'jR&5kd_9', 'kX7pQ2mN']

  test.each([
    ['in the cell behind its label', 'Username\tnora\nPassword\t{}\n'],
    ['on a line below', 'Your password\n\n{}\n\nPlease change it.'],
    ['at the end of a sentence', 'Log in with the user name nora and the password {}.\nThanks'],
    ['behind a temporary one', 'Your temporary password is {}\nPlease change it.'],
  ])('%s', (_where, text) => {
    for (const value of VALUES) expect(codes(text.replace('{}', value), 'Account created')).toEqual([value])
  })

  test('in a table of HTML, with fewer kinds too', () => {
    for (const value of [...VALUES, 'abc12345', 's3cr3t!pass', 'ZPuiDmtf#']) {
      const cell = (text: string) => `<td>${text.replace('&', '&amp;')}</td>`
      const html = `<table><tr>${cell('User name')}${cell('nora')}</tr><tr>${cell('Password')}${cell(value)}</tr></table>`
      expect(findCodes({ subject: 'Account created', text: '', html })).toEqual([value])
    }
  })

  test('but no name below a word for a password', () => {
    expect(codes('Your password\n\nHarbour365\n\nwas changed.', 'Account')).toEqual([])
    expect(codes('Your password\n\nOla-365b\n\nSign in to Ola-365b now.', 'Account')).toEqual([])
    expect(codes('Log in with the password Harbour2026.\nThanks', 'Account')).toEqual([])
    expect(codes('Your password\tis secret\n', 'Account')).toEqual([])
  })
})

describe('a sentence that resets a password states it', () => {
  test.each([
    ['en', 'Use the following to reset your password to {}'],
    ['en', 'Your password was set to {}.'],
    ['en', 'Use {} to reset your password.'],
    ['fr', 'Utilisez les informations suivantes {} pour réinitialiser votre mot de passe'],
    ['fr', 'Votre mot de passe a été réinitialisé à {}'],
    ['es', 'Utilice lo siguiente para restablecer su contraseña a {}'],
    ['pt', 'Sua senha foi redefinida para {}'],
    ['it', 'La tua password è stata reimpostata su {}'],
    ['de', 'Ihr Passwort wurde auf {} zurückgesetzt.'],
    ['de', 'Verwenden Sie {}, um Ihr Passwort zurückzusetzen.'],
    ['nl', 'Gebruik {} om uw wachtwoord opnieuw in te stellen.'],
    ['ru', 'Ваш пароль был сброшен на {}'],
    ['tr', 'Şifrenizi sıfırlamak için {} kullanın'],
    ['ar', 'استخدم التالي لإعادة تعيين كلمة المرور الخاصة بك إلى {}'],
    ['en', 'From now on please log in with the password {} instead of your old one; its case matters.'],
    ['bg', 'Здравейте, по Ваша заявка паролата Ви беше сменена на {}. Препоръчваме да я промените.'],
    ['es', 'Hemos restablecido tu contraseña. A partir de ahora puedes entrar con {} y cambiarla después.'],
    ['id', 'Kata sandi Anda telah direset menjadi {}. Demi keamanan, segera ubah setelah masuk.'],
    ['ko', '비밀번호가 임시 비밀번호 {} 로 초기화되었습니다.'],
    ['nl', 'Wij hebben uw wachtwoord opnieuw ingesteld. U kunt inloggen met {} en een ander kiezen.'],
    ['sw', 'Nenosiri lako limewekwa upya kuwa {}. Tafadhali libadilishe baada ya kuingia.'],
    ['vi', 'Mật khẩu của bạn đã được đặt lại thành {}. Hãy đăng nhập và đổi mật khẩu.'],
  ])('%s: %s', (_language, sentence) => {
    for (const value of ['Zv83nQmL0y', 'K7m2-Qx9L-Tz41', 'tq58hVzn', '8dRw!f3P'])
      expect(codes(`Hello Ines,\n\n${sentence.replace('{}', value)}\n\nKestrel`, 'Welcome')).toEqual([value])
  })

  test.each([
    'Reset your password for Web2Project',
    'Reset your password with Drive4You2day',
    'Use Office365Go to reset your password.',
    'Your password was changed on iPhone14Pro today',
    'Your password was changed by user tq58hVzn today',
    'Your password was changed, reference tq58hVzn is yours',
    'Your password was changed. The build is tq58hVzn today.',
    'Your password is one of tq58hVzn and uK48dvTn today',
    'Your password at https://harbour.example/tq58hVzn was changed',
    'Your password protects tq58hVzn.pdf from others',
    'Your password hash begins with a8f3c2e1b4 today',
  ])('but not: %s', (sentence) => {
    expect(codes(`Hello Ines,\n\n${sentence}\n\nKestrel`, 'Welcome')).toEqual([])
  })
})

describe('a password of a wireless network is no code', () => {
  test.each([
    'Wi-Fi password: kX7pQ2mN',
    'WLAN: Harbour-Gast\nPasswort: kX7pQ2mN',
    'ওয়াই-ফাই পাসওয়ার্ড: kX7pQ2mN',
    'Wi-Fi: Harbour, lozinka kX7pQ2mN',
  ])('%s', (text) => {
    expect(codes(`We look forward to your stay.\n\n${text}\n`, 'Your stay')).toEqual([])
  })

  test('but the one of an account, below a paragraph about a network', () => {
    expect(codes('Our Wi-Fi is free.\n\nPassword: kX7pQ2mN\n', 'Your account')).toEqual(['kX7pQ2mN'])
  })
})

test.each([
  'Login: a.wrobel\nHasło startowe: Sosna!48kz\n',
  'Usuário: fernanda.alves\nSenha inicial: Sosna!48kz\n',
  'Օգտանուն՝ a.sargsyan\nԳաղտնաբառ՝ Sosna!48kz\n',
])('below the label of a user, any adjective may follow the word for a password: %j', (text) => {
  expect(codes(text, 'Account')).toEqual(['Sosna!48kz'])
})

describe('a password with a mark beside a user name is given whole', () => {
  test.each([
    ['en', 'You can sign in with the user name ines42 and the temporary password {}, which you must change.'],
    ['ar', 'يمكنكم الدخول باسم المستخدم khaled.m41 وكلمة المرور المؤقتة {} على أن تقوموا بتغييرها.'],
    ['et', 'Saad sisse logida kasutajanimega mtamm25 ja ajutise parooliga {}, mille palume vahetada.'],
    ['az', 'r.mammadov8 istifadəçi adı və {} müvəqqəti şifrəsi ilə daxil ola bilərsiniz.'],
    ['tl', 'Maaari ka nang mag-log in gamit ang username na jdelacruz12 at password na {}. Palitan ito.'],
  ])('%s: %s', (_language, sentence) => {
    for (const value of ['Harbour#5527', 'Sosna!48kz'])
      expect(codes(sentence.replace('{}', value), 'Portal')).toEqual([value])
  })
  test.each(['Rimon-4418', 'Maslina.307', 'Multe62Vinter'])('also %s, which may be a name', (value) => {
    const text = `Log in with the user name lana.babic and the temporary password ${value}, and change it.`
    expect(codes(text, 'Portal')).toEqual([value])
    expect(codes(`Log in with your password for ${value} now.`, 'Portal')).toEqual([])
  })
  test('but not what a question ends with', () => {
    expect(codes('Login: ines\nForgot your password Harb0ur99?', 'Portal')).toEqual([])
  })
})

test.each([
  ['Neues Kontopasswort', 'Ihr neues Passwort ist cYf2lQdvOnmf. Bitte sichern Sie es.'],
  ['नया खाता का पासवर्ड', 'अपने नए खाते का पासवर्ड cYf2lQdvOnmf है।'],
  ['Your new password', 'Your password is cYf2lQdvOnmf and may be changed.'],
])('a sender of appointments states a password below such a subject: %s', (subject, text) => {
  expect(codes(`${text}\n\nPowered by Easy!Appointments`, subject)).toEqual(['cYf2lQdvOnmf'])
})

test.each(['igama lokungena', 'የይለፍ ቃል', 'password'])(
  'a value in quotes directly behind "%s", in any script',
  (word) => {
    expect(codes(`Hello,\n\n${word} "Ines42"\n`)).toEqual(['Ines42'])
  },
)

test('a note in brackets may follow the label of a password', () => {
  const text = 'Din midlertidige adgangskode (du skal ændre den ved første login):\n\nKkbR!7209knk'
  expect(codes(`Hej Mette,\n\n${text}\n`)).toEqual(['KkbR!7209knk'])
})

describe('a password with letters that are not ASCII is given whole', () => {
  test.each(['Kürbis4711', 'grünTal82x', 'Fregat-82-Kirsebær', 'Кот-4821-Лес', 'λύκος4821', 'grønKaffe7'])(
    '%s',
    (value) => {
      expect(codes(`Your password: ${value}\n`)).toEqual([value])
      expect(codes(`Username: ines\nPassword: ${value}\n`)).toEqual([value])
    },
  )

  test.each([
    'Ihr Passwort:\n\nZürich24-Team',
    'Passwort: münchen.example/r/482913',
    'Новый пароль: не_менее_8_символов',
    'Passwort: {{größe_82}}',
  ])('but no other text: %j', (text) => {
    expect(codes(text)).toEqual([])
  })

  test('or not at all', () => {
    expect(codes('Your password was reset to grünTal82x, and you can change it.')).toEqual([])
    expect(codes('Your password was reset to Tal82xTgrün, and you can change it.')).toEqual([])
  })
})

describe('the name of the sender is no password', () => {
  test('in the subject behind the word for one', () => {
    const text = 'Demande de votre compte 2FAuth.\n\nCordialement,\n2FAuth'
    expect(codes(text, 'Réinitialisation de mot de passe 2FAuth')).toEqual([])
    expect(codes('Welcome.', 'Your password: 2FAuth7x')).toEqual(['2FAuth7x'])
  })

  test.each([
    ['Your temporary password: MxHMYtEAdj\n\nPlease change your password after login.\n\nUni2Clup'],
    ['Your password: MxHMYtEAdj\n\nPlease sign in and change your password.\n\nUni2Clup'],
  ])('below a sentence about the password: %j', (text) => {
    expect(codes(text)).toEqual(['MxHMYtEAdj'])
  })
})

test.each([
  ['As requested, your new password for login "ines" is "SyGKMkw+"', 'SyGKMkw+'],
  ['按照要求，登录“wangwei”的新密码为“fXtTFjVg”', 'fXtTFjVg'],
])('letters as no name has them, in quotes: %s', (text, password) => {
  expect(codes(text)).toEqual([password])
})

test.each([
  'Click the link to reset your password for "NorthStar".',
  'The password of your account at "HealthTrack" was changed.',
  'A new password was requested for your account on "NorthStar".',
])('the name of a product in quotes is no password: %s', (text) => {
  expect(codes(text)).toEqual([])
})

test('a word behind a colon is no value that another one would be beside', () => {
  expect(codes('Code: IMPORTANT\n\nk7p2x9q\n\nIt expires in 10 minutes.', 'Sign in')).toEqual(['k7p2x9q'])
  expect(codes('a7f3k9\n\nEnter it to sign in.', 'Verification code: HarbourApp')).toEqual(['a7f3k9'])
})

test('a name in quotes is no password', () => {
  expect(codes('Your password for "WordPress" was reset by "iPhoneUser".')).toEqual([])
})

test('small letters are no name, on a line below a second word for a code', () => {
  const text = 'Your password is: coral-anvil-x9\n\nYour verification code follows\ncoral-anvil-drift'
  expect(codes(text, 'Welcome').sort()).toEqual(['coral-anvil-drift', 'coral-anvil-x9'])
})

test('a value that begins as "is" of another language does is whole', () => {
  expect(codes('パスワード：Ass2cyvCX2M2v\n')).toEqual(['Ass2cyvCX2M2v'])
})
