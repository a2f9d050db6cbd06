import type { Language } from '../language.ts'

export const yiddish: Language = {
  code: 'קאָד, קאוד, *קאָד',
  password: 'פּאַראָל, פאסווארט',
  verify: 'באַשטעטיק*, באשטעטיג*, וועריפֿיצ*, וועריפיצ*',
  signIn: 'אַריינלאָגיר*, איינלאגירן',
  secret: 'זיכערהייט*',
  yours: 'אייער, דיין, דער',
  is: 'איז',
  enter: 'שרייבט, גיט אַריין, ניצט',
  time: 'מינוט*, שעה*, טעג',
  warns: 'גילטיק',
}
