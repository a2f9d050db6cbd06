import type { Language } from '../language.ts'

export const catalan: Language = {
  code: "codi, codis, clau, clau d'accés",
  password: 'contrasenya, contrasenyes',
  key: 'clau',
  verificationCode: "contrasenya d'un sol ús, contrasenya temporal, contrasenya única",
  verify: 'verific*, autentic*, validar, validació, activar, activació, activeu, activa el',
  confirm: 'confirm*',
  signIn: 'inici de sessió, iniciar sessió, inicia la sessió, inicia sessió, entrar',
  reset: 'restabl*, recuper*, nova contrasenya',
  secret: 'seguret*, un sol ús, xifres, dígits, temporal, identific*, registre',
  access: 'accés, accedir',
  purpose: 'confirma el, confirma la',
  otherwise: 'postal, descompte, promocional, barres, error, font, client, reserva, regal, país',
  yours: 'teu, seu, vostre, el, aquest, següent, la, teva',
  is: 'és, es, és el, següent',
  enter: 'introdueix, introduïu, introdueixi, escriu, escriviu, fes servir, utilitza, utilitzeu',
  names: 'comanda, factura, client, compte, telèfon, número, núm, tel',
  time: 'minut, minuts, hora, hores, dia, dies, segons',
  unit: 'setmanes, mesos, anys',
  warns: 'caduca, vàlid, no el comparteixis, no el compartiu, no comparteixis, ignora, ignoreu',
  offer: 'descompte*',
  links: {
    confirm:
      'confirm(?!at|ació de (?:la )?comanda)|verific(?!at)|activar|activeu|activa (?:el|la)\\b|validar|valideu',
    sign_in: 'inici(?:a|ar|eu|o)? (?:de )?sessió|accedi|entra\\b',
    reset: 'restabl|recuper(?:a|ar|eu)|(?:nova|canvi\\w+|oblid\\w+) .{0,12}contrasenya',
    invite: "invitació|convidat|convida't|t'ha convidat|us ha convidat",
    join: "accept|uneix|unir-te|apunta't",
    deny: '\\bsi .{0,50}\\bno\\b',
    unsubscribe: 'donar-se de baixa',
  },
}
