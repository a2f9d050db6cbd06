import { describe, expect, test } from '@jest/globals'
import { readLanguages } from '../../reading/lexicon/build.ts'
import { codesIn as codes, findCodes } from './find-codes.ts'

describe('an old code is not given beside the current one', () => {
  test.each([
    'Your previous code 204816 has expired. Your new code is 913577.',
    'Your earlier code was 204816. Your new code is 913577.',
    'The verification code 204816 is no longer valid. Use 913577 instead.',
    'Verification code 204816 was already used.\n\nYour new verification code is 913577.',
    'Previous code:\n204816\n\nCurrent code:\n913577\n',
    'Your new verification code: 913577\nYour old verification code: 204816',
    'Your code 204816\nhas expired. Enter the code 913577\nto sign in.',
    'Verification code: 913577 (old code: 204816)',
    'Use 913577; the previous code (204816) has lapsed.',
    'Your new code: 913577\nThe previous code (204816) is not valid.',
    'Ihr bisheriger Code 204816 ist abgelaufen. Ihr neuer Bestätigungscode lautet 913577.',
    'Der Code 204816 ist nicht mehr gültig, der neue Code lautet 913577.',
    'Votre code précédent 204816 a expiré. Votre nouveau code est 913577.',
    'Su código anterior 204816 ha caducado. Su nuevo código es 913577.',
    'Il codice 204816 è scaduto. Il nuovo codice è 913577.',
    'O código 204816 já foi usado. Seu novo código é 913577.',
    '以前の認証コード204816は無効です。新しい認証コードは913577です。',
    '验证码204816已过期。新的验证码是913577。',
    'Срок действия прежнего кода 204816 истёк. Ваш новый код: 913577',
    'Verification code 913577 will expire in 10 minutes. Expired codes: verification code 204816.',
    'Poprzedni kod 204816 wygasł. Nowy kod weryfikacyjny: 913577',
    'Latest code: 913577\nPrevious code: 204816',
    'Verification code 913577 replaces the code 204816 that we sent you earlier.',
    'Le code 204816 a été remplacé. Voici votre nouveau code : 913577',
    'لم يعد الرمز 204816 صالحًا. رمز التحقق الجديد: 913577',
    'کد 204816 منقضی شده است. کد تأیید جدید: 913577',
    'Code 913577 supersedes code 204816.',
    'Instead of 204816, please use the verification code 913577.',
    'Please ignore the code 204816 that we sent before. Your verification code is 913577.',
    'You have already used the verification code 204816. Here is a new one: 913577',
    'We replaced your login code 204816 with 913577.',
    'Verification codes\n\n204816  expired\n913577  valid for 10 minutes',
    'Verwenden Sie statt 204816 bitte den Bestätigungscode 913577.',
    'El código 913577 sustituye al código 204816.',
    'Votre code de vérification est 913577. Il remplace le code 204816 envoyé précédemment.',
    'Ваш новый код подтверждения: 913577. Он заменяет отправленный ранее код 204816.',
    'הקוד 204816 כבר אינו בתוקף. קוד האימות החדש שלך: 913577',
    'Do not use 204816 any more. Your verification code is 913577.',
    "Your verification code is 913577. Please don't use the code 204816 again.",
    'The code 204816 should not be used any more. Your new code: 913577',
    'Bitte verwenden Sie den Code 204816 nicht mehr. Ihr neuer Bestätigungscode lautet 913577.',
    "N'utilisez plus le code 204816. Votre nouveau code est 913577.",
    'No utilice el código 204816. Su nuevo código de verificación es 913577.',
    'Больше не используйте код 204816. Ваш новый код подтверждения: 913577',
    'コード204816は使用しないでください。新しい認証コードは913577です。',
    '请勿使用验证码204816。新的验证码是913577。',
    'The code 204816 has been replaced by 913577.',
    'Your verification code 204816 was replaced with the code 913577.',
    'Ihr Code 204816 wurde durch 913577 ersetzt.',
    'Ваш код 204816 заменён на 913577.',
    'Twój kod 204816 został zastąpiony kodem 913577.',
  ])('%s', (text) => {
    expect(codes(text)).toEqual(['913577'])
  })

  test.each([
    'Verification code: 204816. It has lapsed.',
    'Verification code: 204816\n\nThis code is no longer valid.',
    'Your sign-in code was 204816. It has expired.',
    'Bestätigungscode: 204816. Er ist abgelaufen.',
    'Code de vérification : 204816. Ce code a expiré.',
    'Código de verificación: 204816. Ha caducado.',
    'Код подтверждения: 204816. Он недействителен.',
    '認証コードは204816です。これは期限切れです。',
    '验证码为204816。该验证码已过期。',
  ])('the next sentence may say it: %s', (text) => {
    expect(codes(`${text}\n\nYour new code is 913577`)).toEqual(['913577'])
  })

  test.each([
    'Your verification code is 913577. If it has expired, ask for another one.',
    'Your verification code is 913577. Your old code has expired.',
    'Your verification code is 913577. It is no longer valid after an hour.',
    'Your verification code is 913577. The device that you used before has expired.',
  ])('the next sentence may be about something else: %s', (text) => {
    expect(codes(`${text}\n\nYour backup verification code is 204816.`)).toContain('913577')
  })

  test('a code of which the mail says only that it was used is given if it is the only one', () => {
    expect(codes('Your verification code 204816 was already used.')).toEqual(['204816'])
    expect(codes('Do not use this code on another site: 204816')).toEqual(['204816'])
  })

  test('a number of another kind does not replace an old code', () => {
    expect(codes('Your code 204816 has expired. Order 730518.')).toEqual(['204816'])
  })

  test('an instruction of the next paragraph is not about the code above it', () => {
    expect(codes('Bestätigungscode: 204816\n\nNicht mehr gewünscht? Bestätigungscode: 913577')).toHaveLength(
      2,
    )
  })

  test('words about an old address or device do not make a code old', () => {
    expect(
      codes('Enter both codes.\nCode for your old address: 204816\nCode for your new address: 913577'),
    ).toHaveLength(2)
    expect(codes('Verification code 204816 (old phone), verification code 913577 (new phone)')).toHaveLength(
      2,
    )
  })
})

