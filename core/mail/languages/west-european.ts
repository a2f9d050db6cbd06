import type { Language } from './language.ts'

export const english: Language = {
  code: 'codes?|pins?',
  verificationCode:
    'otps?|one[- ]time (?:pass ?(?:word|code|phrase)s?|pins?)|(?:verification|security|log[- ]?in|' +
    'sign[- ]?in) (?:number|pin|token|key)|(?:m|sms|push)?tan',
  proves:
    'verif|secur|authent|authori[sz]|one[- ]time|single[- ]use|temporary|log[- ]?in|sign[- ]?(?:in|up|' +
    'on)\\b|activat|' +
    'identi|two[- ]?(?:factor|step)|2[- ]?(?:fa|step|factor)|mfa|reset|recover|backup|unlock|pairing|pair|' +
    'registr|magic|digit\\b|otp|guard',
  mayProve: 'confirm|access|pass',
  otherwise:
    'postal|post|zip|country|area|dial(?:ing)?|calling|dress|qr|bar|promo\\w*|discount|coupon|voucher|gift|' +
    'gift card|card|reward|referral|source|error|status|exit|http|sort|swift|bic|colou?r|product|item|' +
    'model|' +
    'tax|customer|client|booking|reservation|tracking|order|ticket|airport|currency|language|charge|morse|' +
    'genetic|building|penal|civil|studio|review|base|snippet|course|module|subject|class|school|store|' +
    'redemption|redeem|claim|pick-?up|collection|locker|door|gate|machine|' +
    'department|cost|budget|project|style|batch|reason|response|diagnosis|procedure|billing|mcc|' +
    'licen[cs]e|suite|tests?|samples?|length|format|scams?|' +
    'of (?:conduct|ethics|practice|honou?r)',
  purpose:
    'verif(?:y|ies|ied|ying|ication)|confirm(?:ing)? (?:your|that|this|it|the)|sign(?:ing|ed)?[ -]in|' +
    'log(?:ging|ged)?[ -]?in|authenticat|two[ -]factor|activat',
  yours: 'your|this|the|following|enter|use|here is|my|new',
  is: 'is|are|be|below|following|here|was|code',
  enter: 'enter|entering|use|using|type|typing|input|provide',
  names:
    'order|invoice|ticket|tracking|customer|client|account|acct|a/c|reference|ref|case|request|booking|' +
    'reservation|flight|seat|gate|room|transaction|receipt|policy|member(?:ship)?|patient|contract|phone|' +
    'mobile|tel|telephone|call|dial|fax|text|sms|zip|postcode|street|suite|box|bus|version|build|model|' +
    'serial|' +
    'isbn|sku|vat|ein|id|card|ending(?: in| with)?|ends (?:in|with)|starting with|digits|since|copyright|' +
    'in|' +
    'by|on|year|issue|pull request|pr|commit|extension|ext|licen[cs]e|registration|registered|shipment|' +
    'parcel|package|item|product|article|floor|unit|apt|port|page|employee|student|document|from|to|' +
    'level|over|' +
    'no|nr|number|num',
  unit:
    'minutes?|mins?|hours?|hrs?|h|days?|seconds?|secs?|weeks?|months?|years?|times?|people|users?|' +
    'customers?|' +
    'members?|points?|miles|followers?|views?|items?|messages?|stars?|reviews?|jobs?|pages?|words|steps|' +
    'percent|per cent|kb|mb|gb|tb|kwh|km|kg|mm|cm|px|usd|eur|gbp|inr|chf|sek|nok|dkk|pln|czk|jpy|cny|rub|' +
    'uah|' +
    'brl|try|vnd|krw|aed|sar|dollars?|euros?|pounds?|am|pm',
}

