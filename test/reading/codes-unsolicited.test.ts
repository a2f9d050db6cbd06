import { describe, expect, test } from '@jest/globals'
import { codesBelow as codes } from './find-codes.ts'

/* Mails that nobody asked for: advertisements, extortion and copied notices name much that looks like a code. */

describe('no code', () => {
  test.each([
    [
      'the device of a notice',
      'New update',
      'A new device was used. The password for your Harbour account has been changed. Device: iPhone Browser: Safari. Verify your account.',
    ],
    [
      'an adverb',
      'Check your recovery phrase',
      '* Visit our page.\n* Enter your recovery phrase as instructed.\n* Follow the steps.',
    ],
    [
      'a year that begins a line',
      'Check your code',
      'Click the button below:\n\nShow my verification code\n\n2024 Harbour. All rights reserved.',
    ],
    [
      'the name of a program',
      'Activate two-factor authentication',
      'An app generates an authentication code. We recommend one-time password apps such as:\n1Password\nAuthy',
    ],
    ['the name of a program below a label', 'Sign in', 'Apps for your login code:\n1Password'],
    ['a name with capitals at its end', 'Password reset: OpenAI', 'Your password has been reset.'],
    [
      'a name that the text repeats',
      'Password reset notification - ClassroomIO',
      'You have requested a password reset for your ClassroomIO account.',
    ],
    ['a name below the subject', 'Reset your password immediately', 'Rodrigo-f-p'],
    ['the number of a file', 'Aviso de multa de trânsito. Registro: 06372288', 'Olá,\nveja o aviso.'],
    [
      'the number of a record',
      'Valor bloqueado',
      'Cliente: Ana\nNúmero de registro: 2066417\nInterrompemos sua transferência.',
    ],
    [
      'the number of a bank',
      'Donate',
      'Donations by bank transfer\nAccount name: Harbour\nBSB code 092-002\nAccount number 123456',
    ],
    [
      'an article of a law',
      'Notificação',
      'DT785432\nDe acordo com o Art. 218 do Código de Trânsito, acarretará:',
    ],
    [
      'a wallet',
      'Hi',
      'Malicious code was activated. Send Bitcoin to this address:\n1K4QEgP9U1Gy5UexxKyGRmENNcM4XTcJ3R\n\nI know your password.',
    ],
    [
      'the number of a mailing',
      'Your reward',
      'Sign in to your account. You have 24 hours.\n\n© 2017 - 2023 Example.com, All Rights Reserved.\n19860\n',
    ],
    [
      'a code against phishing',
      'Your reward',
      'To stay secure, set up your phishing code here\n19860\n\nSign in to your account.',
    ],
    [
      'a bonus',
      'Your invitation',
      'To claim this invitation:\n1. Visit Ocean Casino and open your free account\n2. Deposit using the code WELCOME1',
    ],
    [
      'a bonus in German',
      'Der Bonus steht zur Bestätigung bereit',
      'Registrieren Sie sich jetzt\n\n50\n\nGRATIS SPINS\n\nCODE VERWENDEN\n\nWELCOME50\n',
    ],
    [
      'points to spend',
      'Benefício autorizado para o resgate',
      'Prezado cliente,\nSeus pontos estão expirando.\n\n562392\n\nTroque por milhas aéreas.\nSua senha não é necessária.',
    ],
    ['the key of a donation', 'Reembolso', 'A chave de identificação do seu apoio é: 24977021'],
    ['a state', 'Harbour', 'Your verification code is **EXPIRED**'],
    ['an account behind a sentence that asks', 'Harbour', 'Please verify. Account ID:\n884211'],
    ['a purchase', 'Harbour', 'Your purchase was verified\n\n558812'],
    ['an order', 'Order confirmation code ABC-123', 'Your order is on its way.'],
    ['an order in Russian', 'Harbour', 'Подтверждение заказа\n\n551203'],
    ['a postal code', 'Harbour', 'Mumbai, PIN 400001'],
    ['an error', 'Undeliverable', 'Message expired, connection refused(Socketerror code 10061)'],
    [
      'a protocol',
      'Your mail account',
      'Password: Use your cPanel password. IMAP, POP3, and SMTP require authentication. Sign in with your password POP3',
    ],
  ])('%s', (_what, subject, text) => {
    expect(codes(subject, text)).toEqual([])
  })
})

test('a password ends before the mark of a line break', () => {
  expect(
    codes('Your account', 'Sign in with this. Your password is: tr025nj7z5xbn</br>\n</br>\nBye'),
  ).toEqual(['tr025nj7z5xbn'])
})

test('capitals with a dash between them are no name', () => {
  const text =
    'We received a request to reset the password for the account\n@ines.harbour.example.\n\nGPFZH-XZPQQ\n\n' +
    'To choose a new password, please enter the code above in the app.'
  expect(codes('Password Reset Requested', text)).toEqual(['GPFZH-XZPQQ'])
})

test.each([
  ['the place of a password', 'Your purchase', 'Username: ines\nPassword: <your-password>\n'],
  [
    'the name of a key',
    'A new public key was added',
    'The following SSH key was added to your account:\n\nwork-laptop\nSHA256:9kQm4xx9P9Nb',
  ],
  [
    'the number of a task',
    'New task assigned',
    'Task code: TASK-9F31C07A\nTitle: Survey\n\nPlease log in to the system for more.',
  ],
  [
    'the number of a booking in a language that names it otherwise',
    'Utazási visszaigazolás: M7XK4Q',
    'Köszönjük foglalását. Visszaigazoló kód: M7XK4Q\n\nOnline check-in az indulás előtt.',
  ],
  ['a row of a report with a time', 'Your week', 'Time: 84 minutes\nPoints: 1204\nStreak: 213 days\n'],
  [
    'what a bank is registered as',
    'Your card has been frozen',
    'Harbour Bank is licensed with company number 304580906 and authorisation code LB002119.',
  ],
  [
    'what a bank is registered as, with a short number',
    'Your card has been frozen',
    'Harbour Bank is licensed with company number 304580 and authorisation code LB002119.',
  ],
  [
    'a name with a number in capitals',
    'Passwort zurücksetzen – Engels811 Network',
    'PASSWORT ZURÜCKSETZEN – ENGELS811 NETWORK\n\nHallo, setze bei Engels811 Network dein Passwort zurück.',
  ],
])('no code: %s', (_case, subject, text) => {
  expect(codes(subject, text)).toEqual([])
})
