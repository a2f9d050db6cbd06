import type { Language } from '../language.ts'

export const dutch: Language = {
  code: '*code, *codes',
  password: '*wachtwoord',
  key: '*sleutel',
  verificationCode: `
    *pincode, eenmalig wachtwoord, eenmalige wachtwoord, eenmalige pincode,
    wachtwoord voor eenmalig gebruik, tijdelijk wachtwoord, inlogwoord, geheim woord, wachtzin
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
  links: {
    confirm:
      'bevestig(?!d\\b)|bevestiging van (?:je|uw) (?:e-?mail|account|adres)|verifi(?!eerd)|activeer|activeren|activering|valideer|registratie (?:voltooien|afronden)',
    sign_in: 'inlog|log in|aanmelden|meld je aan|log(?:gen)? .{0,6}in\\b',
    reset:
      'herstel|opnieuw in(?:stellen|\\b)|(?:nieuw|wijzig\\w*|kies|stel|vergeten) .{0,14}wachtwoord|wachtwoord (?:vergeten|wijzigen|instellen|resetten|opnieuw)',
    invite: 'uitnodiging|uitgenodigd|nodigt (?:je|u)',
    join: 'accepteer|aanvaard|deelnemen|neem deel|word lid|sluit je aan',
    deny: '(?:als|indien|mocht) .{0,60}(?:niet|geen)|was jij dit niet',
    report:
      '(?:wachtwoord|account|adres)\\b.{0,40}(?:is|werd) (?:gewijzigd|bijgewerkt|veranderd)|nieuwe (?:aanmelding|login|inlog)|nieuw apparaat',
    unsubscribe: 'afmeld|uitschrijv',
    legal: 'voorwaarden|(?:bekijk|lees|open) .{0,25}(?:browser|online)|webversie',
  },
}
