import type { Language } from '../language.ts'

export const faroese: Language = {
  code: '*kota, *koda, *kodan, *kotan, *koduna, *kotuna',
  password: 'loyniorð, loyniorðið',
  verificationCode: 'eingangsloyniorð',
  verify: 'vátta*, góðkenn*, virkj*',
  signIn: 'rita inn, innritan*',
  secret: 'trygd*, trygg*, eingang*',
  yours: 'tín, tær, tygara, hjá tær',
  is: 'er, hetta',
  enter: 'skriva, nýt, brúka',
  time: 'minutt*, tím*, dag*',
  warns: 'galdandi, ikki deila',
}
