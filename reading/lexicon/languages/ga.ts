import type { Language } from '../language.ts'

export const irish: Language = {
  code: 'cód, chód, gcód, cóid',
  password: 'pasfhocal, focal faire',
  verificationCode: 'pasfhocal aonuaire, cód aonuaire',
  verify: 'fíor*, fhíor*, fhíoraithe, deimhnigh, dheimhnigh, gníomhach*, ghníomhach*',
  confirm: 'deimhnithe, dheimhnithe, dearbh*, dhearbh*',
  signIn: 'síniú isteach, sínigh isteach, logáil isteach, logála isteach',
  reset: 'athshocr*',
  secret: 'slánd*, shlánd*, aonuaire',
  otherwise: 'poist, lascaine, earráide',
  yours: 'do, bhur, an, seo',
  is: 'is é, is ea, seo',
  enter: 'cuir isteach, iontráil, úsáid',
  names: 'ordú, sonrasc, uimhir',
  time: 'nóiméad*, uair, uaire, =lá',
  warns: 'bailí, ná roinn, éag',
}
