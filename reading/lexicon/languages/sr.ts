import type { Language } from '../language.ts'

/** Cyrillic and Latin. */
export const serbian: Language = {
  code: 'код, кода, кодом, kod, koda, šifra, šifru, шифра, шифру, кôд, кôда, kôd',
  password: 'лозинка, лозинку, lozinka, lozinku',
  key: 'кључ, ključ',
  verificationCode: `
    једнократна лозинка, једнократну лозинку, jednokratna lozinka, jednokratnu lozinku,
    привремена лозинка, privremena lozinka
  `,
  verify: `
    верифик*, провер*, аутентиф*, активац*, активир*, verifik*, prover*, autentif*, aktivac*, aktivir*
  `,
  confirm: 'потврд*, potvrd*',
  signIn: 'пријав*, prijav*',
  reset: 'ресет*, resetov*, нова лозинка, nova lozinka, obnov*',
  secret: `
    безбедн*, једнократ*, сигурнос*, привремен*, bezbedn*, jednokrat*, sigurnos*, privremen*, *цифрени,
    *cifreni, регистрац*, registrac*
  `,
  access: 'приступ*, pristup*',
  purpose: 'потврдите, potvrdite',
  otherwise: `
    попуст*, popust*, поштанск*, poštansk*, грешке, greške, промо, promo, за попуст, za popust, државе,
    države
  `,
  yours: 'ваш, твој, овај, vaš, tvoj, ovaj, следећи, sledeći',
  is: 'је, гласи, је следећи, je, glasi, je sledeći',
  enter: 'унесите, унеси, укуцајте, користите, unesite, unesi, ukucajte, koristite, упишите, upišite',
  names: 'поруџбин*, porudžbin*, рачун*, račun*, број, broj, телефон*, telefon*, пошиљк*, pošiljk*',
  time: 'минут*, сат, сата, сати, дана, секунд*, minut*, sat, sata, sati, dana',
  unit: 'динара, dinara, рсд, rsd',
  warns: 'важи, važi, истиче, ističe, не делите, ne delite, никоме, nikome, занемарите, zanemarite',
  offer: 'попуст*, popust*',
  links: {
    confirm: 'потврди|потврд[уа] (?:е-?|имејл|адрес)|верификуј|верификациј|активирај|активациј',
    sign_in: 'пријави|пријав[ау]|улогуј',
    reset: 'ресетуј|поништи|(?:нов[ау]|промени\\w*|заборављен\\w*) .{0,10}лозинк',
    invite: 'позивниц|позван|позив\\b',
    join: 'прихвати|придружи',
    deny: '(?:ако|уколико) .{0,50}(?:нис|не )',
    unsubscribe: 'odjavi|одјави',
  },
}
