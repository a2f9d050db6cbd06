import type { Language } from '../language.ts'

export const occitan: Language = {
  code: 'còdi, còdis',
  password: 'senhal',
  verificationCode: "senhal d'usatge unic, senhal provisòri",
  verify: 'verific*, autentific*, validacion',
  confirm: 'confirm*',
  signIn: 'connexion, connectar',
  secret: 'seguretat, chifras, inscripcion',
  access: 'accès',
  otherwise: 'postal, promocional, reduccion',
  yours: 'vòstre, ton, lo, aqueste',
  is: 'es',
  enter: 'picatz, entratz, utilizatz, sasissètz',
  names: 'comanda, factura, numèro',
  time: 'minuta*, ora*, jorn*',
  warns: 'valable, expira',
}
