import { describe, expect, test } from '@jest/globals'
import { findCodeDetails } from '../../reading/codes.ts'
import { codesBelow } from './find-codes.ts'

const details = (text: string) =>
  findCodeDetails({ subject: 'Kestrel', text: `Hello Ines,\n\n${text}\n\nKestrel`, html: null })

test.each([
  ['de', 'Ihre Notfallcodes:'],
  ['nl', 'Back-upcodes:'],
  ['ru', 'Резервные коды:'],
  ['uk', 'Резервні коди:'],
  ['cs', 'Záložní kódy:'],
  ['sk', 'Záložné kódy:'],
  ['hu', 'Helyreállítási kódok:'],
  ['ro', 'Coduri de rezervă:'],
  ['bg', 'Резервни кодове:'],
  ['el', 'Εφεδρικοί κωδικοί:'],
  ['sv', 'Reservkoder:'],
  ['da', 'Gendannelseskoder:'],
  ['nb', 'Gjenopprettingskoder:'],
  ['fi', 'Varakoodit:'],
  ['tr', 'Kurtarma kodlarınız:'],
  ['ja', 'リカバリーコード：'],
  ['zh', '恢复码：'],
  ['ar', 'رموز الاسترداد:'],
  ['he', 'קודי גיבוי:'],
  ['hi', 'बैकअप कोड:'],
  ['fa', 'کدهای پشتیبان:'],
  ['lv', 'Atkopšanas kodi:'],
  ['et', 'Taastekoodid:'],
])('a list of recovery codes is complete: %s', (_language, label) => {
  for (const values of [
    ['8f3k-29dm', 'q7zt-x41p', 'm2ww-9a0c'],
    ['a1b2c3d4e5', 'f6a7b8c9d0', '0f1e2d3c4b'],
    ['ABCD-EFGH', 'JKLM-NPQR', 'STUV-WXYZ'],
  ]) {
    const found = details(`${label}\n\n${values.join('\n')}`)
    expect(found.map(({ value }) => value)).toEqual(values)
    expect(found.map(({ kind }) => kind)).toEqual(values.map(() => 'recovery'))
  }
})

test.each([
  ['pl', 'Kod śledzenia'],
  ['ru', 'Ваш код отслеживания'],
  ['uk', 'Ваш код відстеження'],
  ['cs', 'Váš sledovací kód'],
  ['hu', 'Nyomkövetési kódja'],
  ['ro', 'Codul de urmărire'],
  ['bg', 'Код за проследяване'],
  ['el', 'Κωδικός παρακολούθησης'],
  ['da', 'Din sporingskode'],
  ['fi', 'Seurantakoodisi'],
  ['tr', 'Takip kodunuz'],
  ['ko', '배송 추적 코드'],
  ['ar', 'رمز التتبع'],
  ['he', 'קוד המעקב שלך'],
  ['hi', 'आपका ट्रैकिंग कोड'],
  ['vi', 'Mã theo dõi của bạn'],
  ['th', 'รหัสติดตามพัสดุ'],
  ['id', 'Kode pelacakan Anda'],
  ['hr', 'Vaš kod za praćenje'],
  ['ca', 'Codi de seguiment'],
])('the code of a parcel is none: %s', (_language, label) => {
  for (const value of ['7741482913', '482913']) expect(details(`${label}: ${value}`)).toEqual([])
})

test.each([
  ['es', 'Código del curso'],
  ['pt', 'Código do projeto'],
  ['pt', 'Código do armário'],
  ['fr', 'Code guichet'],
  ['fr', 'Code du cours'],
  ['it', 'Codice armadietto'],
  ['de', 'Schließfachcode'],
  ['nl', 'Track & trace-code'],
  ['sv', 'Kurskod'],
  ['da', 'Kode til nøgleboksen'],
  ['fi', 'Lokerokoodi'],
  ['pl', 'Kod skrytki'],
  ['cs', 'Kód banky'],
  ['ru', 'Код ячейки'],
  ['uk', 'Код проєкту'],
  ['hu', 'Kurzuskód'],
  ['tr', 'Proje kodu'],
  ['el', 'Κωδικός μαθήματος'],
  ['sq', 'Kodi i derës'],
  ['ar', 'رمز المشروع'],
  ['he', 'קוד הדלת'],
  ['hi', 'परियोजना कोड'],
  ['th', 'รหัสวิชา'],
  ['vi', 'Mã bưu kiện'],
  ['id', 'Kode pintu'],
  ['ja', '玄関の暗証番号'],
  ['ja', 'ミーティングパスコード'],
  ['ko', '강좌 코드'],
])('the code of a project, a course, a bank or a door is none: %s, %s', (_language, label) => {
  for (const value of ['482913', 'K7PM2X9Q']) expect(details(`${label}: ${value}`)).toEqual([])
})

