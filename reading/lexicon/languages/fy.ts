import type { Language } from '../language.ts'

export const frisian: Language = {
  code: '*koade, *koades',
  password: 'wachtwurd',
  verificationCode: 'ienmalich wachtwurd',
  verify: 'ferifi*, befêstig*, aktivear*',
  signIn: 'ynlog*, oanmeld*',
  secret: 'befeilig*, feilig*, ienmalich*',
  otherwise: 'koarting*, post*',
  yours: 'dyn, jo, jins, dizze, de',
  is: 'is',
  enter: 'brûk, fier, typ',
  time: 'minút*, minuten, oere, dagen',
  warns: 'jildich, ferrint, diel',
}
