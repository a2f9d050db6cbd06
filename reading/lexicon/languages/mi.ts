import type { Language } from '../language.ts'

/** Māori. */
export const maori: Language = {
  code: 'waehere, tohu',
  password: 'kupuhipa, kupu huna',
  verify: 'manatoko, whakamana, whakaū',
  signIn: 'takiuru, whakauru',
  secret: 'haumarutanga',
  yours: 'tō, ō, koe, tenei',
  is: 'ko, ko te',
  enter: 'tāuruhia, whakamahia',
  time: 'meneti, haora',
}
