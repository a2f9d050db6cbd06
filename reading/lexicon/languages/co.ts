import type { Language } from '../language.ts'

/** Corsican, Sardinian, Sicilian, Friulian, Venetian. */
export const corsican: Language = {
  code: 'codice, còdighe, codici, codiçe, codis, còdice',
  password: 'password, parolla secreta',
  verify: 'verific*, virific*, attivazion*, ativassion*',
  confirm: 'cunfirm*, cufirm*, conferme',
  signIn: 'cunnessione, intrada, acessu',
  secret: 'sicurità, siguresa, sicuretsa',
  yours: 'vostru, to, tou, u, su, chistu, tô',
  is: 'hè, est, è, al è',
  enter: 'inserisci, mette, scrive',
  time: 'minuti, minutus, minuts, ore',
  warns: 'scade, validu',
}
