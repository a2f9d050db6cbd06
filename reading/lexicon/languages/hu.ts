import type { Language } from '../language.ts'

export const hungarian: Language = {
  code: '*kód, *kódja, *kódod, *kódot, *kódját, *kódodat, *kódjait, *kódok',
  password: '*jelszó, *jelszava, *jelszavad',
  key: '*kulcs, *kulcsa',
  verificationCode: `
    egyszer használatos jelszó*, egyszer használatos jelszava, egyszer használatos kód*,
    *egyszeri jelszó, ideiglenes jelszó, ideiglenes jelszava, titkos szó, jelmondat
  `,
  verify: 'ellenőr*, hitelesít*, aktivál*, azonosít*, kétlépcsős, igazol*',
  confirm: 'megerősít*',
  signIn: 'belép*, bejelentkez*',
  reset: 'visszaállít*, új jelszó, elfelejtett',
  secret: 'biztonság*, egyszer*, jegyű, *jegyű, ideiglenes, regisztr*',
  access: 'hozzáférés*',
  purpose: 'erősítse meg, erősítsd meg',
  otherwise: `
    kupon*, kedvezmény*, hiba*, forrás*, vonal*, ország*, promóciós, foglalási, irányító*, qr,
    ajándék*
  `,
  yours: 'az ön, ön, az, ez, a te, következő, a, íme',
  is: 'következő, az, a következő, ez',
  enter: 'írja be, adja meg, használja, add meg, írd be, használd, gépelje be',
  enterAfter: 'kódot, kóddal',
  names: 'rendelés*, számla*, ügyfél*, tel, telefon, szám, száma, irányítószám',
  time: 'perc, percig, percen, percen belül, perces, óra, óráig, órán, nap, napig, másodperc*',
  unit: 'ft, forint, pont, hét, hónap, év',
  warns: `
    érvényes, lejár, ne ossza meg, ne oszd meg, senkivel, nem ön, hagyja figyelmen kívül,
    figyelmen kívül
  `,
  offer: 'kedvezmény*',
  links: {
    confirm:
      'megerősít(?!ett|ve)|erősítse|erősítsd|igazol|ellenőriz|aktivál(?!va|tuk)|hitelesít|regisztráció befejez',
    sign_in: 'bejelentkez|jelentkezz(?:en)? be|belép(?:és|ek|j|jen)',
    reset:
      'visszaállít|alaphelyzet|jelszó-?(?:vissza|emlékez|csere)|(?:új|elfelejtett|módosít\\S+|állítsa?) .{0,10}jelsz',
    invite: 'meghív',
    join: 'elfogad|csatlakoz',
    deny: '\\bha .{0,50}\\bnem\\b',
    report: 'jelsz\\S+\\b.{0,30}(?:megváltoz|módosult|módosítot)|új (?:bejelentkezés|eszköz)',
    unsubscribe: 'leiratkoz',
    legal: 'megtekint\\S* .{0,10}böngésző|böngészőben',
  },
}
