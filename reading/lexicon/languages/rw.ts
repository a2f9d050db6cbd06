import type { Language } from '../language.ts'

/** Kinyarwanda and Kirundi. */
export const kinyarwanda: Language = {
  code: 'kode',
  password: "ijambobanga, ijambo ry'ibanga",
  key: 'umubare',
  verify: 'kwemeza, emeza, kugenzura, iyemeza',
  signIn: 'kwinjira, injira, kwiyandikisha',
  secret: 'umutekano, ibanga',
  yours: 'yawe, yanyu, iyi',
  is: 'ni',
  enter: 'andika, koresha, shyiramo, injiza',
  time: 'iminota, amasaha, umunsi',
  warns: 'ntuyisangize, undi muntu, uwo ari we wese',
}
