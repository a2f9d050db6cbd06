import type { Language } from '../language.ts'

export const romansh: Language = {
  code: 'code, codes',
  password: 'pled-clav',
  verify: 'verific*, autentific*, activa*',
  confirm: 'conferm*',
  signIn: "s'annunziar, annunzia*, login",
  secret: 'segirezza',
  yours: 'voss, tes, il, quest',
  is: 'è',
  enter: 'endatai, duvrai, scrivai',
  time: 'minutas, uras, dis',
  warns: 'valaivel',
}
