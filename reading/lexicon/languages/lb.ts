import type { Language } from '../language.ts'

export const luxembourgish: Language = {
  code: '*code, *codes',
  password: '*passwuert',
  verificationCode: 'eemolegt passwuert',
  verify: 'verifiz*, aktivéier*',
  confirm: 'bestäteg*, confirm*',
  signIn: 'umell*, aloggen, login',
  secret: 'sécherheet*, eemoleg*',
  otherwise: 'promo*, post*, rabatt*',
  yours: 'ären, äre, däin, dësen, deen',
  is: 'ass',
  enter: 'gitt, gëff, benotzt, tippt',
  names: 'bestellung*, rechnung*, nummer, telefon',
  time: 'minutten, stonn*, deeg',
  warns: 'deelt, gëlteg, leeft of',
}