test.each([
  ['it', 'Codice usa e getta: 482913'],
  ['nl', 'Activeringscode: 482913'],
  ['ja', 'SMSコード：482913'],
  ['ar', 'رقم التعريف الشخصي: 482913'],
  ['et', 'Kood e-posti aadressi kinnitamiseks on 482913'],
  ['lv', 'Kods e-pasta adreses apstiprināšanai ir 482913'],
  ['sr', 'Употребите 482913 да бисте се пријавили.'],
  ['el', 'Ο κωδικός σας είναι ο 482913'],
  ['en', 'Enter this number to continue: 482913'],
  // Words of other languages are no door and no cupboard: "deres", "skapa", "Fargo".
  ['da', 'Deres kode er 482913'],
  ['sv', 'Skapa kod: 482913'],
  ['en', 'Your Wells Fargo code: 482913'],
  ['fr', 'Votre code en cours de validité : 482913'],
  ['lt', 'Kodas asmens tapatybei patvirtinti: 482913'],
])('a code by a less common wording: %s, %s', (_language, text) => {
  expect(details(text).map(({ value }) => value)).toEqual(['482913'])
})

test('digits in groups of different lengths are one code up to the end of the line', () => {
  expect(details('Your verification code is 482 139 01.').map(({ value }) => value)).toEqual(['48213901'])
  expect(details('Your verification code is 482 139 30 minutes.').map(({ value }) => value)).toEqual([
    '482139',
  ])
})

test('a small word at the end of a sentence is no label, but one at its beginning is', () => {
  const text = 'pro potvrzení zadejte prosím následující kód, pokud jste žádali o to'
  expect(details(`${text}\n\n482913`).map(({ value }) => value)).toEqual(['482913'])
  expect(details('Your code is below.\n\nOrder no\n\n482913')).toEqual([])
})

test.each([
  ['en', 'Gift card code'],
  ['fr', 'Code de la carte cadeau'],
  ['pt', 'Código do cartão-presente'],
  ['es', 'Código de la tarjeta regalo'],
  ['it', 'Codice della carta regalo'],
  ['de', 'Geschenkcode'],
  ['cs', 'Dárkový kód'],
  ['bg', 'Подаръчен код'],
  ['da', 'Gavekortkode'],
  ['ar', 'رمز بطاقة الهدية'],
  ['he', 'קוד כרטיס מתנה'],
])('the code of a gift card is none: %s', (_code, label) => {
  expect(details(`${label}: SR8C-7XA7-9AQ3-PJ62`)).toEqual([])
})

test.each([
  ['ja', 'パスワードをリセット', 'トークン'],
  ['ru', 'Сброс пароля', 'Жетон'],
  ['zh', '重置密码', '令牌'],
])('a token is a code that is typed: %s', (_code, subject, label) => {
  const value = '4d46d4201bd3dfd15df99a40201db7b8'
  const text = `Kestrel\n\n${label}: ${value}`
  expect(findCodeDetails({ subject, text, html: null }).map((one) => one.value)).toEqual([value])
})

test('a reset code in traditional Chinese', () => {
  const text = '您好,\n\n並輸入以下初始化代號:\nqq5737unaL\n\n如果您沒有要求密碼初始化時, 請無視此訊息.'
  const values = (body: string) =>
    findCodeDetails({ subject: '密碼初始化', text: body, html: null }).map((one) => one.value)
  expect(values(text)).toEqual(['qq5737unaL'])
  expect(values(text.replace('初始化代號', '商品代號'))).toEqual([])
})

