import type { Language } from '../language.ts'

export const yoruba: Language = {
  code: 'kóòdù, koodu, kóòdu, ẹ̀rí kóòdù, kódù',
  password: 'ọ̀rọ̀ aṣínà, ọrọ aṣina, ọ̀rọ̀ ìgbaniwọlé',
  verify: 'ìfìdíìmúlẹ̀, ifidiimule, ìjẹ́rìísí, ijerisi, ìfọwọ́sí, ṣàyẹ̀wò, ìmúdájú',
  signIn: 'ìwọlé, wọlé, iforukọsilẹ',
  secret: 'ààbò, aabo',
  yours: 'rẹ, rẹ̀, yín, yìí',
  is: 'ni, jẹ́',
  enter: 'tẹ, fi sínú',
  time: 'ìṣẹ́jú, iseju, wákàtí, ọjọ́',
  warns: 'má ṣe pín, máṣe pín, ẹnikẹ́ni',
}
