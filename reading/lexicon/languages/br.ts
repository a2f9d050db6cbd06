import type { Language } from '../language.ts'

export const breton: Language = {
  code: "kod, c'hod",
  password: 'ger-tremen',
  verificationCode: 'ger-tremen implij unan',
  verify: 'gwiriañ, gwiria, wiriañ, aotreañ, gweredekaat',
  confirm: 'kadarnaat, kadarnaañ',
  signIn: 'kevreañ, gevreañ, kennaskañ',
  secret: 'surentez',
  yours: 'ho, da, setu, ar, amañ',
  is: 'eo, zo',
  enter: 'enankit, implijit, skrivit',
  time: 'munut*, eur*, deiz*',
  warns: 'talvoudus, na rannit',
}