const valuesOf = (subject: string, text: string) =>
  findCodeDetails({ subject, text, html: null }).map((one) => one.value)

test('the number of a ticket in the subject is no code in the text', () => {
  const text =
    'You have sent a ticket: I cannot log in after a password reset.\n\nSee it by its key:\n\n482913\n\nHarbour'
  expect(valuesOf('#482913 Ticket created - Harbour', text)).toEqual([])
  expect(valuesOf('#48291 Ticket created - Harbour', text)).toEqual(['482913'])
  expect(valuesOf('Your login code: #482913', 'Enter this code to sign in:\n\n482913')).toEqual(['482913'])
})

test('a name that the subject has too is no code', () => {
  const text =
    'Ο κωδικός άλλαξε\n\nΟ κωδικός πρόσβασής σας έχει αλλάξει από τον πίνακα σας.\n\nOpenSupports\nSupport'
  expect(valuesOf('Ο κωδικός τροποποιήθηκε- OpenSupports', text)).toEqual([])
  const token = 'Your token for CodeTriage is wrong.'
  expect(valuesOf('CodeTriage auth failure', token)).toEqual([])
})

test('a slogan at the top of a mail is no password', () => {
  const text = 'make harbours flow\n\nReset your password\n\nYou recently requested to change it.'
  expect(valuesOf('Reset your password', text)).toEqual([])
  expect(valuesOf('Your login phrase', 'make harbours flow\n\nType it to sign in.')).toEqual([
    'make harbours flow',
  ])
})

test.each([
  ['fr', 'Le code à saisir pour votre achat de 200,00 EUR est 60418259. Ne donnez ce code à personne.'],
  ['en', 'The code to enter for your purchase of EUR 1,200.00 is 60418259. Do not share it with anyone.'],
  ['ru', 'Сеансовый пароль Интернет-банка e-harbour.by: 60418259. Никому не сообщайте!'],
  ['ru', '10.04.2024 10:18 Parol dlya podtverzhdeniya: 60418259. Perevod 800.00 RUB.'],
  ['zh', '【銀行轉帳】OTP密碼60418259網頁識別碼ABCD轉入帳號後四碼8888、TWD$9876，密碼勿告知他人'],
  ['fa', 'مقدار ارز:\n1000000IRT\n\ncode: 60418259'],
])('the code of a bank beside amounts: %s', (_code, text) => {
  expect(valuesOf('', text)).toEqual(['60418259'])
})

test('a second number behind a bare code is none, unless the first one is an amount', () => {
  expect(valuesOf('', 'Sign in: the code of room 48213 is 60418259. Never share it.')).toEqual([])
})

test('the mark of a program below a code is not a second code', () => {
  const found = (text: string) =>
    findCodeDetails({ subject: 'SMS', text, html: null }).map(({ value }) => value)
  expect(found('<#> Your Harbour verification code: 482913\nFA9qCX9VSu1')).toEqual(['482913'])
  expect(found('<#> 482913 is your Harbour verification code\nFA9qCX9VSu1')).toEqual(['482913'])
  expect(found('<#> 482913 आपका सिम्पल कोड है\nFA9qCX9VSu1')).toEqual(['482913'])
  // One with a noun of its own is a second code.
  expect(found('Verification code: 482913\nPassword: FA9qCX9VSu1')).toHaveLength(2)
})

test('the name of a sender at the end of a subject is not a code, though it has a digit', () => {
  const text = 'Välkommen till Fixa2an!\n\nAnvänd koden nedan för att verifiera din e-postadress:\n\n202898'
  const found = findCodeDetails({ subject: 'Din verifieringskod – Fixa2an', text, html: null })
  expect(found.map(({ value }) => value)).toEqual(['202898'])
})

test('a verification code of the subject may be used to manage bookings', () => {
  const text = 'Använd denna kod för att hantera dina bokningar:\n\n801199\n\n'
  const found = (subject: string, rest: string) =>
    findCodeDetails({ subject, text: text + rest, html: null }).map(({ value }) => value)
  expect(found('Din verifieringskod', 'Vi ses.')).toEqual(['801199'])
  expect(found('Harbour', 'Vi ses.')).toEqual([])
  expect(found('Harbour', 'Koden är giltig i 10 minuter.')).toEqual(['801199'])
})

