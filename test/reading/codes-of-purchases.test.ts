import { describe, expect, test } from '@jest/globals'
import { findCodes } from './find-codes.ts'

const codesIn = (subject: string, text: string) =>
  findCodes({ subject, text: `Hello Ines,\n\n${text}\n\nKestrel, 1 Harbour Street`, html: null })

describe('the code of a purchase is none to type', () => {
  test.each([
    ['es', 'Confirmación de compra', 'Billete: 7482913005518\nCódigo de seguridad: D4F088A127'],
    ['de', 'Bestellbestätigung', 'Sicherheitscode: 482913'],
    ['de, with a price', 'Bestellbestätigung', 'Summe: 20 EUR\nSicherheitscode: 482913'],
    ['da', 'Ordrebekræftelse', 'Kode: 482913'],
    ['et', 'Tellimuse kinnitus', 'Täname ostu eest!\nKood: 482913'],
    ['is', 'Kvittun', 'Takk fyrir pöntunina.\nKóði: 482913'],
    ['mk', 'Потврда за нарачка', 'Ви благодариме за нарачката.\nКод: 482913'],
    ['ko', '주문이 완료되었습니다', '결제금액: 48,290원\n승인번호: 30471820'],
  ])('%s: %s', (_language, subject, text) => {
    expect(codesIn(subject, text)).toEqual([])
  })

  test.each([
    ['Your receipt', 'Payment received.\nSecurity code: 482913\nIt expires in 10 minutes.'],
    ['Your receipt', 'Payment received.\nEnter this security code: 482913'],
    ['Your receipt', 'Payment received.\nVerify your account with the security code: 482913'],
    ['Welcome', 'Payment received.\nSecurity code: 482913'],
    ['Your receipt', 'Payment received.\nOne-time password: 482913'],
    ['Confirm your email', 'Thank you for shopping with us. Your code: 482913'],
  ])('unless the mail is for it: %s, %j', (subject, text) => {
    expect(codesIn(subject, text)).toEqual(['482913'])
  })
})

describe('a code to keep secret is one, whatever the sender sells', () => {
  test.each([
    [
      'de',
      'Anmeldung',
      'Ihr Code lautet 482913. Er ist 10 Minuten gültig. Geben Sie ihn nicht weiter. Unterkunft finden',
    ],
    [
      'nl',
      'Inloggen',
      'Je code is 482913. Deze code is 10 minuten geldig. Deel hem met niemand. Mijn reserveringen',
    ],
    [
      'cs',
      'Přihlášení',
      'váš kód je 482913. Platí 10 minut. Nikomu ho nesdělujte. Jízdenky a letenky online',
    ],
    [
      'es',
      'Tu código',
      'Tu código es 482913. Caduca en 10 minutos. No lo compartas con nadie. Invita a un amigo y gana.',
    ],
  ])('%s', (_language, subject, text) => {
    expect(codesIn(subject, text)).toEqual(['482913'])
  })

  test('also one of eight digits', () => {
    const text = 'Your code is 48291300. It expires in 10 minutes. Do not share it. See your booking.'
    expect(codesIn('Kestrel', text)).toEqual(['48291300'])
  })

  test.each([
    ['no expiry', 'Your code is 482913. Do not share it. See your booking.'],
    ['long', 'Your code is 482913005. It expires in 10 minutes. Do not share it. See your booking.'],
  ])('but not with %s', (_what, text) => {
    expect(codesIn('Kestrel', text)).toEqual([])
  })
})

describe('the number of a confirmation is one of a payment', () => {
  test.each([
    ['Número de confirmação: 0482913'],
    ['Numero di conferma: 0482913'],
    ['رقم التأكيد: 0482913'],
    ['מספר אישור: 0482913'],
  ])('%s', (label) => {
    expect(codesIn('Market 118', `248,90 EUR\n${label}`)).toEqual([])
  })

  test('unless the mail asks to confirm something else', () => {
    expect(codesIn('אימות כתובת', 'מספר אישור: 482913\nהזן אותו באתר כדי לאמת את הכתובת')).toEqual(['482913'])
  })
})

