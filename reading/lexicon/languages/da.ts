import type { Language } from '../language.ts'

export const danish: Language = {
  code: '*kode, *koden, *koder, *koderne',
  password: '*adgangskode, *adgangskoden, *kodeord',
  key: '*nøgle',
  verificationCode: `
    *engangsadgangskode, *engangskodeord, *engangspinkode, *engangskode, *engangskoden,
    midlertidig adgangskode, hemmeligt ord, adgangssætning
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
  links: {
    confirm:
      'bekræft(?!et)|verific(?!eret)|aktiver(?!et)|godkend din|fuldfør (?:din )?(?:registrering|tilmelding)',
    sign_in: 'log ind|logge ind|login',
    reset: 'nulstil|gendan|(?:ny|nyt|skift|vælg|opret|glemt) .{0,10}(?:adgangskode|kodeord)',
    invite: 'invitation|inviteret|inviterer dig',
    join: 'accepter|deltag|tilslut|bliv medlem',
    deny: '(?:hvis|såfremt) .{0,50}\\bikke\\b|ikke var dig',
    report:
      '(?:adgangskode|kodeord)\\w*\\b.{0,30}(?:er blevet|er) (?:ændret|opdateret)|ny(?:t)? (?:login|enhed|log)',
    unsubscribe: 'frameld|afmeld|afslut abonnement',
    legal: '(?:vis|åbn|læs) .{0,20}browser',
  },
}
