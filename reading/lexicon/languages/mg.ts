import type { Language } from '../language.ts'

export const malagasy: Language = {
  code: 'kaody, kaodin*',
  password: 'tenimiafina, teny miafina',
  verify: 'fanamarin*, hanamarin*, fanamafis*, hanamafis*',
  signIn: 'fidirana, hiditra, miditra',
  secret: 'fiarovana',
  yours: 'anao, ity, izao',
  is: 'dia',
  enter: 'ampidiro, ampiasao, soraty',
  time: 'minitra, ora, andro',
  warns: 'aza zaraina, na iza na iza',
}
