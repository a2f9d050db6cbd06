import type { Language } from './language.ts'

export const dutch: Language = {
  code: '*code, *codes',
  password: '*wachtwoord',
  key: '*sleutel',
  verificationCode: `
    *pincode, eenmalig wachtwoord, eenmalige wachtwoord, eenmalige pincode,
    wachtwoord voor eenmalig gebruik, tijdelijk wachtwoord, inlogwoord
  `,
  verify: 'verifi*, tweestaps*, valideer*, activeer*, activatie*, activeren, authenticat*, authenticeer*',
  confirm: 'bevestig*',
  signIn: 'inlog*, aanmeld*, log in',
  reset: 'herstel*, nieuw wachtwoord, wachtwoord vergeten, opnieuw instellen',
  secret: `
    beveilig*, veilig*, eenmalig*, *cijferig*, identi*, controle*, sms, tijdelijk*, geheim*, cijfers,
    registratie*
  `,
  access: 'toegang*',
  purpose: 'bevestig je, bevestig uw, bevestig dat',
  otherwise: `
    korting*, actie, post, land*, fout, bron, streep, boeking*, klant*, cadeau*, reservering*, afhaal,
    winkel, qr, vrienden, uitnodigings
  `,
  yours: 'je, jouw, uw, deze, de, volgende, dit, nieuwe',
  is: 'is, als, luidt, volgende, zijn',
  enter: 'gebruik, vul, voer, typ, toets, vul in, geef',
  names: `
    bestelling, ordernummer, factuur, klant, klantnummer, rekening, referentie, tel, telefoon, bel,
    nummer, *nummer, pas, eindigend op, sinds, vlucht, stoel, kamer, boeking, kvk, btw, postbus
  `,
  time: 'minuten, minuut, min, uur, uren, dag, dagen, seconden',
  unit: 'weken, maanden, jaar, punten, personen, keer, euro',
  warns: 'geldig, verloopt, deel deze, deel dit, deel hem, niet aangevraagd, negeer, niemand, negeren',
  offer: 'korting*, cadeaubon',
  booking: 'vlucht*, boeking*, verblijf',
  meeting: 'vergadering*',
  confirmLink: 'bevestig*, activeer*, verifi*',
  signInLink: 'inloggen',
  invite: 'accepteer*',
  unsubscribe: 'afmeld*, uitschrijv*',
  legal: 'voorwaarden, privacyverklaring',
}
