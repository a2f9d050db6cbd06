import type { Language } from '../language.ts'

export const czech: Language = {
  code: 'kód, kódu, kódem, kódy, kod',
  password: 'heslo, hesla',
  key: 'klíč, klíče',
  verificationCode: `
    jednorázové heslo, jednorázového hesla, dočasné heslo, ověřovací číslo, tajné slovo, heslová fráze
  `,
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
  links: {
    confirm:
      'potvrď|potvrdit|potvrzení (?:e-?mail|registr|adres|účt)|ověřit|ověřte|ověření|aktivuj|aktivac|aktivovat|dokonč\\w+ registr',
    sign_in: 'přihlás(?!il)|přihlášení',
    reset: 'obnov|resetov|(?:nové|změn\\w+|nastav\\w+|vytvoř\\w*|zapomen\\w+) .{0,10}hesl',
    invite: 'pozvánk|pozván|vás zve|pozval',
    join: 'přijmout|přijm|připoj|přidat se',
    deny: '(?:pokud|jestli\\w*) .{0,50}\\b(?:ne\\w+)|nebyl\\w* (?:vy|jste to)',
    report: 'heslo\\b.{0,30}(?:bylo|změněno)|nové (?:přihlášení|zařízení)',
    unsubscribe: 'odhlás|zrušit odběr',
    legal: '(?:zobrazit|otevřít) .{0,20}prohlíže',
  },
}
