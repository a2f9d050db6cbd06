import type { Language } from '../language.ts'

export const german: Language = {
  code: '*code, *codes, *kode, geheimzahl, kennziffer',
  password: '*passwort, *kennwort, passworts',
  key: '*schlüssel, *schlüssels, zahl, ziffernfolge',
  verificationCode: `
    *einmalpasswort, *einmalkennwort, einmal-passwort, einmal-kennwort, *einmalpin, einmal-pin,
    sms-tan, mtan, push-tan, chiptan, photo-tan, prüfziffer, bestätigungszahl, sicherheitszahl,
    bestätigungsnummer, freischaltnummer, zugangswort, einmalige passwort, einmaliges passwort,
    temporäres passwort, vorläufiges passwort, *loginwort, *anmeldewort, geheimwort, losungswort,
    *kennphrase, passphrase
  `,
  verify: `
    verifizier*, aktivier*, freischalt*, zwei-faktor*, zweifaktor*, 2-faktor*, authentifiz*,
    authentisier*
  `,
  confirm: 'bestätig*',
  signIn: 'anmeld*, einlogg*, logg dich ein, melde dich an, melden sie sich an',
  reset: 'zurücksetz*, neues passwort, neues kennwort, passwort vergessen',
  secret: `
    sicherheit*, einmal*, prüf*, identi*, wiederherstell*, stellig*, entsperr*, registrier*, freigabe*,
    kennwort*, *stelligen, *stelliger, *stelliges, geheim*, legitim*, registrierung
  `,
  access: 'zugang*, zugriff*',
  purpose: `
    bestätigen sie, bestätige deine, bestätige dein, bestätige ihre, bestätige die, bestätige jetzt,
    e-mail-adresse bestätigen
  `,
  otherwise: `
    gutschein*, rabatt*, aktions*, postleit*, länder*, fehler*, quell*, strich*, buchungs*, buchung*,
    kunden*, promo*, gutschrift*, werbe*, empfehlung*, abhol*, artikel*, produkt*, farb*, vorteils*,
    geschenk*, kleider*, qr, bar*, spar*, einladungs*
  `,
  yours: `
    ihr, ihre, dein, deine, euer, der, die, den, diesen, diese, dieser, folgenden, folgende, folgender,
    als, unser, neuer
  `,
  is: 'ist, als, lautet, lauten, folgenden, folgende, mit, sind, hier',
  enter: `
    eingeben, verwenden, geben sie, gib, nutzen sie, nutze, verwende, verwenden sie, tippen sie, tippe,
    gebe, geben sie den code
  `,
  names: `
    bestell*, rechnung*, auftrag*, kunden*, konto*, vorgang*, ticket*, sendung*, tel, telefon*, fax,
    plz, postleitzahl, hrb, aktenzeichen, zeichen, nummer, *nummer, karte, endet auf, endend auf,
    endziffer, endziffern, seit, jahr, zimmer, raum, gleis, wagen, sitz, zug, ice, buchung*, vertrag*,
    rufnummer, handy, postfach, nr, *nr
  `,
  time: 'minute, minuten, min, stunde, stunden, std, tag, tage, tagen, sekunden',
  unit: `
    uhr, wochen, woche, monate, monaten, jahre, jahren, punkte, punkten, personen, kunden, mal, stück,
    prozent
  `,
  warns: `
    gültig, läuft ab, nicht angefordert, nicht weiter, niemandem, ignorieren,
    geben sie diesen code nicht, verfällt
  `,
  offer: 'rabatt*, gutschein*, gutschrift*, werben',
  booking: 'flug*, buchung*, hotel, reservierung*, abfahrt',
  meeting: 'besprechung*, einwahl*',
  links: {
    confirm:
      'bestätig(?!t\\b|ung (?:ihrer|deiner) (?:bestell|buch))|verifizier(?!t\\b)|aktivier(?!t\\b)|freischalt|registrierung abschlie|anmeldung abschlie|validier(?!t\\b)',
    sign_in: 'anmelde|anmelden|einlogg|login|log dich ein|melde dich an|melden sie sich an|loggen sie',
    reset:
      'zurücksetz|zurückzusetzen|passwort (?:vergessen|ändern|festlegen|erstellen|wähl|neu)|(?:neues|neuen) (?:passwort|kennwort)|kennwort (?:ändern|festlegen|vergessen)|wiederherstell',
    invite: 'einladung|eingeladen|lädt (?:sie|dich)',
    join: 'annehmen|nimm|nehmen sie|akzeptier|beitret|beizutreten|tritt|teilnehm',
    deny: '(?:wenn|falls|sollte\\w*) .{0,60}(?:nicht|kein)|(?:nicht|kein)[^.]{0,60}haben, |warst nicht du',
    report:
      '(?:passwort|kennwort|konto|adresse)\\b.{0,40}(?:wurde|geändert|aktualisiert|bestätigt)|(?:neue|ungewöhnliche|verdächtige)\\w* (?:anmeldung|geräte?|login)',
    unsubscribe: 'abmelden|abbestell|abonnement beenden',
    legal:
      'impressum|datenschutz|agb\\b|im browser (?:ansehen|anzeigen|öffnen|lesen|betrachten)|online-?(?:ansicht|version)|webversion',
  },
}