test.each([
  [
    'be',
    'Дзеянне, выкананае ў акаўнце з: Portugal, патрабуе праверкі.\n\nВаш код спраўджання: 745c172f',
    '745c172f',
  ],
  ['am', '<#> 985569 የእርስዎ ሲምፕል መተግበሪያ የማረጋገጫ የሚስጥር ቁጥር ነው', '985569'],
])('a word for a verification code is known: %s', (_language, text, value) => {
  expect(findCodeDetails({ subject: 'Harbour', text, html: null }).map((one) => one.value)).toEqual([value])
})

describe('a bonus that the mail names', () => {
  test.each([
    ['Confirm email to load cards', 'To load your bonus cards, enter the following code in the app.'],
    ['Bestätigen Sie Ihre E-Mail-Adresse', 'Um Bonuskarten zu laden, geben Sie den folgenden Code ein.'],
    [
      'Potvrďte email pre načítanie kariet',
      'Pre načítanie bonusových kariet zadajte nasledujúci kód v aplikácii.',
    ],
    [
      'Confirmez votre adresse e-mail',
      'Pour vos cartes bonus, saisissez le code suivant dans l’application.',
    ],
  ])('does not make the code a voucher that confirms an address: %s', (subject, text) => {
    expect(codesBelow(subject, `${text}\n041409\nHarbour`)).toEqual(['041409'])
  })

  test('makes it one elsewhere', () => {
    const text = 'To load your bonus, enter the following code in the app.\n041409\nHarbour'
    expect(codesBelow('Confirm your bonus', text)).toEqual([])
    expect(codesBelow('Your email bonus', text)).toEqual([])
    const offer = 'Our bonus code of the week:\n041409\nHarbour'
    expect(codesBelow('Confirm your email address', offer)).toEqual([])
    const voucher = 'To use your bonus, enter the following code in the app.\nSAVE20X\nHarbour'
    expect(codesBelow('Confirm your email address', voucher)).toEqual([])
  })
})

test.each([
  ['da', 'Afhentningskode: 4829'],
  ['nb', 'Hentekode: 4829'],
  ['sv', 'Hämtkod: 4829'],
  ['fi', 'Noutokoodi: 48291'],
  ['nl', 'Afhaalcode: 4829'],
  ['cs', 'Kód pro vyzvednutí: 4829'],
  ['sk', 'Kód na prevzatie: 4829'],
  ['hu', 'Átvételi kód: 4829'],
  ['ro', 'Cod ridicare: 482913'],
  ['el', 'Κωδικός παραλαβής: 4829'],
  ['he', 'קוד איסוף: 4829'],
  ['id', 'Kode pengambilan: 4829'],
  ['uk', 'Код видачі: 4829'],
  ['ja', '受取コード:4829'],
  ['ko', '픽업 코드: 4829'],
  ['zh', '提货码:482913'],
  ['es', 'Código de cita: 48291'],
  ['de', 'Termincode: 48291'],
])('a code to collect a parcel or to attend proves nothing: %s', (_language, label) => {
  expect(codesBelow('Harbour', `${label}\n\nHarbour`)).toEqual([])
})

test('a key of an interface for programs is no code', () => {
  const key = 'sk_live_8s7d8f7s8d7f8s7df8s7d'
  expect(codesBelow('Your API key', `Here is your API key: ${key}`)).toEqual([])
  expect(codesBelow('Harbour', 'Ihr API-Schlüssel: 8s7d8f7s8d7f')).toEqual([])
  expect(codesBelow('Your key', 'Here is your login key: 8s7d8f7s8d7f')).toEqual(['8s7d8f7s8d7f'])
})

test('a token that an invitation brings is an invitation code', () => {
  const token = 'W01cJjmxGqKyXIqZnpwJiX'
  const text = `After starting the app, input the Invite Token below:\n\n${token}\n\nOla will send you another one.`
  const found = findCodeDetails({ subject: "You've been invited to Harbour", text, html: null })
  expect(found).toMatchObject([{ value: token, kind: 'invitation' }])
})

