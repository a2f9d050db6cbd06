import type { Language } from '../language.ts'

/** Bokmål and Nynorsk. */
export const norwegian: Language = {
  code: '*kode, *koden, *koder, *kodene',
  password: '*passord, *passordet',
  key: '*nøkkel, *nøkkelen',
  verificationCode: `
    *engangspassord, *engangspassordet, *engangskode, *engangskoden, midlertidig passord,
    mellombels passord, hemmelig ord, passordfrase
  `,
  verify: 'verifi*, aktiver*, godkjen*, stadfest*, totrinn*',
  confirm: 'bekreft*',
  signIn: 'logg inn, logge inn, logger inn, innlogging*, pålogging*',
  reset: 'tilbakestill*, nullstill*, nytt passord, glemt, gløymt',
  secret: `
    sikkerhet*, tryggleik*, engang*, eingong*, *sifret, *sifrede, *sifra, sifre, identi*, sms,
    midlertidig*, registrer*
  `,
  access: 'tilgang*, adgang*',
  purpose: 'bekreft e-post*, bekreft at, bekreft din',
  otherwise: `
    rabatt, post, feil, kilde, strek, kampanje, booking, bestillings, land, lands, gave, kunde, qr,
    rabatt*, post*
  `,
  yours: 'din, ditt, denne, her er, følgende, den, di',
  is: 'er, som, følgende, lyder',
  enter: 'skriv inn, bruk, skriv, angi, tast, tast inn, oppgi',
  names: `
    ordre, ordrenummer, faktura, kunde, konto, referanse, tlf, telefon, nummer, *nummer, nr, kort, org
  `,
  time: 'minutt, minutter, min, time, timer, timar, dag, dager, dagar, sekunder',
  unit: 'uker, måneder, kr, kroner, poeng, personer, ganger, =år',
  warns: 'gyldig, utløper, ikke del, del ikke, del aldri, ignorer, ikke har bedt, ikke ba',
  offer: 'rabatt*',
  links: {
    confirm: 'bekreft(?!et)|verifiser(?!t)|aktiver(?!t)|fullfør (?:din )?registrering',
    sign_in: 'logg inn|logge inn|innlogging|pålogging|logg på',
    reset: 'tilbakestill|nullstill|gjenopprett|(?:nytt|endre|bytt|velg|lag|glemt) .{0,10}passord',
    invite: 'invitasjon|invitert|inviterer deg',
    join: 'godta|aksepter|bli med',
    deny: '(?:hvis|dersom|om) .{0,50}\\b(?:ikke|ikkje)\\b',
    report:
      'passord\\w*\\b.{0,30}(?:er|ble|har blitt) (?:endret|oppdatert)|ny (?:pålogging|innlogging|enhet)',
    unsubscribe: 'meld deg av|avmeld',
    legal: '(?:vis|åpne|les) .{0,20}nettleser',
  },
}
