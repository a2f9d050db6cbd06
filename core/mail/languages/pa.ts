import type { Language } from './language.ts'

export const punjabi: Language = {
  code: 'ਕੋਡ, ਪਿੰਨ',
  password: 'ਪਾਸਵਰਡ*',
  verificationCode: 'ਓਟੀਪੀ, ਵਨ ਟਾਈਮ ਪਾਸਵਰਡ, ਅਸਥਾਈ ਪਾਸਵਰਡ',
  verify: 'ਤਸਦੀਕ*, ਪੁਸ਼ਟੀਕਰਨ*, ਵੈਰੀਫਿਕੇਸ਼ਨ, ਸਰਗਰਮ*, ਵੈਰੀਫਾਈ',
  confirm: 'ਪੁਸ਼ਟੀ*',
  signIn: 'ਲਾਗਇਨ, ਲਾਗ ਇਨ, ਲੌਗਇਨ, ਲੌਗ ਇਨ, ਸਾਈਨ ਇਨ',
  reset: 'ਰੀਸੈੱਟ, ਨਵਾਂ ਪਾਸਵਰਡ',
  secret: 'ਸੁਰੱਖਿਆ, ਅੰਕਾਂ, ਅਸਥਾਈ',
  otherwise: 'ਛੋਟ, ਡਾਕ, ਕੂਪਨ',
  yours: 'ਤੁਹਾਡਾ, ਇਹ, ਆਪਣਾ',
  is: 'ਹੈ, ਇਹ ਹੈ',
  enter: 'ਦਰਜ ਕਰੋ, ਵਰਤੋ, ਦਾਖਲ ਕਰੋ',
  enterAfter: 'ਦਰਜ ਕਰੋ, ਵਰਤੋ, ਦਾਖਲ ਕਰੋ',
  names: 'ਆਰਡਰ*, ਫੋਨ*, ਨੰਬਰ',
  time: 'ਮਿੰਟ*, ਘੰਟੇ, ਦਿਨ',
  warns: 'ਵੈਧ, ਕਿਸੇ ਨਾਲ, ਸਾਂਝਾ ਨਾ ਕਰੋ',
  confirmLink: 'ਤਸਦੀਕ*, ਪੁਸ਼ਟੀ*',
}
