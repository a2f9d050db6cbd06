import type { Language } from './language.ts'

export const czech: Language = {
  code: 'kód, kódu, kódem, kódy, kod',
  password: 'heslo, hesla',
  key: 'klíč, klíče',
  verificationCode: 'jednorázové heslo, jednorázového hesla, dočasné heslo, ověřovací číslo',
  verify: `
    ověření, ověřovac*, ověřte, ověřit, ověří, autoriza*, autentiz*, aktivač*, aktivuj*, dvoufázov*,
    dvoufaktor*
  `,
  confirm: 'potvrz*, potvrd*',
  signIn: 'přihlá*, přihlaš*',
  reset: 'obnov*, nové heslo, zapomenut*, resetov*',
  secret: 'bezpečn*, jednoráz*, *místný, místný, identifik*, sms, dočasn*, číseln*, registra*',
  access: 'přístup*',
  purpose: 'potvrďte',
  otherwise: 'slevov*, poštovn*, promo, chybov*, zdrojov*, čárov*, qr, rezerva*, dárkov*',
  yours: 'váš, vas, tento, tvůj, následující, zde je',
  is: 'je, jako, zní, následující',
  enter: 'zadejte, zadej, použijte, použij, opište, vložte, vyplňte',
  names: `
    objednávk*, faktur*, zákazní*, účet, účtu, tel, telefon, číslo, ičo, dič, psč, zásilk*, karta,
    karty
  `,
  time: 'minut, minuty, minutu, min, hodin, hodiny, hodinu, dní, dnů, sekund',
  unit: 'kč, bodů, osob, týdnů, měsíců',
  warns: 'platný, platí, platnost, vyprší, nesdílejte, nikomu, nesdělujte, ignorujte, pokud jste',
  offer: 'sleva, slevu, slevy',
  confirmLink: 'ověřit, ověřte, potvrd*, aktivovat',
  signInLink: 'přihlás*',
  invite: 'přijmout',
  unsubscribe: 'odhlás*',
}
