import { folded } from './fold.ts'

/**
 * What a language says of links. Each value is a piece of a regular expression over lower-case text; accents may
 * stand there and do not count. A piece matches at the beginning of a word in scripts with spaces between words.
 */
export interface LinkWords {
  /** To confirm or to activate something; not that it was done. */
  confirm?: string
  sign_in?: string
  /** A new password. */
  reset?: string
  /** Somebody is invited; not "invite your friends". */
  invite?: string
  /** What one does with an invitation. It says nothing alone. */
  join?: string
  /** "If it was not you …": what follows undoes something. */
  deny?: string
  /** A subject that reports what is over: a password that was changed, a new sign-in. */
  report?: string
}

export const LINK_WORDS: Record<string, LinkWords> = {
  en: {
    confirm:
      'verif(?!ied|ies|ication (?:code|number))|confirm(?:ation)? your e-?mail|confirm(?!ed|ation (?:of|number))|activat(?!ed|ions?\\b.{0,12}fee)|validat(?!ed)|double opt|complete (?:your |the )?(?:sign|regist)|finish (?:sign|setting|your regist)|authenticat',
    sign_in: 'sign(?:ing)?[ -]?(?:in|on)\\b|log(?:ging)?[ -]?(?:in|on)\\b|magic[ -]link',
    reset:
      'reset|recover (?:your|access|the)|(?:account|password) recovery|recovery link|(?:new|change|choose|create|set|pick|enter|forgot\\w*|restore|update)\\b.{0,20}pass(?:word|phrase|code)',
    invite: 'invitation|invited|invites you|has invited|wants you to join',
    join: 'accept|join',
    deny: "if .{0,40}(?:\\bnot\\b|n't)(?! (?:yet|already))|(?:not|n't) (?:you|me)\\b",
    report:
      "(?:password|e-?mail|address|account|phone|number)\\b.{0,40}\\b(?:was|has been|have been|were) |you(?:'ve| have)? (?:changed|updated|reset|verified|confirmed) |(?:new|recent|unusual|suspicious|successful|failed) .{0,12}(?:sign|log)|(?:new|unrecognized) device|(?:sign|log)[ -]?(?:in|on) (?:from|detected|alert|attempt|on)|(?:changed|updated|confirmed|verified|activated)[.!]?$",
  },
  de: {
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
  },
  fr: {
    confirm:
      "confirm(?!é|ation de (?:votre )?(?:commande|réservation|paiement))|vérifi(?!é)|activer|activez|activation|valider|validez|validation|finalis\\w+ (?:votre |l')?inscription",
    sign_in: 'connect(?:er|ez)|connexion|se connecter|connecte|identifi(?:er|ez)|lien magique',
    reset:
      'réinitialis|(?:nouveau|changer|changez|modifier|définir|définissez|créer|créez|choisir|choisissez|oublié) .{0,16}mot de passe|mot de passe oublié|récupér',
    invite: 'invitation|invité|(?:vous|te) invite|a invité',
    join: 'accept|rejoi',
    deny: "\\bsi .{0,60}\\b(?:pas|jamais)\\b|n'êtes pas|ce n'(?:est|était) pas vous",
    report:
      '(?:mot de passe|compte|adresse)\\b.{0,40}(?:a été|modifié|changé|mis à jour)|nouvelle connexion|connexion (?:inhabituelle|suspecte|détectée|depuis)|nouvel appareil',
  },
  es: {
    confirm:
      'confirm(?!ad[oa]|ación (?:de|del) (?:su |tu )?(?:pedido|compra|reserva))|verific(?!ad[oa])|activar|activa (?:tu|la|su|el|mi)\\b|active (?:su|la)\\b|activación|validar|valida (?:tu|la|el)\\b|valide su|complet\\w+ .{0,8}registro',
    sign_in:
      'inici(?:ar?|e|o) (?:de )?sesi|acced(?:e|er|a)\\b|entrar\\b|entra en|ingres(?:a|ar|e)\\b|enlace mágico|enlace de acceso',
    reset:
      'restablec|reestablec|recuper(?:ar|a|e|ación)|(?:nueva|cambi\\w+|crea\\w*|elige|elija|elegir|olvid\\w+) .{0,12}contraseña|contraseña olvidada|reiniciar',
    invite: 'invitación|invitad[oa]|te (?:ha )?invit|le (?:ha )?invit|te invita',
    join: 'acept|unirse|únete|unirte|únase|incorpora',
    deny: '\\bsi .{0,50}\\bno\\b|no (?:has|ha|fuiste|fue|solicit)|no eres tú',
    report:
      '(?:contraseña|cuenta|dirección)\\b.{0,40}(?:ha sido|fue|se ha|cambiad|actualizad)|(?:nuevo|reciente) (?:inicio|acceso|dispositivo)',
  },
  it: {
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
  },
  pt: {
    confirm:
      'confirm(?!ad[oa]|ação (?:de|do|da) (?:seu |sua )?(?:pedido|compra|reserva))|verifi(?!cad[oa])|ativar|ativação|ative (?:a|o|su)|validar|valide (?:a|o|se)|validação|conclu\\w+ .{0,8}(?:registo|registro|cadastro|inscrição)|activar|active (?:a|o)\\b',
    sign_in:
      'entrar\\b|entre (?:na|em|no)\\b|inici(?:ar?|e) (?:a )?sessão|acess(?:e|ar)\\b|fa(?:ça|zer) login|login|link mágico',
    reset:
      'redefin(?:ir|a|ição)\\b|repor a|recuper(?:ar|e|ação)|restaur|(?:nova|alter\\w+|criar?|crie|escolh\\w+|esquec\\w+|defin\\w+) .{0,12}(?:senha|palavra-passe)',
    invite: 'convite\\b|convidad[oa]|convidou|convida (?:você|te)|(?:te|você) convid',
    join: 'aceit|junte-se|juntar|participar|entrar n[ao]',
    deny: '\\bse .{0,50}\\bnão\\b|não foi você|não solicit',
    report:
      '(?:senha|palavra-passe|conta|endereço)\\b.{0,40}(?:foi|alterad|atualizad)|nov[oa] (?:acesso|login|dispositivo|início)',
  },
  nl: {
    confirm:
      'bevestig(?!d\\b)|bevestiging van (?:je|uw) (?:e-?mail|account|adres)|verifi(?!eerd)|activeer|activeren|activering|valideer|registratie (?:voltooien|afronden)',
    sign_in: 'inlog|log in|aanmelden|meld je aan|log(?:gen)? .{0,6}in\\b',
    reset:
      'herstel|opnieuw in(?:stellen|\\b)|(?:nieuw|wijzig\\w*|kies|stel|vergeten) .{0,14}wachtwoord|wachtwoord (?:vergeten|wijzigen|instellen|resetten|opnieuw)',
    invite: 'uitnodiging|uitgenodigd|nodigt (?:je|u)',
    join: 'accepteer|aanvaard|deelnemen|neem deel|word lid|sluit je aan',
    deny: '(?:als|indien|mocht) .{0,60}(?:niet|geen)|was jij dit niet',
    report:
      '(?:wachtwoord|account|adres)\\b.{0,40}(?:is|werd) (?:gewijzigd|bijgewerkt|veranderd)|nieuwe (?:aanmelding|login|inlog)|nieuw apparaat',
  },
  sv: {
    confirm: 'bekräfta|verifier(?!ad)|aktivera|aktivering|validera|slutför (?:din )?registrering',
    sign_in: 'logga in|inloggning|inloggnings',
    reset: 'återställ|(?:nytt|ändra|byt|välj|skapa|glömt) .{0,10}lösenord',
    invite: 'inbjudan|inbjuden|bjudit in|bjuder in dig',
    join: 'acceptera|gå med|anslut|tacka ja',
    deny: '\\bom .{0,50}\\binte\\b|inte var du',
    report: 'lösenord\\w*\\b.{0,30}(?:har ändrats|ändrades|har uppdaterats)|ny inloggning|ny enhet',
  },
  da: {
    confirm:
      'bekræft(?!et)|verific(?!eret)|aktiver(?!et)|godkend din|fuldfør (?:din )?(?:registrering|tilmelding)',
    sign_in: 'log ind|logge ind|login',
    reset: 'nulstil|gendan|(?:ny|nyt|skift|vælg|opret|glemt) .{0,10}(?:adgangskode|kodeord)',
    invite: 'invitation|inviteret|inviterer dig',
    join: 'accepter|deltag|tilslut|bliv medlem',
    deny: '(?:hvis|såfremt) .{0,50}\\bikke\\b|ikke var dig',
    report:
      '(?:adgangskode|kodeord)\\w*\\b.{0,30}(?:er blevet|er) (?:ændret|opdateret)|ny(?:t)? (?:login|enhed|log)',
  },
  nb: {
    confirm: 'bekreft(?!et)|verifiser(?!t)|aktiver(?!t)|fullfør (?:din )?registrering',
    sign_in: 'logg inn|logge inn|innlogging|pålogging|logg på',
    reset: 'tilbakestill|nullstill|gjenopprett|(?:nytt|endre|bytt|velg|lag|glemt) .{0,10}passord',
    invite: 'invitasjon|invitert|inviterer deg',
    join: 'godta|aksepter|bli med',
    deny: '(?:hvis|dersom|om) .{0,50}\\b(?:ikke|ikkje)\\b',
    report:
      'passord\\w*\\b.{0,30}(?:er|ble|har blitt) (?:endret|oppdatert)|ny (?:pålogging|innlogging|enhet)',
  },
  fi: {
    confirm: 'vahvist(?:a|us)|vahvistaaksesi|varmenna|aktivoi|viimeistele rekister',
    sign_in: 'kirjaudu|kirjautumis|sisäänkirjautu',
    reset:
      'nollaa|palauta .{0,10}salasana|salasanan (?:palaut|nolla|vaihto)|(?:uusi|uuden|vaihda|aseta|luo|unohd\\w+) .{0,10}salasana',
    invite: 'kutsu(?:\\b|ttu|i sinut|n)|sinut on kutsuttu',
    join: 'hyväksy|liity',
    deny: '\\b(?:jos|mikäli) .{0,50}\\b(?:et|ei)\\b|ellet',
    report: 'salasana\\w*\\b.{0,30}(?:on )?(?:vaihdettu|muutettu)|uusi (?:kirjautuminen|laite)',
  },
  is: {
    confirm: 'staðfest|virkja',
    sign_in: 'innskrá|skrá (?:þig )?inn',
    reset: 'endurstill|endursetja|(?:nýtt|breyta|velja|gleymt) .{0,10}lykilorð',
    invite: 'boð\\b|boðið|býður þér',
    join: 'samþykk|taka þátt|ganga í',
    deny: '\\bef .{0,50}\\bekki\\b',
  },
  pl: {
    confirm:
      'potwierdź|potwierdzenie (?:adresu|rejestracji|konta|e-?mail)|potwierdzić|potwierdzeni|weryfik|zweryfikuj|aktywuj|aktywacj|dokończ rejestr',
    sign_in: 'zaloguj|logowani|zalogować',
    reset:
      'zresetuj|resetuj|resetowani|przywróć|odzyska|(?:nowe|zmień|zmian\\w|ustaw\\w*|utwórz|zapomni\\w+) .{0,10}hasł',
    invite: 'zaproszeni|zaprasza|zaprosi',
    join: 'zaakceptuj|przyjmij|akceptuj|dołącz',
    deny: '(?:jeśli|jeżeli|gdyby) .{0,50}\\bnie\\b|to nie ty',
    report: 'hasło\\b.{0,30}(?:zostało|zmienion)|nowe (?:logowanie|urządzenie)|nowe zalogowanie',
  },
  cs: {
    confirm:
      'potvrď|potvrdit|potvrzení (?:e-?mail|registr|adres|účt)|ověřit|ověřte|ověření|aktivuj|aktivac|aktivovat|dokonč\\w+ registr',
    sign_in: 'přihlás(?!il)|přihlášení',
    reset: 'obnov|resetov|(?:nové|změn\\w+|nastav\\w+|vytvoř\\w*|zapomen\\w+) .{0,10}hesl',
    invite: 'pozvánk|pozván|vás zve|pozval',
    join: 'přijmout|přijm|připoj|přidat se',
    deny: '(?:pokud|jestli\\w*) .{0,50}\\b(?:ne\\w+)|nebyl\\w* (?:vy|jste to)',
    report: 'heslo\\b.{0,30}(?:bylo|změněno)|nové (?:přihlášení|zařízení)',
  },
  sk: {
    confirm:
      'potvrď|potvrdiť|potvrdenie (?:e-?mail|registr|adres|účt)|overi[ťt]|overte|overenie|aktivuj|aktiváci|aktivovať|dokonč\\w+ registr',
    sign_in: 'prihlás(?!il)|prihlásenie',
    reset: 'obnov|resetov|(?:nové|zmen\\w+|nastav\\w+|vytvor\\w*|zabudnut\\w+) .{0,10}hesl',
    invite: 'pozvánk|pozvan|vás pozýva|pozval',
    join: 'prijať|prijm|pripoj',
    deny: '(?:ak|pokiaľ) .{0,50}\\bne\\w+',
    report: 'heslo\\b.{0,30}(?:bolo|zmenené)|nové (?:prihlásenie|zariadenie)',
  },
  sl: {
    confirm: 'potrdi|potrditev (?:e-?|naslova|računa)|preveri|aktivir|aktivacij|dokonč\\w+ registr',
    sign_in: 'prijav(?:i|a|ite|o|na)\\b|prijavit',
    reset: 'ponastav|(?:novo|spremeni\\w*|ustvari\\w*|pozablj\\w+) .{0,10}geslo',
    invite: 'povabil|vabilo|vabi vas|povabljen',
    join: 'sprejmi|sprejmete|pridruži',
    deny: '\\bče .{0,50}\\b(?:ni|niste|nisi)\\b',
  },
  hr: {
    confirm:
      'potvrdi|potvrđivanje|potvrdu (?:e-?mail|adres)|verificir|verifikaci|aktivir|aktivacij|dovrši\\w* registr',
    sign_in: 'prijav(?:i|a|ite|u|ni)\\b|prijavit|uloguj|ulogir',
    reset:
      'resetir|resetuj|ponovno postav|poništ|(?:nov[aou]|promijeni\\w*|promeni\\w*|zaboravljen\\w*|postavi\\w*) .{0,10}lozink',
    invite: 'poziv(?:nic|a vas|\\b)|pozvan|pozvao',
    join: 'prihvati|pridruži',
    deny: '\\b(?:ako|ukoliko) .{0,50}\\b(?:nis\\w+|ne)\\b',
  },
  sr: {
    confirm: 'потврди|потврд[уа] (?:е-?|имејл|адрес)|верификуј|верификациј|активирај|активациј',
    sign_in: 'пријави|пријав[ау]|улогуј',
    reset: 'ресетуј|поништи|(?:нов[ау]|промени\\w*|заборављен\\w*) .{0,10}лозинк',
    invite: 'позивниц|позван|позив\\b',
    join: 'прихвати|придружи',
    deny: '(?:ако|уколико) .{0,50}(?:нис|не )',
  },
  bg: {
    confirm: 'потвърди|потвърдете|потвърждени|потвърждаване|верифицир|активир(?!ан)|завърш\\S+ регистрац',
    sign_in: 'влез|вход(?:\\s|$)|влизане|впиш',
    reset: 'нулира|възстанов|(?:нова|смен\\S+|промен\\S+|забравен\\S*) .{0,10}парол',
    invite: 'покан|поканен',
    join: 'приеми|приемете|присъедин',
    deny: 'ако .{0,50}\\sне\\s',
  },
  mk: {
    confirm: 'потврди|потврда на|верификув|активирај',
    sign_in: 'најави|најава|влези',
    reset: 'ресетирај|ресетирање|(?:нова|смени\\S*|заборавена) .{0,10}лозинк',
    invite: 'покана|поканет|поканува',
    join: 'прифати|придружи',
    deny: 'ако .{0,50}\\s(?:не|немате)\\s',
  },
  ru: {
    confirm:
      'подтверд(?!ил)|подтвержд(?!ен[аоы]?\\b|ён)|активир(?!ован)|активац|верифик|заверш\\S+ регистрац',
    sign_in: 'войти|войдите|вход(?:\\s|а|$)|входа|авториз|залогин',
    reset: 'сброс|восстанов|(?:нов\\S+|смен\\S+|измен\\S+|создать|создайте|задать|забыли) .{0,10}парол',
    invite: 'приглаш(?!айте|ай\\b)|пригласил',
    join: 'принять|примите|присоедин|вступить',
    deny: '(?:если|когда) .{0,50}не\\s|это (?:были )?не вы',
    report:
      'парол\\S*\\s.{0,30}(?:измен[её]н|обновл[её]н|был)|нов(?:ый|ое) (?:вход|устройств)|вход (?:с|в) нов|(?:подозрительн|необычн)\\S+ (?:вход|актив)',
  },
  uk: {
    confirm: 'підтверд(?!ил)|підтвердж(?!ен[оаі]?\\b)|активув|активац|верифік|заверш\\S+ реєстрац',
    sign_in: 'увій|вхід|входу|авториз|ввійти',
    reset: 'скин|віднов|(?:нов\\S+|змін\\S+|створ\\S+|забули) .{0,10}парол',
    invite: 'запрош|запросив|запросила',
    join: 'прийняти|прийміть|приєдна|долуч',
    deny: '(?:якщо|коли) .{0,50}не\\s|це (?:були )?не ви',
    report: 'пароль\\s.{0,30}(?:змінено|було|оновлено)|нов(?:ий|а) (?:вхід|пристрій)',
  },
  be: {
    confirm: 'пацверд|пацвярдж|актывав|верыфік|завяршы',
    sign_in: 'увайсці|увайдзі|уваход|аўтарыз',
    reset: 'скінуць|скід|аднав|(?:нов\\S+|змян\\S+) .{0,10}парол',
    invite: 'запрашэн|запрасі|запрошан',
    join: 'прыняць|прыміце|далуч',
    deny: 'калі .{0,50}не\\s',
  },
  el: {
    confirm: 'επιβεβαι(?!ώθηκε)|επαλήθευ(?!τηκε)|επαληθε[υύ]|ενεργοπο(?!ιήθηκε)|ολοκληρ\\S+ (?:την )?εγγραφ',
    sign_in: 'σύνδεση|συνδεθείτε|συνδεθείς|είσοδο',
    reset: 'επαναφορ|επαναφέρ|(?:νέο[υς]*|αλλαγή|αλλάξ\\S+|ορίστε|ξεχάσ\\S+) .{0,14}κωδικ',
    invite: 'πρόσκληση|προσκλήθηκ|προσκεκλημέν|σας προσκαλεί|σας προσκάλεσε',
    join: 'αποδοχή|αποδεχτ|αποδεχθ|συμμετ|εγγραφείτε|μπείτε',
    deny: '(?:αν|εάν) .{0,50}δεν',
    report: 'κωδικός\\s.{0,30}(?:άλλαξε|ενημερώθηκε)|νέα (?:σύνδεση|συσκευή)',
  },
  hu: {
    confirm:
      'megerősít(?!ett|ve)|erősítse|erősítsd|igazol|ellenőriz|aktivál(?!va|tuk)|hitelesít|regisztráció befejez',
    sign_in: 'bejelentkez|jelentkezz(?:en)? be|belép(?:és|ek|j|jen)',
    reset:
      'visszaállít|alaphelyzet|jelszó-?(?:vissza|emlékez|csere)|(?:új|elfelejtett|módosít\\S+|állítsa?) .{0,10}jelsz',
    invite: 'meghív',
    join: 'elfogad|csatlakoz',
    deny: '\\bha .{0,50}\\bnem\\b',
    report: 'jelsz\\S+\\b.{0,30}(?:megváltoz|módosult|módosítot)|új (?:bejelentkezés|eszköz)',
  },
  ro: {
    confirm: 'confirm(?!at)|verific(?!at)|activea|activați|activare|validea|finaliz\\S+ înregistr',
    sign_in: 'conect(?:are|ează|ați)|autentific|intră în cont|loghe',
    reset: 'reset|recuper|(?:nouă|schimb\\S+|set\\S+|alege\\S*|uitat) .{0,10}parol|parol\\S+ (?:nouă|uitată)',
    invite: 'invitați|invitat|te invită|vă invită',
    join: 'accept|alătur',
    deny: '\\bdacă .{0,50}\\bnu\\b',
    report: 'parol\\S+\\b.{0,30}(?:a fost|schimbat)|(?:autentificare|conectare|dispozitiv) nou',
  },
  ca: {
    confirm:
      'confirm(?!at|ació de (?:la )?comanda)|verific(?!at)|activar|activeu|activa (?:el|la)\\b|validar|valideu',
    sign_in: 'inici(?:a|ar|eu|o)? (?:de )?sessió|accedi|entra\\b',
    reset: 'restabl|recuper(?:a|ar|eu)|(?:nova|canvi\\w+|oblid\\w+) .{0,12}contrasenya',
    invite: "invitació|convidat|convida't|t'ha convidat|us ha convidat",
    join: "accept|uneix|unir-te|apunta't",
    deny: '\\bsi .{0,50}\\bno\\b',
  },
  gl: {
    confirm: 'confirm(?!ad[oa])|verific(?!ad[oa])|activar|activa (?:a|o)\\b',
    sign_in: 'inici(?:ar?|e) sesi|accede',
    reset: 'restabl|recuper|(?:nova|cambi\\w+) .{0,12}contrasinal',
    invite: 'invitación|convid(?:ad|ou)',
    join: 'acept|únete',
  },
  eu: {
    confirm: 'berretsi|berrets|egiaztatu|aktibatu|baieztatu',
    sign_in: 'hasi saioa|saioa has|sartu',
    reset: 'berrezarri|pasahitz(?:a|\\w*) (?:aldatu|berri|berrezar)',
    invite: 'gonbida(?:pen|tu)',
    join: 'onartu|batu',
    deny: '\\bez ba\\w+',
  },
  et: {
    confirm: 'kinnita(?!tud)|kinnitami|kinnitus(?:link|eks)|aktiveeri|verifitseeri',
    sign_in: 'logi sisse|sisselogimi|sisse logi',
    reset: 'lähtesta|taasta|(?:uus|uue|muuda|vaheta|unusta\\w+) .{0,10}(?:parool|salasõna)',
    invite: 'kutse|kutsutud|kutsus|kutsub',
    join: 'nõustu|liitu|võta vastu',
    deny: '\\bkui .{0,50}\\b(?:ei|pole)\\b',
  },
  lv: {
    confirm: 'apstiprin|aktivizē|aktivēt|verific',
    sign_in: 'pierakst|ielogo|pieteikt|pieteikšan|pieslēg',
    reset: 'atiestat|atjaunot|(?:jaun\\S+|main\\S+|aizmirs\\S+) .{0,10}parol',
    invite: 'uzaicin|ielūg',
    join: 'pieņemt|pieņem|pievieno',
    deny: '\\bja (?:jūs|tu|tas|šo)\\b.{0,40}\\bne\\w+',
  },
  lt: {
    confirm: 'patvirtin(?!tas|ta\\b)|patvirtink|aktyvuo|patikrin',
    sign_in: 'prisijung',
    reset:
      'atkurti|atkurk|atstaty|nustatyti iš naujo|(?:nauj\\S+|keist\\S+|pakeis\\S+|pamirš\\S+) .{0,12}slaptažod',
    invite: 'kvieti|pakvie|kviečia',
    join: 'priimti|priimk|prisijungti prie',
    deny: '\\bjei(?:gu)? .{0,50}\\b(?:ne\\w+)',
  },
  sq: {
    confirm: 'konfirmo|verifiko|aktivizo',
    sign_in: 'hyni|identifikohu|kyçu',
    reset: 'rivendos|ndrysho fjalëkalim|fjalëkalim\\S* (?:i ri|të ri)',
    invite: 'ftes[ëe]|ftuar',
    join: 'prano|bashkohu',
  },
  tr: {
    confirm:
      'doğrula(?!ndı)|onayla(?!ndı)|etkinleştir(?!ildi)|aktif(?:leştir| et)|aktivasyon|kaydı(?:nızı|nı)? tamamla',
    sign_in: 'giriş(?:\\b|i)|oturum aç|oturum açma',
    reset:
      'sıfırla|(?:yeni|değiştir|belirle|unut\\S+|oluştur) .{0,10}(?:şifre|parola)|(?:şifre|parola)\\S* (?:yenile|değiştir|belirle|oluştur|kurtar|unut)|kurtar',
    invite: 'davet(?! et|iye hediye)|davetiye',
    join: 'kabul et|katıl',
    deny: '(?:değilse|madıysan|mediysen|etmediy|yapmadıy|sizin değil)',
    report: '(?:şifre|parola)\\S* .{0,20}(?:değiştirildi|güncellendi)|yeni (?:giriş|oturum|cihaz)',
  },
  az: {
    confirm: 'təsdiq|doğrula|aktivləşdir',
    sign_in: 'daxil ol|giriş',
    reset: 'sıfırla|bərpa|(?:yeni|dəyiş\\S*) .{0,10}(?:şifrə|parol)',
    invite: 'dəvət',
    join: 'qəbul et|qoşul',
    deny: '(?:deyil|etmə\\S+s)[^.]*(?:sə|sə,|iz)',
  },
  uz: {
    confirm: 'tasdiqla|faollashtir',
    sign_in: 'kirish|kiring',
    reset:
      "tikla(?:sh|ng)|qayta o'rnat|(?:yangi|o'zgartir\\S*) .{0,10}parol|parol\\S* (?:tikla|o'zgartir|yangila)",
    invite: 'taklif',
    join: "qabul qil|qo'shil",
  },
  kk: {
    confirm: 'растау|растаңыз|белсендір',
    sign_in: 'кіру|кіріңіз',
    reset:
      'қалпына келтір|(?:жаңа|өзгерт\\S*) .{0,12}(?:құпия|пароль)|қайта орнат|(?:құпиясөз|пароль)\\S* (?:қалпына|өзгерт)',
    invite: 'шақыр',
    join: 'қабылда|қосыл',
  },
  ka: {
    confirm: 'დადასტურ|დაადასტურ|აქტივაცი|გააქტიურ|ვერიფიკაცი',
    sign_in: 'შესვლ|შედით|ავტორიზაცი',
    reset: 'აღდგენ|აღადგინ|პაროლის (?:შეცვლ|განახლ)|ახალი პაროლ',
    invite: 'მოწვევ|მოგიწვი|მოსაწვევ',
    join: 'მიღებ|მიიღე|შეუერთ',
  },
  hy: {
    confirm: 'հաստատ|ակտիվաց|վավերաց',
    sign_in: 'մուտք|մտնել',
    reset: 'վերականգն|վերակայ|նոր գաղտնաբառ|փոխել գաղտնաբառ',
    invite: 'հրավ(?:եր|իր)',
    join: 'ընդուն|միան',
  },
  mn: {
    confirm: 'баталгаажуул|идэвхжүүл',
    sign_in: 'нэвтр',
    reset: 'сэргээ|нууц үг\\S* (?:солих|шинэч|сэргэ)|шинэ нууц үг',
    invite: 'урилга|урьсан',
    join: 'зөвшөөр|нэгд',
  },
  ar: {
    confirm: 'تأكيد|أكد|أكّد|تحقق|تحقّق|التحقق|تفعيل|فعّل|فعل حساب|تنشيط',
    sign_in: 'تسجيل الدخول|سجل الدخول|سجّل الدخول|الدخول إلى|لتسجيل الدخول',
    reset:
      'إعادة تعيين|إعادة ضبط|استعادة|استرداد|(?:تغيير|جديدة|إنشاء) .{0,10}كلمة (?:ال)?(?:مرور|سر)|كلمة (?:ال)?(?:مرور|سر) (?:جديدة|الجديدة)|نسيت كلمة',
    invite: 'دعوة|دعاك|دعوتك|مدعو',
    join: 'قبول|اقبل|انضم|الانضمام',
    deny: '(?:إذا|ان|إن) .{0,40}(?:لم|لا|ليس)',
    report: '(?:تم|لقد تم) تغيير|تسجيل دخول جديد|جهاز جديد',
  },
  fa: {
    confirm: 'تأیید|تایید|تائید|فعال ?سازی|فعال‌سازی|فعال کردن',
    sign_in: 'ورود|وارد شوید|لینک ورود',
    reset: 'بازنشانی|بازیابی|(?:تغییر|جدید) .{0,10}(?:رمز|گذرواژه)|(?:رمز عبور|گذرواژه) جدید|فراموشی رمز',
    invite: 'دعوت',
    join: 'پذیرش|پذیرفتن|قبول|پیوستن|بپیوندید',
    deny: 'اگر .{0,50}(?:نکرده|نبود|نداده|نیست)',
    report: 'رمز .{0,20}تغییر کرد|ورود جدید',
  },
  ur: {
    confirm: 'تصدیق|فعال کریں|توثیق',
    sign_in: 'لاگ ان|سائن ان|داخل ہوں',
    reset: 'ری سیٹ|دوبارہ ترتیب|(?:نیا|تبدیل) .{0,10}پاس ?ورڈ|پاس ?ورڈ (?:تبدیل|بحال)',
    invite: 'دعوت|مدعو',
    join: 'قبول|شامل ہوں',
    deny: 'اگر .{0,50}(?:نہیں|نہ )',
  },
  he: {
    confirm: 'אמת|אימות|לאמת|אשר את|אישור (?:ה|כתובת|חשבון|דוא|מייל|אימייל|הרשמה)|לאשר את|הפעל|הפעלת',
    sign_in: 'התחבר|כניסה|היכנס|להתחברות',
    reset: 'איפוס|אפס|לאפס|שחזור|(?:סיסמה|סיסמא) חדשה|(?:שינוי|החלפת|שכחת) .{0,6}סיסמ',
    invite: 'הזמנה|הוזמנת|מזמין אותך|הזמין אותך',
    join: 'קבל|קבלת|הצטרף|להצטרף',
    deny: 'אם .{0,40}(?:לא |אינך)',
    report: 'הסיסמה .{0,10}שונתה|כניסה חדשה|התחברות חדשה|מכשיר חדש',
  },
  hi: {
    confirm: 'सत्याप|पुष्टि|सक्रिय|वेरिफ',
    sign_in: 'लॉगिन|लॉग इन|साइन इन',
    reset: 'रीसेट|(?:नया|बदल\\S*) .{0,10}पासवर्ड|पासवर्ड (?:बदल|रीसेट|पुनः)',
    invite: 'आमंत्र|निमंत्रण|न्योता',
    join: 'स्वीकार|शामिल हों|जुड़ें',
    deny: '(?:अगर|यदि) .{0,50}(?:नहीं|न )',
    report: 'पासवर्ड .{0,20}बदल (?:दिया|गया)|नया (?:लॉगिन|डिवाइस)',
  },
  mr: {
    confirm: 'सत्यापित|पडताळ|पुष्टी|सक्रिय',
    sign_in: 'लॉग इन|साइन इन',
    reset: 'रीसेट|पासवर्ड बदल|नवीन पासवर्ड',
    invite: 'आमंत्रण|आमंत्रित',
    join: 'स्वीकार|सामील',
  },
  bn: {
    confirm: 'যাচাই|নিশ্চিত|সক্রিয়',
    sign_in: 'লগ ?ইন|সাইন ?ইন',
    reset: 'রিসেট|পুনরায় সেট|(?:নতুন|পরিবর্তন) .{0,10}পাসওয়ার্ড|পাসওয়ার্ড (?:পরিবর্তন|পুনরুদ্ধার)',
    invite: 'আমন্ত্রণ|আমন্ত্রিত',
    join: 'গ্রহণ|যোগ দিন|যোগদান',
    deny: 'যদি .{0,50}(?:না|নি)',
  },
  ta: {
    confirm: 'சரிபார்|உறுதிப்படுத்|உறுதி செய்|செயல்படுத்',
    sign_in: 'உள்நுழை',
    reset: 'மீட்டமை|(?:புதிய|மாற்ற) .{0,10}கடவுச்சொ|கடவுச்சொல்லை (?:மாற்ற|மீட்ட)',
    invite: 'அழைப்பு|அழைத்து|அழைக்கப்பட்',
    join: 'ஏற்க|ஏற்று|சேர',
  },
  te: {
    confirm: 'ధృవీకరి|ధృవీకర|నిర్ధారి|సక్రియ|యాక్టివేట్',
    sign_in: 'లాగిన్|సైన్ ఇన్',
    reset: 'రీసెట్|కొత్త పాస్‌?వర్డ్|పాస్‌?వర్డ్.{0,6}మార్చ',
    invite: 'ఆహ్వాన',
    join: 'అంగీకరి|ఆమోది|చేరండి',
  },
  kn: {
    confirm: 'ಪರಿಶೀಲಿ|ದೃಢೀಕರಿ|ಖಚಿತಪಡಿಸ|ಸಕ್ರಿಯ',
    sign_in: 'ಲಾಗಿನ್|ಲಾಗ್ ಇನ್|ಸೈನ್ ಇನ್',
    reset: 'ಮರುಹೊಂದಿ|ರೀಸೆಟ್|ಪಾಸ್‌?ವರ್ಡ್ ಬದಲ|ಹೊಸ ಪಾಸ್‌?ವರ್ಡ್',
    invite: 'ಆಹ್ವಾನ',
    join: 'ಸ್ವೀಕರಿ|ಸೇರಿ',
  },
  ml: {
    confirm: 'സ്ഥിരീകരി|പരിശോധിച്ചുറ|സജീവമാ',
    sign_in: 'ലോഗിൻ|ലോഗ് ഇൻ|സൈൻ ഇൻ',
    reset: 'പുനഃസജ്ജ|റീസെറ്റ്|പുതിയ പാസ്‌?വേഡ്|പാസ്‌?വേഡ് മാറ്റ',
    invite: 'ക്ഷണ',
    join: 'സ്വീകരി|ചേര',
  },
  gu: {
    confirm: 'ચકાસ|પુષ્ટિ|સક્રિય',
    sign_in: 'લૉગ ?ઇન|લોગ ?ઇન|સાઇન ઇન',
    reset: 'રીસેટ|ફરીથી સેટ|નવો પાસવર્ડ|પાસવર્ડ બદલ',
    invite: 'આમંત્રણ|આમંત્રિત',
    join: 'સ્વીકાર|જોડા',
  },
  pa: {
    confirm: 'ਪੁਸ਼ਟੀ|ਤਸਦੀਕ|ਸਰਗਰਮ|ਐਕਟੀਵੇਟ',
    sign_in: 'ਲਾਗ ?ਇਨ|ਸਾਈਨ ਇਨ',
    reset: 'ਰੀਸੈਟ|ਨਵਾਂ ਪਾਸਵਰਡ|ਪਾਸਵਰਡ ਬਦਲ',
    invite: 'ਸੱਦਾ|ਸੱਦਿਆ',
    join: 'ਸਵੀਕਾਰ|ਸ਼ਾਮਲ',
  },
  zh: {
    confirm:
      '验证(?!码|成功)|驗證(?!碼|成功)|确认(?!函|收货|订单|单)|確認(?!函|訂單)|激活(?!码|成功)|啟用(?!碼)|启用|激活您|完成注册|完成註冊|认证|認證',
    sign_in: '登录|登入|登錄|登陆',
    reset: '重置|重设|重設|找回|恢复密码|(?:修改|更改|设置|設定|新)(?:您的|你的)?密[码碼]|忘[记記]密[码碼]',
    invite: '邀请(?!码|好友|朋友)|邀請(?!碼|好友|朋友)',
    join: '接受|加入',
    deny: '(?:如果|若|如|倘若).{0,20}(?:不是|非|没有|沒有|未|并未|並未)',
    report:
      '密[码碼]已|已(?:成功)?(?:修改|更改|變更|重置|重設|验证|驗證)|新(?:的)?(?:登录|登入|设备|裝置)|异地登录',
  },
  ja: {
    confirm:
      '認証(?!コード|番号)|確認(?!コード|番号|いたしました|しました|書)|検証|有効化|承認|アクティベー|登録(?:を|の)?完了(?!しました|いたし|の?お知らせ)|本登録',
    sign_in: 'ログイン|サインイン',
    reset:
      '再設定|リセット|再発行|パスワード(?:を|の)(?:お忘れ|変更(?!されました|が完了)|設定)|新しいパスワード',
    invite: '招待(?!コード|して)|ご招待|招待されました',
    join: '承諾|受け入れ|参加|受諾',
    deny: '(?:心当たり|覚え|お客様)[^。]{0,20}(?:ない|でない)|ではない場合|していない場合',
    report:
      'パスワード(?:が|を)変更(?:され|しま)|新しい(?:デバイス|端末|ログイン)|ログイン(?:がありました|されました|通知|のお知らせ)|完了しました|されました',
  },
  ko: {
    confirm: '인증(?! ?(?:번호|코드))|확인(?! ?(?:번호|코드|서))|활성화|등록 ?완료하기|가입을? 완료',
    sign_in: '로그인',
    reset: '재설정|초기화|비밀번호 (?:변경(?!되)|찾기|설정)|(?:새|새로운) 비밀번호',
    invite: '초대(?! ?코드|하세요|하기)',
    join: '수락|참여|가입',
    deny: '(?:않았|아니|없)[^.]{0,12}(?:다면|라면|경우|으면|면)',
    report: '변경되었|변경됐|완료되었|새(?:로운)? (?:기기|로그인)|로그인 ?(?:알림|되었|감지)',
  },
  vi: {
    confirm: 'xác minh(?! thành công)|xác nhận(?! đơn)|xác thực|kích hoạt(?! thành công)|hoàn tất đăng ký',
    sign_in: 'đăng nhập',
    reset: 'đặt lại|khôi phục|(?:mật khẩu mới)|(?:đổi|tạo|quên) mật khẩu',
    invite: 'lời mời|được mời|đã mời|mời bạn',
    join: 'chấp nhận|tham gia',
    deny: '\\bnếu .{0,40}không',
    report: 'mật khẩu .{0,20}đã (?:được )?(?:thay đổi|đổi|cập nhật)|đăng nhập mới|thiết bị mới',
  },
  th: {
    confirm: 'ยืนยัน|ตรวจสอบ(?:อีเมล|บัญชี)|เปิดใช้งาน',
    sign_in: 'เข้าสู่ระบบ|ลงชื่อเข้าใช้|ล็อกอิน',
    reset: 'รีเซ็ต|ตั้งรหัสผ่าน|(?:เปลี่ยน|ลืม|กู้คืน)รหัสผ่าน|รหัสผ่านใหม่',
    invite: 'คำเชิญ|เชิญคุณ|ได้รับเชิญ',
    join: 'ยอมรับ|ตอบรับ|เข้าร่วม',
    deny: '(?:หาก|ถ้า).{0,40}(?:ไม่|มิ)',
    report: 'รหัสผ่าน.{0,20}(?:ถูกเปลี่ยน|เปลี่ยนแล้ว)|การเข้าสู่ระบบใหม่|อุปกรณ์ใหม่',
  },
  id: {
    confirm: 'verifikasi|konfirmasi(?! pesanan)|aktivasi|aktifkan|validasi|sahkan',
    sign_in: 'masuk\\b|log ?masuk|login',
    reset:
      'setel ulang|atur ulang|pulihkan|tetapkan semula|(?:kata sandi|kata laluan|password) baru|(?:ubah|ganti|lupa|buat|tukar) .{0,8}(?:kata sandi|password|kata laluan|sandi)',
    invite: 'undangan|diundang|mengundang|jemputan|dijemput|menjemput',
    join: 'terima|gabung|sertai|bergabung',
    deny: '\\b(?:jika|bila|sekiranya) .{0,40}\\b(?:tidak|bukan)\\b',
    report:
      '(?:kata sandi|password|kata laluan) .{0,24}(?:telah|sudah|berhasil) (?:di\\w+|ter\\w+)|(?:login|perangkat) baru',
  },
  tl: {
    confirm: 'kumpirma|beripika|i-?verify|i-?activate|patunay',
    sign_in: 'mag-?log ?in|mag-?sign ?in',
    reset: 'i-?reset|bagong password|palitan .{0,10}password',
    invite: 'imbita|paanyaya|inaanyaya',
    join: 'tanggapin|sumali',
    deny: 'kung .{0,40}hindi',
  },
  sw: {
    confirm: 'thibitisha|hakiki|washa akaunti',
    sign_in: 'ingia\\b',
    reset: 'weka upya|(?:nenosiri|nywila) (?:jipya|mpya)|badilisha (?:nenosiri|nywila)',
    invite: 'mwaliko|umealikwa|amekualika',
    join: 'kubali|jiunge',
    deny: 'kama .{0,30}\\bhu\\w+',
  },
  af: {
    confirm: 'bevestig|verifieer|aktiveer',
    sign_in: 'meld aan|teken in',
    reset: 'herstel|nuwe wagwoord|verander .{0,10}wagwoord',
    invite: 'uitnodiging|uitgenooi',
    join: 'aanvaar|sluit aan',
    deny: '\\bas .{0,40}\\bnie\\b',
  },
}

/** What every language says of one kind, as one expression over `folded` text. */
export function linkWords(kind: keyof LinkWords): RegExp {
  const spaced: string[] = []
  const others: string[] = []
  for (const words of Object.values(LINK_WORDS)) {
    const piece = words[kind]
    if (piece !== undefined) (SPACED.test(piece) ? spaced : others).push(piece)
  }
  return folded(`(?<![a-z0-9\\u0370-\\u052f])(?:${spaced.join('|')})|${others.join('|')}`)
}

/** Scripts in which the beginning of a word shows. */
const SPACED = /\p{Script=Latin}{2}|\p{Script=Cyrillic}|\p{Script=Greek}/u
