import type { Language } from '../language.ts'

export const pashto: Language = {
  code: 'کوډ, کوډونه',
  password: 'پټنوم, پاسورډ',
  verificationCode: 'یو ځل پټنوم',
  verify: 'تایید*, تصدیق*, فعال*',
  signIn: 'ننوت*, لاګ ان',
  secret: 'امنیت*, امنیتي',
  yours: 'ستاسو, ستا, دا',
  is: 'دی, ده',
  enter: 'دننه کړئ, ولیکئ, وکاروئ',
  enterAfter: 'دننه کړئ, ولیکئ, وکاروئ',
  time: 'دقیق*, ساعت*, ورځ*',
  warns: 'مه شریکوئ, چا سره',
}
