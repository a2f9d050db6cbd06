import type { Language } from '../language.ts'

export const maltese: Language = {
  code: 'kodiċi, kodiċijiet, il-kodiċi',
  password: 'password',
  verificationCode: "password ta' darba, password temporanja",
  verify: 'verifika*, ivverifika*, awtentik*, attiva*',
  confirm: 'konferma*, ikkonferma*',
  signIn: 'illoggja*, idħol, tidħol, dħul',
  secret: "sigurt*, ta' darba, temporanj*, reġistr*",
  access: 'aċċess*',
  otherwise: "postali, skont, ta' skont",
  yours: 'tiegħek, dan, tagħkom',
  is: 'huwa, hu, hija',
  enter: 'daħħal, uża, ikteb',
  names: 'ordni, fattura, numru, telefon',
  time: 'minut*, siegħa, sigħat, ġranet',
  warns: 'jiskadi, taqsmux, taqsamx, validu, injora',
}
