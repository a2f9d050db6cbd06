import type { Language } from '../language.ts'

export const italian: Language = {
  code: 'codice, codici',
  password: "password, parola d'ordine",
  key: 'chiave, token',
  verificationCode: `
    password monouso, password temporanea, password usa e getta, parola d'accesso,
    password provvisoria, parola segreta, frase segreta
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
  links: {
    confirm:
      "conferm(?!at[oa]|a (?:dell'|del )?(?:ordine|prenotazione|acquisto))|verific(?!at[oa])|attivare|attivazione|attiva (?:il|la|ora|subito)\\b|attiva l'|convalid|complet\\w+ .{0,5}registrazione",
    sign_in: "acced(?:i|ere|a)\\b|l'accesso|link di accesso|per l'accesso|login|entra\\b|link magico",
    reset:
      'reimpost|ripristin|resett|recuper(?:a|are|o)|(?:nuova|cambi\\w+|crea\\w*|scegli\\w*|imposta\\w*|dimentica\\w+) .{0,12}password',
    invite: 'invito\\b|invitat[oaie]|ti ha invit|ti invita',
    join: 'accett|unisciti|unirti|partecip|aderisci',
    deny: '\\bse .{0,50}\\bnon\\b|non sei stat|non hai richiest',
    report:
      '(?:password|account|indirizzo)\\b.{0,40}(?:è stat|modificat|aggiornat|cambiat)|nuovo (?:accesso|dispositivo)|accesso (?:rilevato|sospetto|da)',
    unsubscribe: 'disiscri|annulla iscrizione|cancella iscrizione',
    legal: 'termini|(?:visualizza|guarda|apri|leggi) .{0,20}(?:browser|online)|versione (?:web|online)',
  },
}
