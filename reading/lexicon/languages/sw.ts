import type { Language } from '../language.ts'

export const swahili: Language = {
  code: 'msimbo, misimbo, kodi, namba ya siri',
  password: 'nenosiri, neno la siri, nywila',
  key: 'ufunguo, nambari',
  verificationCode: `
    nenosiri la mara moja, nenosiri la muda, namba ya uthibitisho, nambari ya uthibitisho,
    nambari ya uthibitishaji, namba ya uthibitishaji
  `,
  verify: 'uthibitish*, kuthibitish*, thibitish*, uthibitisho, kuamilish*, uanzish*',
  confirm: 'hakiki*, uhakiki*',
  signIn: 'kuingia, ingia, kujisajili, usajili',
  reset: 'kuweka upya, weka upya, kurejesha',
  secret: 'usalama, siri, mara moja, tarakimu',
  access: 'ufikiaji',
  otherwise: 'punguzo, posta, hitilafu, simu, agizo, akaunti',
  yours: 'yako, wako, hii, huu, lako, ifuatayo',
  is: 'ni, ndio, ndiyo',
  enter: 'weka, ingiza, tumia, andika',
  names: 'agizo, simu, ankara, oda, akaunti',
  time: 'dakika, saa, siku, sekunde',
  unit: 'tzs, kes, shilingi',
  warns: 'usimshirikishe, usishiriki, mtu yeyote, itaisha, utaisha, muda wake, puuza',
  offer: 'punguzo',
  links: {
    confirm: 'thibitisha|hakiki|washa akaunti',
    sign_in: 'ingia\\b',
    reset: 'weka upya|(?:nenosiri|nywila) (?:jipya|mpya)|badilisha (?:nenosiri|nywila)',
    invite: 'mwaliko|umealikwa|amekualika',
    join: 'kubali|jiunge',
    deny: 'kama .{0,30}\\bhu\\w+',
  },
}