describe('a code of quoted text is not given beside one above it', () => {
  test.each([
    'On Mon, Nov 23, 2026 at 10:02 AM Harbour <no-reply@harbour.example> wrote:\n> Your verification code is 204816.\n> Keep it to yourself.',
    'Am 23.11.2026 um 10:02 schrieb Harbour <no-reply@harbour.example>:\n\nYour verification code is 204816.',
    '-----Ursprüngliche Nachricht-----\nVon: Harbour\nBetreff: Code\n\nYour verification code is 204816.',
    'From: Harbour <no-reply@harbour.example>\nSent: Monday\nTo: Ines\nSubject: Code\n\nYour verification code is 204816.',
    '> Your verification code is 204816.',
    '| Your verification code is 204816.\n| Keep it to yourself.',
    'On Mon, Nov 23, 2026 at 10:02 AM Harbour <no-reply@harbour.example>\nwrote:\n\nYour verification code is 204816.',
    '________________________________\nVon: Harbour\nGesendet: Montag\nAn: Ines\nBetreff: Code\n\nYour verification code is 204816.',
  ])('%s', (quoted) => {
    expect(codes(`Your verification code is 913577.\n\n${quoted}`)).toEqual(['913577'])
    expect(codes(`Forwarded for you.\n\n${quoted}`)).toEqual(['204816'])
  })
})

test('an address above the line that begins a quotation does not hide that line', () => {
  const quoted =
    'Am 23.11.2026 um 10:02 schrieb Harbour <no-reply@harbour.example>:\n\nYour verification code is 204816.'
  const answer = 'Your verification code is 913577.\nQuestions? Write to help@harbour.example.'
  expect(codes(`${answer}\n\n${quoted}`)).toEqual(['913577'])
})

test('a code between bars, as in a frame, is no quoted one', () => {
  const frame = '| Your verification code is 204816. |'
  expect(codes(`Your verification code is 913577.\n\n${frame}`)).toHaveLength(2)
})

test('a record with a code is no header of an earlier message', () => {
  const record = 'Name: Ines\nDevice: Firefox\nPlace: Lisbon\n\nYour verification code is 204816.'
  expect(codes(`Your verification code is 913577.\n\n${record}`)).toHaveLength(2)
})

test.each([
  '<blockquote><p>Your code is 204816</p></blockquote>',
  '<blockquote type="cite"><p>Your code is <b>204816</b></p></blockquote>',
  '<blockquote class="gmail_quote"><div>Your code is 204816</div></blockquote>',
  '<blockquote type="cite"><blockquote type="cite">Hi</blockquote>Your code is 204816</blockquote>',
])('a code of a quoted block of HTML is not given beside another one: %s', (quote) => {
  const found = (html: string) => findCodes({ subject: 'Re: code', text: 'See the HTML.', html })
  expect(found(`<p>Your code is <b>913577</b></p>${quote}`)).toEqual(['913577'])
  expect(found(`${quote}<p>Your code is <b>913577</b></p>`)).toEqual(['913577'])
  expect(found(`<p>Forwarded for you.</p>${quote}`)).toEqual(['204816'])
})

test('a code in a block that is only indented is no old one', () => {
  const html = '<p>Your verification code:</p><blockquote><h2>204816</h2></blockquote><p>Reference 771820</p>'
  expect(findCodes({ subject: '', text: 'See the HTML.', html })).toEqual(['204816'])
})

test.each([
  '<div class="gmail_quote"><div>Your code is 204816</div></div>',
  '<div id="divRplyFwdMsg"><b>From:</b> Harbour</div><div>Your code is 204816</div>',
  '<div class="yahoo_quoted">Your code is 204816</div>',
])('a code of an earlier message below an answer in HTML is not given beside one above it: %s', (quote) => {
  const found = (html: string) => findCodes({ subject: 'Re: code', text: 'See the HTML.', html })
  expect(found(`<p>Your code is <b>913577</b></p>${quote}`)).toEqual(['913577'])
  expect(found(`<p>Forwarded for you.</p>${quote}`)).toEqual(['204816'])
})

