import type { Language } from '../language.ts'

export const hausa: Language = {
  code: 'kod',
  password: 'kalmar sirri, kalmar wucewa',
  key: 'lamba, lambar, lambobi, lambarka, lambarku',
  verificationCode: 'lambar tabbatarwa*, lambar tantancewa*, kalmar sirri ta lokaci daya',
  verify: 'tabbatar*, tantance*',
  signIn: 'shiga, rajista',
  secret: 'tsaro, sirri',
  yours: 'ka, ki, ku, naka, taka, wannan, ita',
  is: 'ita ce, ce, ne, shi ne',
  enter: 'shigar da, yi amfani da, rubuta',
  names: 'oda, waya',
  time: "minti*, awa*, rana, sa'a*",
  warns: 'kada ka, kar ka, kada ku, da kowa',
}
