import type { Language } from '../language.ts'

/** Asturian and Aragonese. */
export const asturian: Language = {
  code: 'códigu, còdigo, codigo',
  password: 'contraseña, clave',
  verify: 'verific*',
  confirm: 'confirm*',
  signIn: 'aniciar sesión, aniciu de sesión',
  secret: 'seguranza, seguridá',
  yours: 'el to, to, esti, el vuesu',
  is: "ye, ye'l, ye el",
  enter: 'escribi, introduz, usa',
  time: 'minutos, hores, díes',
  warns: 'caduca, nun lu compartas',
}