test.each([
  '<s>204816</s>',
  '<del>204816</del>',
  '<span style="text-decoration: line-through">204816</span>',
  '<span style="text-decoration: underline line-through">204816</span>',
])('a code that is crossed out is not given beside another one: %s', (struck) => {
  const html = `<p>Verification code: ${struck} <b>913577</b></p>`
  expect(findCodes({ subject: '', text: 'See the HTML.', html })).toEqual(['913577'])
})

const languages = [...readLanguages()].filter(([code]) => code !== 'international')

test.each(languages)('%s: the label of a subject begins a quoted message', (_code, { links }) => {
  const wrong = (links.subject ?? '?').split('|').filter((label) => {
    const header = `Xx: Harbour\nYyy: 23. 11. 2026\nZz : Ines\n${label.toUpperCase()} : Code`
    const text = `Your verification code is 913577.\n\n${header}\n\nYour verification code is 204816.`
    return codes(text).join() !== '913577'
  })
  expect(wrong).toEqual([])
})

test.each(languages)('%s: each word for "instead of" makes the code beside it old', (_code, { words }) => {
  const { code = [], verificationCode = [], replacedNext = [], replacedBefore = [] } = words
  const noun = (code.find((one) => !verificationCode.includes(one)) ?? '').replace(/[*=]/g, '')
  const texts = [
    ...replacedNext.map((word) => `${noun}: 913577\n\n${word} ${noun}: 204816`),
    ...replacedBefore.map((word) => `${noun}: 204816 ${word}\n\n${noun}: 913577`),
  ]
  expect(texts.filter((text) => codes(text).join() !== '913577')).toEqual([])
  expect(texts).not.toEqual([])
})

test.each(languages)('%s: each word for "old" or "expired" makes a code old', (_code, { words }) => {
  const { code = [], verificationCode = [], stale = [] } = words
  const noun = (code.find((one) => !verificationCode.includes(one)) ?? '').replace(/[*=]/g, '')
  const wrong = stale
    .map((word) => word.replace(/[*=]/g, ''))
    .filter((word) => codes(`${noun}: 204816 (${word})\n\n${noun}: 913577`).join() !== '913577')
  expect(stale.length).toBeGreaterThan(1)
  expect(wrong).toEqual([])
})

test('three fields of a header begin the message that is answered', () => {
  const text =
    'Your new code is 730518\n\nFrom: Kestrel\nSent: Monday\nSubject: Hello\n\nYour code is 114902\n'
  expect(findCodes({ subject: 'Hello', text, html: null })).toEqual(['730518'])
})

const FIELDS = ['City: Bergen', 'Street: Nygata', 'Floor: 2']
const AFTER_ADDRESS = ['Contact: Ines <ines@mail.example>', 'Thank you.', ...FIELDS]

test.each<[string, string[], isHeader: boolean]>([
  ['three fields', FIELDS, false],
  ['three fields below a rule', ['________', ...FIELDS], true],
  ['three fields below a rule and another line', ['________', 'Thank you.', ...FIELDS], false],
  ['three fields after an address and another line', AFTER_ADDRESS, false],
  ['four fields with an address', AFTER_ADDRESS.toSpliced(1, 1), true],
  [
    'fields with other lines between them',
    ['City: Bergen', 'Thank you.', 'Street: Nygata', ...AFTER_ADDRESS.slice(0, 1)],
    false,
  ],
])('%s: a header of a message that is answered, or a record', (_, lines, isHeader) => {
  const text = `Your new code is 730518\n\n${lines.join('\n')}\n\nYour code is 114902\n`
  expect(codes(text)).toEqual(isHeader ? ['730518'] : ['730518', '114902'])
})

test('a number of another length does not replace an old code', () => {
  expect(codes('Your code was 114902. It has expired. Here is a new one: 7305')).toEqual(['114902'])
})

describe('what expired is not the code of the next line', () => {
  test.each([
    ['Your code 114902 has expired\nCode: 482913\n', ['482913']],
    ['Der Code 114902 ist abgelaufen\nBestätigungscode: 482913\n', ['482913']],
    ['验证码 114902 已失效 验证码：482913\n', ['482913']],
    ['Your session has expired\nCode: 4829\n\nKestrel Inc, 1182 Main Street\n', ['4829']],
    ['New code: 482913\nCode (old): 114902\n', ['482913']],
    ['Previous code: 114902 (expired)\n482913 is your new verification code.\n', ['482913']],
    ['验证码 (旧): 627845\n\n验证码: 382666\n', ['382666']],
    ['Your code: K7QM2P\nPrevious codes are no longer valid.\n\nDevice: PIXEL8\n', ['K7QM2P']],
    ['Your code K7QM2P was already used.\n\nDevice: PIXEL8\n', ['K7QM2P']],
  ])('%j', (text, values) => {
    expect(codes(text)).toEqual(values)
  })
})
