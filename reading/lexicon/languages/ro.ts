import type { Language } from '../language.ts'

export const romanian: Language = {
  code: 'cod, codul, coduri, codului, codurile',
  password: 'parola, parolă',
  key: 'cheie, cheia',
  verificationCode: `
    parola de unică folosință, parolă de unică folosință, parola unică, parolă unică, parola temporară,
    parolă temporară, cuvânt secret
  `,
  verify: 'verific*, autentific*, validare, validați, activare, activați, activează, activarea',
  confirm: 'confirm*',
  signIn: 'conectare, conectează, conecta, logare, autentifica',
  reset: 'reset*, parolă nouă, parola nouă, recuper*',
  secret: 'securit*, siguranță, unică folosință, cifre, identific*, temporar*, înregistr*',
  access: 'acces, accesa',
  purpose: 'confirmă adresa, confirmați adresa, confirmă contul',
  otherwise: `
    poștal, postal, promo, promoțional, reducere, bare, qr, sursă, eroare, rezervare, fiscal, client,
    awb
  `,
  yours: 'tău, dvs, dumneavoastră, acest, următorul, este',
  is: 'este, ca, e, următorul',
  enter: 'introdu, introduceți, folosește, folosiți, introduce, tastează, utilizați, scrie',
  names: `
    comanda, comandă, comenzii, factura, factură, client, cont, tel, telefon, număr, numărul, nr, card,
    cui, zbor
  `,
  time: 'minut, minute, min, oră, ore, zi, zile, secunde',
  unit: 'săptămâni, luni, ani, lei, ron, puncte, persoane',
  warns: `
    valabil, expiră, nu împărtăși, nu distribui, nu comunica, nu dezvălui, nu ai solicitat,
    nu ați solicitat, ignoră, ignorați, nimănui
  `,
  offer: 'reducere, reduceri',
  booking: 'zbor*, rezervare',
  links: {
    confirm: 'confirm(?!at)|verific(?!at)|activea|activați|activare|validea|finaliz\\S+ înregistr',
    sign_in: 'conect(?:are|ează|ați)|autentific|intră în cont|loghe',
    reset: 'reset|recuper|(?:nouă|schimb\\S+|set\\S+|alege\\S*|uitat) .{0,10}parol|parol\\S+ (?:nouă|uitată)',
    invite: 'invitați|invitat|te invită|vă invită',
    join: 'accept|alătur',
    deny: '\\bdacă .{0,50}\\bnu\\b',
    report: 'parol\\S+\\b.{0,30}(?:a fost|schimbat)|(?:autentificare|conectare|dispozitiv) nou',
    unsubscribe: 'dezabon',
  },
}
