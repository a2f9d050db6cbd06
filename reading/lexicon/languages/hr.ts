import type { Language } from '../language.ts'

export const croatian: Language = {
  code: 'kod, koda, kôd, kodom, kodovi, šifra, šifru',
  password: 'lozinka, lozinku, zaporka, zaporku',
  key: 'ključ',
  verificationCode: `
    jednokratna lozinka, jednokratnu lozinku, privremena lozinka, jednokratna zaporka, kontrolni broj
  `,
  verify: 'verifik*, provjer*, autentif*, autentik*, aktivac*, aktivir*, ovjer*',
  confirm: 'potvrd*',
  signIn: 'prijav*',
  reset: 'ponovno postav*, poništ*, nova lozinka, oporav*',
  secret: 'sigurnos*, jednokrat*, *znamenkasti, identifik*, privremen*, registrac*',
  access: 'pristup*',
  purpose: 'potvrdite',
  otherwise: `
    popust*, poštansk*, greške, izvorni, crtični, države, poklon, promotivni, promo, bar, qr,
    za popust
  `,
  yours: 'vaš, tvoj, ovaj, sljedeći',
  is: 'je, glasi, sljedeći',
  enter: 'unesite, unesi, upišite, upiši, upotrijebite, koristite',
  names: 'narudžb*, račun*, kupca, tel, telefon, broj, br, pošiljk*',
  time: 'minut*, min, sat, sata, sati, dana, sekund*',
  unit: 'eura, kuna, tjedna, mjeseci',
  warns: 'vrijedi, istječe, ne dijelite, nikome, ni s kim, zanemarite',
  offer: 'popust*',
  links: {
    confirm:
      'potvrdi|potvrđivanje|potvrdu (?:e-?mail|adres)|verificir|verifikaci|aktivir|aktivacij|dovrši\\w* registr',
    sign_in: 'prijav(?:i|a|ite|u|ni)\\b|prijavit|uloguj|ulogir',
    reset:
      'resetir|resetuj|ponovno postav|poništ|(?:nov[aou]|promijeni\\w*|promeni\\w*|zaboravljen\\w*|postavi\\w*) .{0,10}lozink',
    invite: 'poziv(?:nic|a vas|\\b)|pozvan|pozvao',
    join: 'prihvati|pridruži',
    deny: '\\b(?:ako|ukoliko) .{0,50}\\b(?:nis\\w+|ne)\\b',
    unsubscribe: 'odjavi',
  },
}
