import type { Language } from './language.ts'

export const danish: Language = {
  code: '*kode, *koden, *koder, *koderne',
  password: '*adgangskode, *adgangskoden, *kodeord',
  key: '*nøgle',
  verificationCode: `
    *engangsadgangskode, *engangskodeord, *engangspinkode, *engangskode, *engangskoden,
    midlertidig adgangskode
  `,
  verify: 'verifi*, aktiver*, godkend*, totrins*',
  confirm: 'bekræft*',
  signIn: 'log ind, logge ind, logger ind, login*',
  reset: 'nulstil*, ny adgangskode, glemt',
  secret: 'sikkerhed*, engang*, *cifret, *cifrede, identi*, sms, midlertidig*, pin',
  access: 'adgang*',
  purpose: 'bekræft din, bekræft dit, bekræft at',
  otherwise: `
    rabat, post, fejl, kilde, streg, kampagne, booking, bestillings, land, lande, gave, kunde, qr,
    stregkode, rabat*, post*
  `,
  yours: 'din, dit, denne, her er, følgende, den',
  is: 'er, som, følgende, lyder',
  enter: 'indtast, brug, skriv, angiv, tast',
  names: `
    ordre, ordrenummer, faktura, kunde, konto, reference, tlf, telefon, nummer, *nummer, nr, kort, cvr
  `,
  time: 'minut, minutter, min, time, timer, dag, dage, sekunder',
  unit: 'uger, måneder, kr, kroner, point, personer, gange, =år',
  warns: 'gyldig, udløber, del ikke, del aldrig, ignorer, ikke har anmodet, ikke har bedt, ikke anmodet',
  offer: 'rabat*',
  confirmLink: 'bekræft*, aktiver*, verific*',
  signInLink: 'log ind',
  invite: 'accepter',
  unsubscribe: 'afmeld*, frameld*',
}
