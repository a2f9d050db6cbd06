import type { Language } from '../language.ts'

export const somali: Language = {
  code: 'koodh, koodka, koodhka, koodhkaaga, koodkaaga, koodkaagu',
  password: 'erayga sirta, furaha sirta',
  key: 'lambarka',
  verificationCode: 'erayga sirta hal mar, lambarka xaqiijinta',
  verify: 'xaqiiji*, ansixi*, hawlgeli*',
  signIn: 'gelitaan*, soo gal*, geli*, diiwaangeli*',
  secret: 'amniga, ammaanka, sirta',
  otherwise: 'qiimo dhimis*, boosto',
  yours: 'kaaga, aaga, kan, waa, kaagu',
  is: 'waa, yahay',
  enter: 'geli, isticmaal, ku qor',
  names: 'dalab*, telefoon*',
  time: 'daqiiqo*, saac*, maalin*',
  warns: 'ha la wadaagin, cidna, dhacayaa, ansax',
}
