import type { Language } from '../language.ts'

export const chichewa: Language = {
  code: 'khodi',
  password: 'mawu achinsinsi',
  key: 'nambala',
  verify: 'kutsimikizira, yotsimikizira, tsimikiz*',
  signIn: 'kulowa, lowani',
  yours: 'yanu, iyi',
  is: 'ndi',
  enter: 'lowetsani, gwiritsani, lembani',
  time: 'mphindi, maola, masiku',
  warns: 'musagawane, wina aliyense',
}
