import type { Language } from '../language.ts'

/** Scottish. */
export const scottishGaelic: Language = {
  code: 'còd, chòd',
  password: 'facal-faire, fhacal-faire',
  verificationCode: 'facal-faire aon-turais',
  verify: 'dearbh*, dhearbh*, gnìomh*',
  signIn: 'clàradh a-steach, clàraich a-steach, log a-steach',
  secret: 'tèarainte*, thèarainte*',
  yours: 'agad, agaibh, an, seo',
  is: 'is e, seo',
  enter: 'cuir a-steach, cleachd',
  time: 'mionaid*, uair*, latha',
  warns: 'falbhaidh, na roinn',
}
