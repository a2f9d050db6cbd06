import type { Language } from '../language.ts'

/** Haitian Creole. */
export const haitian: Language = {
  code: 'kòd',
  password: 'modpas',
  verificationCode: 'modpas pou yon sèl fwa',
  verify: 'verifikasyon, verifye, aktivasyon, otantifikasyon, validasyon',
  confirm: 'konfim*, konfimasyon',
  signIn: 'konekte, koneksyon',
  secret: 'sekirite, inik, enskri*',
  otherwise: 'postal, rabè, pwomo',
  yours: 'ou, w, sa a, men',
  is: 'se',
  enter: 'antre, tape, itilize, mete',
  names: 'kòmand, telefòn, nimewo',
  time: 'minit, èdtan, jou',
  warns: 'pa pataje, pèsonn, ekspire',
}
