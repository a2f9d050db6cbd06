import type { Language } from '../language.ts'

/** Wolof, Fula, Bambara. */
export const wolof: Language = {
  code: 'kod, kóod, kode',
  password: 'baatujàll, gundo',
  verify: 'seetantal, dëggal, seedantaa, dalilu',
  signIn: 'dugg',
  yours: 'sa, bi, ka, maa',
  is: 'mooy, di, ye',
  enter: 'dugalal, jëfandikool',
  time: 'simili, waxtu, hojomaaje',
}
