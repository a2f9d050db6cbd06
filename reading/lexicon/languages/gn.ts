import type { Language } from '../language.ts'

/** Guaraní and Quechua, Aymara. */
export const guarani: Language = {
  code: 'ayvu, códigu, papapy, yupay, código',
  password: "ñe'ẽñemi, yaykuna rimay",
  verify: 'mbojevyha, chiqanchay, chiqaqchay, jehechaha',
  signIn: 'jeike, yaykuy',
  yours: 'nde, ne, qampa, kay, pe',
  is: "ha'e, kaymi",
  enter: 'emoinge, qillqay',
  time: "aravo'i, minutu",
}
