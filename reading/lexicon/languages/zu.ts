import type { Language } from '../language.ts'

/** Zulu and Xhosa; prefixes are written together with their noun. */
export const zulu: Language = {
  code: '*khodi, *khowudi, inombolo yakho yokuqinisekisa',
  password: '*phasiwedi, *gama lokungena, igama eliyimfihlo',
  verify: '*qinisekisa*, *qinisekiso*, *vumela, *sebenzisa kabusha',
  signIn: '*kungena*, *ngena',
  secret: '*phepha*, *khuseleko, *vikel*, *mfihlo, *bhalis*',
  yours: 'yakho, lakho, akho, le, lwakho',
  is: 'ithi, ngu, yi, ngu-, yi-, ngithi, ngo',
  enter: 'faka, sebenzisa, ngenisa, bhala',
  time: '*mizuzu*, *mizuzwini, *amahora, *iyure, *zinsuku',
  warns: 'ungabelani, musa ukwabelana, nanoma ubani, nabani na, iphelelwa',
}
