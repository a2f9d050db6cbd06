import type { Language } from '../language.ts'

/** Interlingua and Ido. */
export const interlingua: Language = {
  code: 'codice, kodo',
  password: 'contrasigno',
  verify: 'verification, verifikala, authentication',
  confirm: 'confirmation, konfirmo',
  signIn: 'aperir session, entrar',
  yours: 'vostre, tu, vua, le',
  is: 'es, esas',
  enter: 'insere, usa, skribez',
  time: 'minutas, minuti, horas',
}
