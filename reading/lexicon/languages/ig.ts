import type { Language } from '../language.ts'

export const igbo: Language = {
  code: 'koodu, kọdụ, kood',
  password: 'okwuntughe, paswọọdụ',
  verify: 'nkwenye, nyocha, mkpughe, nnwapụta',
  signIn: 'nbanye, banye, ịbanye',
  secret: 'nchekwa, nche',
  yours: 'gị, unu, a',
  is: 'bụ',
  enter: 'tinye, jiri',
  time: 'nkeji*, elekere, ụbọchị',
  warns: 'ekekọrịtala, onye ọ bụla',
}
