import type { Language } from '../language.ts'

export const estonian: Language = {
  code: '*kood, *koodi, *koodiks, *koodid',
  password: '*parool, *salasõna, *parooli',
  key: '*võti',
  verificationCode: '*ühekordne parool, *ühekordne salasõna, ajutine parool',
  verify: 'kinnit*, tõenda*, autenti*, aktiveeri*, valideeri*, tuvasta*',
  signIn: 'sisselogi*, sisse logi*, logi sisse, sisenemi*',
  reset: 'lähtesta*, taasta*, uus parool',
  secret: 'turva*, ühekord*, numbriline, *kohaline, isiku*, ajuti*, registreeri*',
  access: 'juurdepääs*, pääsu*',
  otherwise: `
    soodus*, allahindlus*, posti*, vea*, lähte*, vööt*, triip*, riigi*, kinke*, kupongi*, qr, kutse*
  `,
  yours: 'teie, sinu, see, järgmine, siin on',
  is: 'on, järgmine',
  enter: 'sisesta, sisestage, kasuta, kasutage, kirjuta, trüki',
  names: 'tellimus*, arve*, arve nr, kliendi*, telefon*, tel, number, nr, konto*, saadetis*, *number',
  time: 'minut*, min, tund*, tunni, päev*, sekund*',
  unit: 'eurot, nädalat, kuud, aastat',
  warns: 'kehtib, aegub, ära jaga, ärge jagage, kellegagi, ignoreeri, kui sa ei',
  offer: 'soodustus*, allahindlus*',
  links: {
    confirm: 'kinnita(?!tud)|kinnitami|kinnitus(?:link|eks)|aktiveeri|verifitseeri',
    sign_in: 'logi sisse|sisselogimi|sisse logi',
    reset: 'lähtesta|taasta|(?:uus|uue|muuda|vaheta|unusta\\w+) .{0,10}(?:parool|salasõna)',
    invite: 'kutse|kutsutud|kutsus|kutsub',
    join: 'nõustu|liitu|võta vastu',
    deny: '\\bkui .{0,50}\\b(?:ei|pole)\\b',
    unsubscribe: 'loobu|tühista tellimus',
  },
}
