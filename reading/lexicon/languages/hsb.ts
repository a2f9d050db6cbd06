import type { Language } from '../language.ts'

/** Upper and Lower Sorbian, Kashubian, Silesian. */
export const sorbian: Language = {
  code: 'kod, kode, kodu',
  password: 'hesło, gronidło, parola',
  verify: 'wobkruć*, přepruwo*, pótwjerź*, wobtwjerź*, weryfik*',
  confirm: 'potwierdz*, potwjerdź*',
  signIn: 'přizjew*, pśizjaw*, logòwani*',
  secret: 'wěstot*, bezpjecz*',
  yours: 'waš, twój, tutón',
  is: 'je, rěka',
  enter: 'zapodajće, zapódajśo, wužijće',
  time: 'mjeńšin*, minut*, hodźin*',
}
