import type { Language } from '../language.ts'

export const welsh: Language = {
  code: 'cod, chod',
  password: 'cyfrinair, gyfrinair, chyfrinair',
  verificationCode: 'cyfrinair untro, cyfrinair un-tro, cyfrinair dros dro',
  verify: 'dilys*, ddilys*, gwirio, wirio, actifad*, dilysu',
  confirm: 'cadarnh*, gadarnh*',
  signIn: 'mewngofnod*, fewngofnod*, cofrestr*',
  reset: 'ailosod*',
  secret: 'diogel*, ddiogel*, untro, un-tro',
  otherwise: 'post, disgownt, gwall',
  yours: 'eich, dy, y, hwn, dyma',
  is: 'yw, ydy',
  enter: 'rhowch, nodwch, defnyddiwch, teipiwch',
  names: 'archeb, anfoneb, rhif, ffôn',
  time: 'munud*, funud*, awr, oriau, diwrnod',
  warns: "peidiwch â rhannu, peidiwch â'i rannu, ddilys, dod i ben, anwybydd*",
}
