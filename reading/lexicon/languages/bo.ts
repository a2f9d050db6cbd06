import type { Language } from '../language.ts'

export const tibetan: Language = {
  code: 'ཨང་རྟགས, གསང་ཨང',
  verify: 'ར་སྤྲོད, བདེན་དཔང',
  time: 'སྐར་མ',
}
