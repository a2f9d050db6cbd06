import type { Language } from '../language.ts'

export const esperanto: Language = {
  code: 'kodo, kodon, konfirmkodo, *kodo',
  password: 'pasvorto, pasvorton',
  verificationCode: 'unufoja pasvorto',
  verify: 'aktivig*, aŭtentik*, validig*, kontrolkod*',
  confirm: 'konfirm*',
  signIn: 'ensalut*',
  reset: 'restarig*',
  secret: 'sekurec*, unufoj*, cifer*',
  access: 'alir*',
  otherwise: 'poŝt*, rabat*, erar*',
  yours: 'via, vian, cia, jena, la',
  is: 'estas',
  enter: 'enigu, tajpu, uzu',
  names: 'mendo, fakturo, telefono, numero',
  time: 'minut*, horo*, tago*',
  warns: 'validas, ne kunhavigu, neniu, neniun',
}
