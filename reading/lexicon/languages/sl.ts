import type { Language } from '../language.ts'

export const slovenian: Language = {
  code: 'koda, kodo, kode, kodi, šifra, šifro',
  password: 'geslo, gesla',
  key: 'ključ',
  verificationCode: 'enkratno geslo, enkratna gesla, začasno geslo',
  verify: 'potrdit*, preveri*, overit*, avtentik*, aktivacij*, aktivir*, preverit*',
  confirm: 'potrd*, potrjevanj*',
  signIn: 'prijav*, vpis*',
  reset: 'ponastav*, obnov*, novo geslo',
  secret: 'varnost*, enkratn*, *mestna, *mestno, identifik*, začasn*, registrac*',
  access: 'dostop*',
  purpose: 'potrdite',
  otherwise: `
    popust*, poštn*, napak*, izvorn*, črtn*, države, darilna, darilno, promocijska, qr, za popust
  `,
  yours: 'vaša, vašo, tvoja, tvojo, ta, to, naslednja',
  is: 'je, se glasi, naslednja',
  enter: 'vnesite, vnesi, vpišite, vpiši, uporabite, uporabi',
  names: 'naročil*, račun*, strank*, tel, telefon, številka, št, pošiljk*',
  time: 'minut*, min, ur, uri, ura, dni, sekund*',
  unit: 'evrov, tednov, mesecev',
  warns: 'velja, veljavna, poteče, ne delite, nikomur, prezrite',
  offer: 'popust*',
  links: {
    confirm: 'potrdi|potrditev (?:e-?|naslova|računa)|preveri|aktivir|aktivacij|dokonč\\w+ registr',
    sign_in: 'prijav(?:i|a|ite|o|na)\\b|prijavit',
    reset: 'ponastav|(?:novo|spremeni\\w*|ustvari\\w*|pozablj\\w+) .{0,10}geslo',
    invite: 'povabil|vabilo|vabi vas|povabljen',
    join: 'sprejmi|sprejmete|pridruži',
    deny: '\\bče .{0,50}\\b(?:ni|niste|nisi)\\b',
    unsubscribe: 'odjavi',
  },
}
