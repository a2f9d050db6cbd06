import type { Language } from '../language.ts'

export const finnish: Language = {
  code: `
    *koodi, *koodisi, *koodin, *koodia, *koodit, *koodinne, tunnusluku, *tunnusluku, *koodilla,
    *koodiin, *koodista, *koodeja
  `,
  password: '*salasana, *salasanasi',
  key: '*avain, *avaimesi',
  verificationCode: `
    *kertakäyttösalasana*, kertakäyttöinen salasana*, kertakäyttöinen koodi*, *kertakäyttökoodi*,
    *varmennenumero, *tunnusluku*, väliaikainen salasana*, salalause, salasana lause
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
  links: {
    confirm: 'vahvist(?:a|us)|vahvistaaksesi|varmenna|aktivoi|viimeistele rekister',
    sign_in: 'kirjaudu|kirjautumis|sisäänkirjautu',
    reset:
      'nollaa|palauta .{0,10}salasana|salasanan (?:palaut|nolla|vaihto)|(?:uusi|uuden|vaihda|aseta|luo|unohd\\w+) .{0,10}salasana',
    invite: 'kutsu(?:\\b|ttu|i sinut|n)|sinut on kutsuttu',
    join: 'hyväksy|liity',
    deny: '\\b(?:jos|mikäli) .{0,50}\\b(?:et|ei)\\b|ellet',
    report: 'salasana\\w*\\b.{0,30}(?:on )?(?:vaihdettu|muutettu)|uusi (?:kirjautuminen|laite)',
    unsubscribe: 'peruuta tilaus|lopeta tilaus',
  },
}
