import type { Language } from '../language.ts'

export const lithuanian: Language = {
  code: 'kodas, kodą, kodo, kodu, kodai',
  password: 'slaptažodis, slaptažodį, slaptažodžio',
  key: 'raktas, raktą',
  verificationCode: 'vienkartinis slaptažodis, laikinas slaptažodis',
  verify: 'patvirtin*, autentif*, aktyvin*, aktyvav*, patikr*, tapatyb*',
  confirm: 'tvirtinimo',
  signIn: 'prisijung*',
  reset: 'atstat*, atkūr*, naujas slaptažodis',
  secret: 'saugos, saugumo, vienkart*, skaitmen*, *ženklis, laikin*, identif*, registrac*, registruo*',
  access: 'prieig*',
  otherwise: 'nuolaid*, pašto, klaidos, šaltinio, brūkšnin*, šalies, dovan*, kupono, qr, akcijos',
  yours: 'jūsų, tavo, šis, šį, toks',
  is: 'yra, toks',
  enter: 'įveskite, įvesk, naudokite, panaudokite, surinkite',
  names: 'užsakym*, sąskait*, kliento, tel, telefonas, numeris, nr, siunt*',
  time: 'minut*, min, valand*, dien*, sekund*',
  unit: 'eurų, savait*, mėnes*',
  warns: 'galioja, nesidalykite, nesidalinkite, niekam, ignoruokite, nustoja galioti',
  offer: 'nuolaid*',
  links: {
    confirm: 'patvirtin(?!tas|ta\\b)|patvirtink|aktyvuo|patikrin',
    sign_in: 'prisijung',
    reset:
      'atkurti|atkurk|atstaty|nustatyti iš naujo|(?:nauj\\S+|keist\\S+|pakeis\\S+|pamirš\\S+) .{0,12}slaptažod',
    invite: 'kvieti|pakvie|kviečia',
    join: 'priimti|priimk|prisijungti prie',
    deny: '\\bjei(?:gu)? .{0,50}\\b(?:ne\\w+)',
    unsubscribe: 'atsisaky',
  },
}
