import type { Language } from '../language.ts'

export const shona: Language = {
  code: 'kodhi',
  password: 'pasiwedhi',
  key: 'nhamba',
  verify: 'kusimbisa, simbisa, yekusimbisa, hwekuona',
  signIn: 'kupinda, pinda',
  yours: 'yako, yenyu, iyi',
  is: 'ndi, ndeiyi, ndeye',
  enter: 'shandisa, nyora',
  time: 'maminitsi, maawa, mazuva',
  warns: 'usagovane, chero munhu',
}
