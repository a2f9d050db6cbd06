import type { Language } from '../language.ts'

export const tigrinya: Language = {
  code: 'ኮድ, ኮድኩም, *ኮድ',
  password: 'ፓስዎርድ, ቃል ምሕላፍ',
  verify: 'መረጋገጺ, ናይ መረጋገጺ, ንምርግጋጽ',
  signIn: 'መእተዊ, ንምእታው',
  secret: 'ድሕነት',
  yours: 'ናትኩም, እዚ',
  is: 'እዩ',
  enter: 'ኣእትዉ',
  enterAfter: 'ኣእትዉ',
  time: 'ደቒቕ*, ደቓይቕ*, ሰዓት*',
}
