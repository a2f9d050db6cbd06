import type { Language } from '../language.ts'

/** Latin and Cyrillic. */
export const uzbek: Language = {
  code: 'kod, kodi, kodni, kodingiz*, kodini, код, коди, кодни, кодингиз*, кодини',
  password: "parol, parolingiz*, parolni, парол, паролингиз*, maxfiy so'z",
  key: 'kalit',
  verificationCode: `
    bir martalik parol*, bir martalik kod*, vaqtinchalik parol*, бир марталик парол*,
    вақтинчалик парол*
  `,
  verify: 'tasdiq*, тасдиқ*, tekshir*, текшир*, faollasht*, фаоллашт*, autentif*, avtoriz*',
  signIn: "kirish*, кириш*, ro'yxatdan, рўйхатдан, tizimga kir*, тизимга кир*",
  reset: 'tikla*, тикла*, yangi parol',
  secret: 'xavfsizlik, хавфсизлик, bir martalik, бир марталик, xonali, хонали, maxfiy, махфий',
  otherwise: 'chegirma, чегирма, pochta, почта, xato, хато, promo, промо',
  yours: 'sizning, сизнинг, bu, бу, quyidagi, қуйидаги, ushbu',
  is: 'bu, quyidagi, қуйидаги',
  enter: 'kiriting, киритинг, foydalaning, фойдаланинг',
  enterAfter: 'kiriting, киритинг, kodini, кодини, kodidan, raqamini',
  names: 'buyurtma*, буюртма*, hisob*, ҳисоб*, telefon*, телефон*, raqam*, рақам*',
  time: 'daqiqa*, дақиқа*, minut*, soat*, соат*, кун*, soniya*, kun, kuni',
  unit: "so'm, сўм",
  warns: 'hech kimga, ҳеч кимга, aytmang, айтманг, bermang, берманг, amal qiladi, амал қилади, ulashmang',
  offer: 'chegirma*, чегирма*',
  links: {
    confirm: 'tasdiqla|faollashtir',
    sign_in: 'kirish|kiring',
    reset:
      "tikla(?:sh|ng)|qayta o'rnat|(?:yangi|o'zgartir\\S*) .{0,10}parol|parol\\S* (?:tikla|o'zgartir|yangila)",
    invite: 'taklif',
    join: "qabul qil|qo'shil",
  },
}
