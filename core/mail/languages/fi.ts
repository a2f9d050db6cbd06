import type { Language } from './language.ts'

export const finnish: Language = {
  code: `
    *koodi, *koodisi, *koodin, *koodia, *koodit, *koodinne, tunnusluku, *tunnusluku, *koodilla,
    *koodiin, *koodista, *koodeja
  `,
  password: '*salasana, *salasanasi',
  key: '*avain, *avaimesi',
  verificationCode: `
    *kertakäyttösalasana*, kertakäyttöinen salasana*, kertakäyttöinen koodi*, *kertakäyttökoodi*,
    *varmennenumero, *tunnusluku*, väliaikainen salasana*
  `,
  verify: 'vahvist*, todenn*, todentam*, varmenn*, aktivoi*, tunnist*',
  confirm: 'hyväksy*',
  signIn: 'kirjaudu*, kirjautu*, sisäänkirjau*',
  reset: 'nollaa*, palaut*, uusi salasana, unohd*',
  secret: 'turva*, kertakäyttö*, numeroi*, tunniste*, *numeroinen, tilapäi*, väliaikai*, rekisteröi*',
  access: 'pääsy*',
  otherwise: `
    alennus*, posti*, virhe*, lähde*, viiva*, kampanja*, varaus*, maa*, lahja*, qr, kutsu*, käyttäjä*,
    yritys*
  `,
  yours: 'tämä, seuraava, sinun, tässä, on',
  is: 'on, seuraava',
  enter: 'syötä, anna, käytä, kirjoita, näppäile',
  enterAfter: 'koodilla',
  names: 'tilaus*, lasku*, asiakas*, puh, puhelin*, numero, viite*, y-tunnus, kortti*',
  time: 'minuutti*, minuutin, min, tunti, tuntia, tunnin, päivä*, sekunti*, minuuttia',
  unit: 'viikko*, kuukau*, vuotta, euroa, pistettä',
  warns: 'voimassa, vanhenee, älä jaa, älä anna, et pyytänyt, jos et, jätä huomiotta, ohita',
  offer: 'alennus*',
  confirmLink: 'vahvist*, aktivoi*',
  signInLink: 'kirjaudu*',
  unsubscribe: 'peruuta tilaus',
  legal: 'tietosuoja*',
}