test('"see you soon" is no meeting, whose code proves nothing', () => {
  const text = 'Вы можете скопировать следующий код в окно браузера: 50413\n'
  expect(codesBelow('Новый адрес', `${text}До скорой встречи на Harbour!`)).toEqual(['50413'])
  expect(codesBelow('Новый адрес', `${text}Встреча начнётся в 10:00`)).toEqual([])
})

test('a word for a code to reset a password is known in Chinese', () => {
  const text = '这是您的重置码，将在 2 小时后过期: 606974'
  expect(codesBelow('重置您的密码', text)).toEqual(['606974'])
})

test.each([
  ['one row', 'Kwatu: 482135\n', ['482135']],
  ['one row below words', 'Hello,\n\nKwatu: 482135\n', ['482135']],
  ['two rows', 'Zorp: Blim\nKwatu: 482135\n', []],
  [
    'two rows, beside how long it is valid',
    'Zorp: Blim\nKwatu: 482135\n\nIt expires in 10 minutes.',
    ['482135'],
  ],
])('two rows of the text are a record, and the subject is no row: %s', (_, text, found) => {
  expect(codesBelow('Kestrel: Verify', text)).toEqual(found)
})

test.each([
  [
    'Votre badge expire',
    'Pour éviter une interruption d’accès, 15 jours.\n\nNuméro de badge :\nA875577\n\nHarbour',
  ],
  ['[Harbour] Xác nhận', 'Hệ thống trực tuyến\n\nMã đặt vé\n373792\nLưu mã này để được hỗ trợ'],
])(
  'a value below a label of another kind is none, though nothing else in the mail is: %s',
  (subject, text) => {
    expect(codesBelow(subject, text)).toEqual([])
    const label = text.includes('373792') ? 'Mã đặt vé' : 'Numéro de badge :'
    expect(codesBelow(subject, text.replace(label, 'Code'))).toHaveLength(1)
  },
)

test.each([
  ['Użyj poniższego kodu, aby aktywować swoje konto:'],
  ['Use this code, to verify your account:'],
  ['Použijte tento kód, abyste mohli aktivovat účet:'],
])('a clause behind a comma says what the code is for, and labels no other number: %s', (sentence) => {
  expect(codesBelow('Harbour', `Hello,\n\n${sentence}\n\n914320\n\nHarbour`)).toEqual(['914320'])
})

describe('a label that begins with a word for a number names no code', () => {
  const LABELS = [
    'Numéro de badge',
    'Número de póliza',
    'Numero di polizza',
    'Número do processo',
    'Numer umowy',
    'Номер дела',
    'Nomor seri',
  ]
  const mail = (rows: string) =>
    `Hello Ola,\n\nyour account was updated. Please sign in to see more within 3 days.\n\n${rows}\n\nHarbour`

  test.each(LABELS)('%s', (label) => {
    for (const value of ['482913', 'A875577', '4829']) {
      expect(codesBelow('Your account', mail(`${label}: ${value}`))).toEqual([])
      expect(codesBelow('Your account', mail(`${label}:\n${value}`))).toEqual([])
      expect(codesBelow('Your account', mail(`${label}\n${value}`))).toEqual([])
      const html = `<p>Verify your account soon.</p><table><tr><td>${label}</td><td>${value}</td></tr></table>`
      expect(findCodeDetails({ subject: 'Verify your account', text: '', html })).toEqual([])
    }
  })

  test('unless it says what the number proves', () => {
    for (const label of ['Numéro de vérification', 'Número de acceso', 'Номер для входа'])
      expect(codesBelow('Your account', mail(`${label}:\n482913`))).toEqual(['482913'])
  })
})

test('a word for a code that has its value introduces no list of others, unless they have its length', () => {
  const orders = '1.\tAB48213\n2.\tAB48214\n3.\tAB48215'
  const values = (text: string) => details(text).map(({ value }) => value)
  expect(values(`Your sign-in code: 771204\n\nOrders today\n\n${orders}`)).toEqual(['771204'])
  const all = ['38204711', '94726355', '10384756', '55647382']
  expect(values(`Backup codes: ${all.join('\n')}`).sort()).toEqual(all.sort())
})
