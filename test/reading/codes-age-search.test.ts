import { expect, test } from '@jest/globals'
import { Random } from '../hostile/search/random.ts'
import { codesBelow } from './find-codes.ts'

/*
 * An old code is never the first one, and none of several: a sentence that calls a code old and one that gives a new
 * one, in each order, with random values and breaks between them.
 */

const MAILS = 3000

const CLAUSES: Record<string, { old: string[]; new: string[] }> = {
  en: {
    old: [
      'Your previous code {old} has expired.',
      'The old code {old} is no longer valid.',
      'Code {old} was already used.',
      'The code {old} that we sent before can no longer be used.',
      'Please ignore the earlier code {old}.',
      '{old} is no longer valid.',
      'This replaces the code {old}.',
      'Your last code ({old}) has been cancelled.',
      'The code {old} from 10:14 expired.',
      'Do not use {old} any more.',
      'Previous code: {old} (expired)',
      'Old code: {old}',
      'You already used the code {old}.',
      'We have invalidated your earlier code {old}.',
      'The code we sent you yesterday, {old}, will not work.',
    ],
    new: [
      'Your new code is {new}.',
      'Use {new} instead.',
      'Your verification code is {new}.',
      'Your code is {new}',
      'New code: {new}',
      '{new} is your new verification code.',
      'Enter {new} to sign in.',
      'Here is a new one: {new}',
      'Your verification code:\n\n{new}\n',
    ],
  },
  de: {
    old: [
      'Ihr bisheriger Code {old} ist abgelaufen.',
      'Der alte Code {old} ist nicht mehr gültig.',
      'Der Code {old} wurde bereits verwendet.',
      'Alter Code: {old}',
      'Der vorherige Code {old} ist ungültig.',
      'Dieser Code ersetzt den Code {old}.',
      'Bitte verwenden Sie den Code {old} nicht mehr.',
    ],
    new: [
      'Ihr neuer Code lautet {new}.',
      'Ihr Bestätigungscode lautet: {new}',
      'Neuer Code: {new}',
      'Verwenden Sie stattdessen {new}.',
      '{new} ist Ihr Bestätigungscode.',
    ],
  },
  fr: {
    old: [
      'Votre ancien code {old} a expiré.',
      "Le code {old} n'est plus valable.",
      'Le code {old} a déjà été utilisé.',
      'Ancien code : {old}',
      'Le code précédent {old} est périmé.',
      'Ce code remplace le code {old}.',
    ],
    new: [
      'Votre nouveau code est {new}.',
      'Votre code de vérification : {new}',
      'Nouveau code : {new}',
      'Utilisez plutôt {new}.',
    ],
  },
  es: {
    old: [
      'Tu código anterior {old} ha caducado.',
      'El código {old} ya no es válido.',
      'El código {old} ya fue utilizado.',
      'Código anterior: {old}',
      'El código {old} ha vencido.',
    ],
    new: [
      'Tu nuevo código es {new}.',
      'Tu código de verificación: {new}',
      'Nuevo código: {new}',
      'Usa {new} en su lugar.',
    ],
  },
  it: {
    old: [
      'Il codice precedente {old} è scaduto.',
      'Il vecchio codice {old} non è più valido.',
      'Il codice {old} è già stato utilizzato.',
    ],
    new: ['Il tuo nuovo codice è {new}.', 'Il tuo codice di verifica: {new}', 'Nuovo codice: {new}'],
  },
  pt: {
    old: [
      'O código anterior {old} expirou.',
      'O código {old} já não é válido.',
      'O código {old} já foi utilizado.',
      'Código antigo: {old}',
    ],
    new: ['O seu novo código é {new}.', 'O seu código de verificação: {new}', 'Novo código: {new}'],
  },
  nl: {
    old: [
      'Je vorige code {old} is verlopen.',
      'De oude code {old} is niet meer geldig.',
      'De code {old} is al gebruikt.',
    ],
    new: ['Je nieuwe code is {new}.', 'Je verificatiecode: {new}', 'Nieuwe code: {new}'],
  },
  pl: {
    old: ['Poprzedni kod {old} wygasł.', 'Stary kod {old} jest już nieważny.', 'Kod {old} został już użyty.'],
    new: ['Twój nowy kod to {new}.', 'Twój kod weryfikacyjny: {new}', 'Nowy kod: {new}'],
  },
  ru: {
    old: [
      'Предыдущий код {old} больше не действителен.',
      'Срок действия кода {old} истёк.',
      'Код {old} уже использован.',
      'Старый код: {old}',
      'Код {old} недействителен.',
    ],
    new: ['Ваш новый код: {new}', 'Ваш код подтверждения: {new}', 'Новый код — {new}.'],
  },
  uk: {
    old: [
      'Попередній код {old} більше не дійсний.',
      'Термін дії коду {old} закінчився.',
      'Старий код: {old}',
    ],
    new: ['Ваш новий код: {new}', 'Ваш код підтвердження: {new}'],
  },
  ja: {
    old: [
      '以前のコード {old} は無効になりました。',
      '前回のコード{old}は有効期限が切れました。',
      'コード {old} は既に使用されています。',
    ],
    new: ['新しいコードは {new} です。', '認証コード：{new}', '新しい認証コード: {new}'],
  },
  zh: {
    old: [
      '之前的验证码 {old} 已失效。',
      '旧验证码 {old} 已过期。',
      '验证码 {old} 已被使用。',
      '原验证码：{old}',
    ],
    new: ['您的新验证码是 {new}。', '验证码：{new}', '新验证码：{new}'],
  },
  ko: {
    old: ['이전 코드 {old}는 만료되었습니다.', '기존 인증번호 {old}는 더 이상 사용할 수 없습니다.'],
    new: ['새 인증번호는 {new}입니다.', '인증번호: {new}'],
  },
  tr: {
    old: [
      'Önceki kodunuz {old} artık geçerli değil.',
      'Eski kod {old} süresi doldu.',
      'Kod {old} zaten kullanıldı.',
    ],
    new: ['Yeni kodunuz: {new}', 'Doğrulama kodunuz: {new}'],
  },
  ar: {
    old: ['الرمز السابق {old} لم يعد صالحا.', 'انتهت صلاحية الرمز {old}.'],
    new: ['رمزك الجديد هو {new}.', 'رمز التحقق: {new}'],
  },
  sv: {
    old: ['Din tidigare kod {old} har gått ut.', 'Den gamla koden {old} är inte längre giltig.'],
    new: ['Din nya kod är {new}.', 'Din verifieringskod: {new}'],
  },
  da: {
    old: ['Din tidligere kode {old} er udløbet.', 'Den gamle kode {old} er ikke længere gyldig.'],
    new: ['Din nye kode er {new}.', 'Din bekræftelseskode: {new}'],
  },
  fi: {
    old: ['Aiempi koodi {old} on vanhentunut.', 'Vanha koodi {old} ei ole enää voimassa.'],
    new: ['Uusi koodisi on {new}.', 'Vahvistuskoodisi: {new}'],
  },
  cs: {
    old: ['Předchozí kód {old} vypršel.', 'Starý kód {old} již není platný.'],
    new: ['Váš nový kód je {new}.', 'Váš ověřovací kód: {new}'],
  },
  hu: {
    old: ['A korábbi kód ({old}) lejárt.', 'A régi kód {old} már nem érvényes.'],
    new: ['Az új kódja: {new}', 'Ellenőrző kód: {new}'],
  },
  ro: {
    old: ['Codul anterior {old} a expirat.', 'Codul vechi {old} nu mai este valabil.'],
    new: ['Noul dvs. cod este {new}.', 'Codul de verificare: {new}'],
  },
  el: {
    old: ['Ο προηγούμενος κωδικός {old} έχει λήξει.', 'Ο παλιός κωδικός {old} δεν ισχύει πλέον.'],
    new: ['Ο νέος σας κωδικός είναι {new}.', 'Κωδικός επαλήθευσης: {new}'],
  },
  he: {
    old: ['הקוד הקודם {old} פג תוקף.', 'הקוד הישן {old} אינו תקף יותר.'],
    new: ['הקוד החדש שלך הוא {new}.', 'קוד האימות: {new}'],
  },
  vi: {
    old: ['Mã trước đó {old} đã hết hạn.', 'Mã cũ {old} không còn hiệu lực.'],
    new: ['Mã mới của bạn là {new}.', 'Mã xác minh: {new}'],
  },
  id: {
    old: ['Kode sebelumnya {old} sudah kedaluwarsa.', 'Kode lama {old} tidak berlaku lagi.'],
    new: ['Kode baru Anda adalah {new}.', 'Kode verifikasi: {new}'],
  },
  th: {
    old: ['รหัสก่อนหน้า {old} หมดอายุแล้ว', 'รหัสเดิม {old} ใช้ไม่ได้อีกต่อไป'],
    new: ['รหัสใหม่ของคุณคือ {new}', 'รหัสยืนยัน: {new}'],
  },
  hi: {
    old: ['आपका पिछला कोड {old} समाप्त हो गया है।', 'पुराना कोड {old} अब मान्य नहीं है।'],
    new: ['आपका नया कोड {new} है।', 'सत्यापन कोड: {new}'],
  },
}