const german: Language = {
  verificationCode: 'einmal-?(?:passwort|kennwort|passworte?s|pin)|(?:sms|m|push|chip|photo)-?tan|prüfziffer',
  proves:
    'sicherheit|anmeld|einmal|freischalt|aktivier|verifi|authenti|registrier|prüf|zwei-?faktor|identi|' +
    'zurücksetz|wiederherstell|stellig|entsperr|einlogg|kennwort|legitim|freigabe',
  mayProve: 'bestätig|zugang|zugriff',
  otherwise:
    'gutschein|rabatt|aktions|postleit|länder|fehler|quell|strich|buchungs?|kunden|promo|gutschrift|werbe|' +
    'empfehlung|abhol|artikel|produkt|farb|vorteils|geschenk|farbe|kleider',
  purpose:
    'bestätigen sie|bestätige (?:deine?|ihre|die|jetzt)|verifizier|anmeld|einlogg|registrierung|' +
    'zwei-faktor|' +
    'freischalt|aktivier',
  yours: 'ihr|ihre|dein|deine|euer|der|die|den|diesen|diese|folgenden?|folgender|als',
  is: 'ist|lautet|lauten|folgenden|mit|code',
  enter: 'eingeben|verwenden|geben sie|gib|nutzen sie|nutze|verwende|verwenden sie',
  names:
    'bestell\\w*|rechnung\\w*|auftrag\\w*|kunden\\w*|konto\\w*|vorgang\\w*|ticket\\w*|sendung\\w*|tel|' +
    'telefon\\w*|fax|' +
    'plz|postleitzahl|hrb|aktenzeichen|zeichen|nummer|\\w+nummer|karte|endet auf|endend auf|endziffern?|' +
    'seit|jahr|am|' +
    'zimmer|raum|gleis|wagen|sitz|zug|ice|vom|buchung\\w*|vertrag\\w*|rufnummer|handy|postfach',
  unit:
    'minuten?|stunden?|std|tagen?|sekunden?|uhr|wochen?|monaten?|jahren?|punkten?|personen|kunden|mal|' +
    'stück|prozent',
}

const french: Language = {
  verificationCode: 'mots? de passe (?:à usage unique|unique|temporaires?)',
  proves:
    'vérifi|sécurit|connexion|connecter|authentifi|usage unique|activation|identifi|chiffres|validation|' +
    'valider|' +
    'réinitialis|inscription|temporaire|unique|récupération|secret',
  mayProve: 'confirm|accès|accéder',
  otherwise:
    'postal|promo\\w*|de réduction|réduction|barres?|à barres|source|erreur|avantage|parrain\\w*|' +
    'de parrainage|de réservation|' +
    'client|pays|cadeau|article|produit|de suivi|de retrait|couleur|remise|de remise|privilège',
  purpose:
    'vérifi|confirmez|confirmer (?:votre|ton)|se connecter|vous connecter|connexion|authentifi|' +
    'activer (?:votre|ton)',
  yours: 'votre|ton|le|ce|voici',
  is: 'est|suivant|voici|ci-dessous|unique',
  enter: 'saisir|saisissez|saisis|entrez|entrer|entre|utilisez|utilise',
  names:
    'commande|facture|client|compte|référence|réf|dossier|suivi|tél|téléphone|numéro|n°|no|carte|' +
    'terminant par|' +
    'depuis|billet|vol|siège|chambre|siret|rcs|cedex|bp|cs|colis|le|en',
  unit: 'minutes?|heures?|jours?|secondes?|semaines?|mois|ans?|euros?|points?|personnes|fois|clients',
}

const spanish: Language = {
  code: 'c[oó]digos?|clave',
  verificationCode:
    'contraseñas? (?:de un solo uso|temporal|de uso único)|clave (?:dinámica|temporal|de un solo uso)',
  proves:
    'verific|segurid|autentic|un solo uso|uso único|único|iniciar|inicio de|activac|activar|dígitos|identi|' +
    'validac|validar|restablec|recupera|registro|temporal',
  mayProve: 'confirma|acceso|acceder',
  otherwise:
    'postal|de descuento|descuento|promocional|de barras|qr|de error|fuente|de reserva|de producto|' +
    'de seguimiento|' +
    'de cliente|del cliente|país|de país|de regalo|referido|de referido|de invitado|de área|de color|' +
    'de vestimenta|cupón|de recogida',
  purpose:
    'verific|confirma (?:tu|su|que)|confirmar (?:tu|su|que)|confirme su|iniciar sesión|inicio de sesión|' +
    'autentic|activar (?:tu|su)',
  yours: 'tu|su|el|este|siguiente|un',
  is: 'es|son|siguiente',
  enter: 'introduce|introduzca|ingresa|ingrese|usa|use|utiliza|escribe|con',
  names:
    'pedido|factura|cliente|cuenta|referencia|seguimiento|tel|teléfono|llama(?: al)?|número|núm|nº|tarjeta|' +
    'terminad[ao] en|termina en|desde|vuelo|asiento|habitación|reserva|expediente|cp|nif|cif|en',
  unit: 'minutos?|horas?|días?|segundos?|semanas?|meses|años?|euros?|pesos|puntos?|personas|veces',
}

