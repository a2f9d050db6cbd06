import type { Language } from './language.ts'

export const hungarian: Language = {
  code: '*kód, *kódja, *kódod, *kódot, *kódját, *kódodat, *kódjait, *kódok',
  password: '*jelszó, *jelszava, *jelszavad',
  key: '*kulcs, *kulcsa',
  verificationCode: `
    egyszer használatos jelszó*, egyszer használatos jelszava, egyszer használatos kód*,
    *egyszeri jelszó, ideiglenes jelszó, ideiglenes jelszava
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
  confirmLink: 'megerősít*, erősítse meg, erősítsd meg, aktivál*, hitelesít*',
  signInLink: 'bejelentkez*, belép*',
  unsubscribe: 'leiratkoz*',
}