const LANGUAGES = Object.keys(CLAUSES)
const BREAKS = [' ', '\n', '\n\n']
const SUBJECTS = ['', 'Kestrel', 'Your code']
const DIGITS = '123456789'
const LETTERS = 'ABCDEFGHJKMNPQRTUVWXYZ'

/** Values of one form: six or eight digits, or capitals with digits at both ends. */
function valuesOf(random: Random): [old: string, fresh: string] {
  const digit = () => random.pick([...DIGITS])
  // Eight digits that begin with 1 or 2 may be a day.
  const digits = (size: number) => `3${Array.from({ length: size - 1 }, digit).join('')}`
  const mixed = () => digit() + Array.from({ length: 5 }, () => random.pick([...LETTERS])).join('') + digit()
  const make = random.pick([() => digits(6), () => digits(8), mixed])
  return [make(), make()]
}

const END = /[.。।:]$|\n$/

const seed = process.env.MAYFLY_SEED ?? String(Date.now())

test(`an old code is none beside a new one (MAYFLY_SEED=${seed})`, () => {
  const random = new Random(seed)
  const wrong: Array<[text: string, given: string[]]> = []
  let right = 0
  for (let n = 0; n < MAILS; n++) {
    const [old, fresh] = valuesOf(random)
    if (old === fresh) continue
    const language = CLAUSES[random.pick(LANGUAGES)]!
    const clauses = [
      random.pick(language.old).replace('{old}', old),
      random.pick(language.new).replace('{new}', fresh),
    ]
    const [first, second] = random.pick([clauses, clauses.toReversed()]) as [string, string]
    // Without a mark at its end, the second sentence may belong to the first one.
    const text = `${first}${END.test(first) ? random.pick(BREAKS) : '\n'}${second}\n\nKestrel`
    const given = codesBelow(random.pick(SUBJECTS), text)
    if (given.includes(old)) wrong.push([text, given])
    else if (given[0] === fresh) right++
  }
  expect(wrong).toEqual([])
  expect(right).toBeGreaterThan(MAILS * 0.98)
})
