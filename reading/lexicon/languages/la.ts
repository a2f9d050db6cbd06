import type { Language } from '../language.ts'

export const latin: Language = {
  code: 'codex, codicem, codice, tessera',
  password: 'signum, tesseram',
  verificationCode: 'signum unius usus',
  verify: 'verificat*, authentic*, comprob*',
  confirm: 'confirmat*',
  signIn: 'aditus, intrare, inire',
  secret: 'securitat*',
  yours: 'tuus, tuum, vester, hic',
  is: 'est',
  enter: 'inscribe, insere, utere',
  time: 'minut*, horas, dies',
  warns: 'valet, noli, nemini',
}
