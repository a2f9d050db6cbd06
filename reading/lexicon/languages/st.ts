import type { Language } from '../language.ts'

/** Sotho, Tswana, Pedi. */
export const sotho: Language = {
  code: 'khoutu, khouto, nomoro ea',
  password: 'phasewete, lefoko la sephiri, password',
  verify: 'netefatso*, netefatsa, tiisets*, nnetefatso',
  signIn: 'ho kena, tsena, go tsena',
  secret: 'tšireletso, tshireletso, polokeho',
  yours: 'hao, ea hao, ya gago, ya hao',
  is: 'ke, ke ena',
  enter: 'kenya, sebelisa, dirisa, tsenya',
  time: 'metsotso, motsotso, dihora, lihora',
  warns: 'se abelane, le mang',
}