const italian: Language = {
  code: 'codic[ei]',
  verificationCode: 'password (?:monouso|temporanea|usa e getta)',
  proves:
    'verific|sicurezz|autentic|monouso|attivazione|cifre|identific|temporane|autorizz|reimposta|recupero|' +
    'registrazione|usa e getta|otp',
  mayProve: 'conferma|accesso|accedere',
  otherwise:
    'postale|sconto|promo\\w*|fiscale|prodotto|cliente|prenotazione|di prenotazione|sorgente|errore|' +
    'di errore|a barre|' +
    'qr|iban|di tracciamento|tracciamento|spedizione|di sconto|regalo|amico|paese|articolo|di ritiro|univoco',
  purpose:
    "verific|conferma (?:il|la|l')|confermare (?:il|la|l')|acced[ei]|accedere|accesso|autentic|" +
    "attiva (?:il|la|l')",
  yours: 'tuo|suo|il|questo|seguente',
  is: 'è|e|seguente',
  enter: 'inserisci|inserire|inserisca|digita|usa|utilizza',
  names:
    'ordine|fattura|cliente|conto|riferimento|rif|spedizione|tel|telefono|numero|num|carta|termina con|' +
    'dal|volo|' +
    'posto|camera|prenotazione|pratica|cap|p\\. ?iva|partita iva|verde',
  unit: 'minut[oi]|or[ae]|giorn[oi]|second[oi]|settiman[ae]|mes[ei]|ann[oi]|euro|punti|persone|volte',
}

const portuguese: Language = {
  code: 'c[oó]digos?',
  verificationCode:
    'senhas? (?:de uso único|temporária|descartável)|palavra-passe (?:única|de utilização única)',
  proves:
    'verifica|seguranç|autentic|uso único|utilização única|iniciar|início de|ativa|dígitos|identi|' +
    'validação|validar|' +
    'redefini|recupera|temporári|login|entrar',
  mayProve: 'confirma|acesso|acessar|aceder',
  otherwise:
    'postal|de desconto|desconto|promocional|de barras|de rastreio|de rastreamento|fonte|do produto|' +
    'do pedido|do cliente|' +
    'de indicação|de convite|de erro|de reserva|do país|de cor|cupom|de retirada',
  purpose:
    'verifi|confirme (?:seu|sua|o)|confirmar (?:seu|sua|o)|iniciar sessão|fazer login|entrar na|autentic|' +
    'ative|ativar',
  yours: 'seu|sua|teu|tua|o|este|seguinte',
  is: 'é|e|são|seguinte',
  enter: 'digite|insira|use|utilize|introduza|informe',
  names:
    'pedido|fatura|cliente|conta|referência|rastreio|tel|telefone|ligue|número|nº|cartão|final|' +
    'terminado em|desde|voo|' +
    'assento|quarto|reserva|protocolo|cep|cnpj|cpf|nif',
  unit: 'minutos?|horas?|dias?|segundos?|semanas?|meses|anos?|reais|euros?|pontos?|pessoas|vezes',
}

const dutch: Language = {
  verificationCode: 'eenmalige? (?:wachtwoord|pincode)|wachtwoord voor eenmalig gebruik|pincode',
  proves:
    'verifi|beveiliging|veilig|authentic|eenmalig|inlog|aanmeld|activ|cijferige?|identi|herstel|controle|' +
    'registratie|sms',
  mayProve: 'bevestiging|toegang',
  otherwise:
    'korting|kortings|actie|post|land|fout|bron|streep|boeking|klant|cadeau|reservering|afhaal|winkel',
  purpose: 'verifi|bevestig|inlogg|aanmeld|log in',
  yours: 'je|jouw|uw|deze|de|volgende',
  is: 'is|luidt|volgende',
  enter: 'gebruik|vul|voer|typ',
  names:
    'bestelling|ordernummer|factuur|klant|klantnummer|rekening|referentie|tel|telefoon|bel|nummer|' +
    '\\w+nummer|pas|' +
    'eindigend op|sinds|vlucht|stoel|kamer|boeking|kvk|btw|postbus',
  unit: 'minuten|minuut|uur|uren|dagen|seconden|weken|maanden|jaar|punten|personen|keer',
}

export const WEST_EUROPEAN: readonly Language[] = [
  english,
  german,
  french,
  spanish,
  italian,
  portuguese,
  dutch,
]