test.each(['Garage entry code: 9071#', 'Building entry code: 99281', 'קוד הכניסה לבניין: 4471#'])(
  'a door is none: %s',
  (text) => {
    expect(codesIn('Welcome', text)).toEqual([])
  },
)

test.each([
  [
    'E-posta adresini doğrula',
    'E-posta adresini doğrula.\n\nDEN25 koduyla ilk alışverişinde 25 TL indirim!',
    [],
  ],
  [
    'E-posta adresini doğrula',
    'E-posta adresini doğrula.\n\n482913 koduyla giriş yap. 25 TL indirim!',
    ['482913'],
  ],
])('letters and digits beside an offer are its code: %s, %j', (subject, text, codes) => {
  expect(codesIn(subject, text)).toEqual(codes)
})

test('a number of a program is none', () => {
  expect(codesIn('Kernel panics', 'Your code: 0x0000007B')).toEqual([])
})

test.each([
  ['Your Harbour code', 'Account verification: 482913\n\nDo not share this code with anyone.'],
  ['Banque Horizon', 'Numéro de vérification : 482913\n\nCe numéro expire dans 10 minutes.'],
  ['Sign in to Garage', 'Your Garage code is 482913. Do not share it.'],
  ['ログイン', '482913 を入力してログインしてください。\n\n今なら新規登録でクーポンをプレゼント！'],
])('an ordinary code is given: %s, %s', (subject, text) => {
  expect(codesIn(subject, text)).toEqual(['482913'])
})

test('letters and digits to enter, above an offer', () => {
  const text = 'Girişi tamamlamak için K7PM2X kodunu girin.\n\nÜyelere özel %10 indirim sizi bekliyor.'
  expect(codesIn('Giriş', text)).toEqual(['K7PM2X'])
})

test.each([
  ['Votre code de connexion', "Votre code d'accès : 482913\n\nGérez vos créneaux en ligne."],
  [
    'Ihr Gutschein wartet',
    'Geben Sie zur Bestätigung Ihrer E-Mail den Sicherheitscode ein.\n\nSicherheitscode: 482913',
  ],
  ['Подтвердите адрес', 'Номер подтверждения: 482913\n\nДействителен до 12.30'],
  ['Confirme sua conta', 'Número de confirmação: 482913\n\nR$ 5,00 de desconto'],
])('a code beside an offer or a time is given: %s', (subject, text) => {
  expect(codesIn(subject, text)).toEqual(['482913'])
})

test('letters and digits to enter, in a sentence that also offers something', () => {
  const text = 'G4X92K を入力してメールアドレスを確認し、割引を受け取ってください。'
  expect(codesIn('メールアドレスの確認', text)).toEqual(['G4X92K'])
})

test('the number of a house in a footer is none', () => {
  const text = [
    'Azt a kérést kaptuk, hogy állítsuk vissza a Kestrel-jelszavadat. Kattints a gombra, és válassz egy újat:',
    'JELSZÓ VISSZAÁLLÍTÁSA',
    'Ha nem te kérted a jelszó visszaállítását, hagyd figyelmen kívül ezt az e-mailt.',
    '— A Kestrel csapata',
  ].join('\n\n')
  const codesBefore = (footer: string) =>
    findCodes({ subject: 'A Kestrel-jelszavad visszaállítása', text: `${text}\n\n${footer}`, html: null })
  expect(codesBefore('© 2026 Kestrel. 5900 Penn Ave, Pittsburgh, PA 15206, USA')).toEqual([])
  expect(codesBefore('2026 Kestrel. 5900 Penn Ave, Pittsburgh, PA 15206, USA')).toEqual([])
  expect(codesBefore('© 2026 Kestrel\n590017')).toEqual([])
  expect(codesBefore('2026 Kestrel\n590017')).toEqual(['590017'])
})
