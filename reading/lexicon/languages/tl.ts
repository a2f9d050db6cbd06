import type { Language } from '../language.ts'

/** Tagalog; Cebuano. */
export const filipino: Language = {
  code: 'code, kodigo',
  password: 'password',
  verificationCode: 'one-time na password, pansamantalang password',
  verify: 'beripika*, pag-verify, kumpirmahin, i-verify, pagpapatunay, patunayan, pag-activate',
  confirm: 'kumpirmasyon, pagkumpirma',
  signIn: 'mag-log in, pag-log in, mag-sign in, pag-login, mag-login, magparehistro',
  secret: 'seguridad, isang beses',
  otherwise: 'diskwento',
  yours: 'iyong, inyong, ang, ito, imong, imo',
  is: 'ay, kay, ay ang, mao ang',
  enter: 'ilagay, gamitin, i-type, itype, ipasok, ibutang, gamita, isulod',
  names: 'order, telepono, numero',
  time: 'minuto*, oras, araw, segundo, adlaw',
  warns: `
    huwag ibahagi, huwag itong ibahagi, kaninuman, kahit kanino, ayaw ipaambit, ayaw kini ipaambit,
    mag-e-expire, may bisa
  `,
  links: {
    confirm: 'kumpirma|beripika|i-?verify|i-?activate|patunay',
    sign_in: 'mag-?log ?in|mag-?sign ?in',
    reset: 'i-?reset|bagong password|palitan .{0,10}password',
    invite: 'imbita|paanyaya|inaanyaya',
    join: 'tanggapin|sumali',
    deny: 'kung .{0,40}hindi',
  },
}
