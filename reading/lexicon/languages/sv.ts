import type { Language } from '../language.ts'

export const swedish: Language = {
  code: '*kod, *koden, *koder, *koderna',
  password: '*lösenord, *lösenordet',
  key: '*nyckel',
  verificationCode: '*engångslösenord, *engångslösenordet, tillfälligt lösenord, hemligt ord, lösenfras',
  verify: 'verifier*, aktiver*, autentis*, tvåfaktor*, tvåsteg*',
  confirm: 'bekräft*',
  signIn: 'inlogg*, logga in, loggar in',
  reset: 'återställ*, nytt lösenord, glömt',
  secret: `
    säkerhet*, engång*, siffrig*, identi*, sms, tillfällig*, *siffrig, *siffriga, hemlig*, registrer*
  `,
  access: 'åtkomst*, tillträd*',
  purpose: 'bekräfta din, bekräfta ditt, bekräfta att',
  otherwise: `
    rabatt, post, fel, käll, streck, kampanj, boknings, lands, present, kund, värdekod, qr, färg, varu,
    kampanj*, rabatt*, post*
  `,
  yours: 'din, ditt, denna, här är, följande, koden, den',
  is: 'är, som, följande, med, lyder',
  enter: 'ange, använd, skriv, knappa in, mata in',
  names: `
    order, ordernummer, faktura, kund, konto, referens, ring, tel, telefon, nummer, *nummer, nr, kort,
    tåg, vagn, plats, bokning, org
  `,
  time: 'minut, minuter, min, timme, timmar, dag, dagar, sekunder',
  unit: 'veckor, månader, kr, kronor, poäng, personer, gånger, =år',
  warns: 'giltig, går ut, dela inte, dela aldrig, ignorera, bortse, inte begärt, inte har begärt, bad om',
  offer: 'rabatt*',
  booking: 'bokning*, avgång',
  links: {
    confirm: 'bekräfta|verifier(?!ad)|aktivera|aktivering|validera|slutför (?:din )?registrering',
    sign_in: 'logga in|inloggning|inloggnings',
    reset: 'återställ|(?:nytt|ändra|byt|välj|skapa|glömt) .{0,10}lösenord',
    invite: 'inbjudan|inbjuden|bjudit in|bjuder in dig',
    join: 'acceptera|gå med|anslut|tacka ja',
    deny: '\\bom .{0,50}\\binte\\b|inte var du',
    report: 'lösenord\\w*\\b.{0,30}(?:har ändrats|ändrades|har uppdaterats)|ny inloggning|ny enhet',
    unsubscribe: 'avregistrer|avsluta prenumeration|avprenumerera',
    legal: 'integritet|(?:visa|läs|öppna) .{0,20}(?:webbläsare|browser)',
  },
}
