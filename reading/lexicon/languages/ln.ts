import type { Language } from '../language.ts'

/** Lingala, Kikongo. */
export const lingala: Language = {
  code: 'kode',
  password: 'mot de passe, liloba ya koyingela',
  key: 'nimero',
  verify: 'bondimi, kondimisa, botaleli',
  signIn: 'kokota',
  yours: 'na yo, oyo',
  is: 'ezali',
  enter: 'tya, salela',
  time: 'miniti, ngonga',
}
