import type { Language } from '../language.ts'

export const bosnian: Language = {
  code: 'kod, koda, šifra, šifru',
  password: 'lozinka, lozinku, šifra',
  verificationCode: 'jednokratna lozinka, privremena lozinka, jednokratna šifra',
  verify: 'verifik*, provjer*, aktivac*, aktivir*',
  confirm: 'potvrd*',
  signIn: 'prijav*',
  secret: 'sigurnos*, jednokrat*, privremen*, registrac*',
  otherwise: 'popust*, poštansk*, greške, promo, poklon',
  yours: 'vaš, tvoj, ovaj',
  is: 'je, glasi',
  enter: 'unesite, unesi, upišite, koristite',
  names: 'narudžb*, račun*, broj, tel',
  time: 'minut*, sat, sata, sati, dana',
  warns: 'važi, vrijedi, ne dijelite, nikome, ni s kim',
}
