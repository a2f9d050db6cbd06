import type { Language } from './language.ts'

export const italian: Language = {
  code: 'codice, codici',
  password: "password, parola d'ordine",
  key: 'chiave, token',
  verificationCode: `
    password monouso, password temporanea, password usa e getta, parola d'accesso,
    password provvisoria
  `,
  verify: 'verific*, autentic*, attivazione, attiva, attivare, convalida*, due fattori, due passaggi',
  confirm: 'conferm*',
  signIn: 'accedi, accedere, accede, accesso, login',
  reset: 'reimposta*, nuova password, password dimenticata, ripristin*',
  secret: `
    sicurezz*, monouso, cifre, identific*, temporane*, recupero, usa e getta, otp, segreto, univoco,
    sblocc*, registrazione, iscrizione
  `,
  access: 'accesso, autorizz*',
  purpose: `
    conferma il, conferma la, conferma l', confermare il, confermare la, confermare l',
    conferma di essere
  `,
  otherwise: `
    postale, sconto, promo, promozionale, fiscale, prodotto, cliente, prenotazione, sorgente, errore,
    barre, a barre, qr, iban, tracciamento, spedizione, regalo, amico, paese, articolo, ritiro, coupon,
    invito, civile, penale
  `,
  yours: 'tuo, suo, il, questo, seguente, la, tua, nuovo',
  is: 'è, come, e, seguente, sono, è il',
  enter: 'inserisci, inserire, inserisca, digita, digitare, usa, utilizza, immetti, scrivi',
  names: `
    ordine, fattura, cliente, conto, riferimento, rif, spedizione, tel, telefono, numero, num, carta,
    termina con, dal, volo, posto, camera, prenotazione, pratica, cap, p. iva, partita iva, verde
  `,
  time: 'minuto, minuti, min, ora, ore, giorno, giorni, secondo, secondi',
  unit: 'settimana, settimane, mese, mesi, anno, anni, euro, punti, persone, volte',
  warns: `
    valido, scade, non condividere, non condividerlo, non l'hai richiesto, non hai richiesto, ignora,
    non comunicare
  `,
  offer: 'sconto, sconti, invita',
  booking: 'volo, prenotazion*, soggiorno',
  meeting: 'riunion*',
  confirmLink: 'verific*, conferm*, attiva, attivare',
  signInLink: 'accedi, accede',
  invite: 'accetta*',
  unsubscribe: 'disiscri*, annulla iscrizione, cancella iscrizione, disdici',
  legal: 'termini, informativa',
}
