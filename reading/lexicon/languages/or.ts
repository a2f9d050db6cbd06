import type { Language } from '../language.ts'

export const odia: Language = {
  code: 'କୋଡ୍, କୋଡ, ପିନ୍',
  password: 'ପାସୱାର୍ଡ*',
  verificationCode: 'ଓଟିପି',
  verify: 'ଯାଞ୍ଚ*, ସତ୍ୟାପନ*, ପ୍ରମାଣୀକରଣ',
  confirm: 'ନିଶ୍ଚିତ*',
  signIn: 'ଲଗଇନ୍, ଲଗ୍ ଇନ୍, ଲଗଇନ',
  secret: 'ସୁରକ୍ଷା',
  yours: 'ଆପଣଙ୍କ, ଆପଣଙ୍କର, ଏହି',
  is: 'ହେଉଛି, ହେଲା',
  enter: 'ପ୍ରବେଶ କରନ୍ତୁ, ଲେଖନ୍ତୁ, ବ୍ୟବହାର କରନ୍ତୁ',
  enterAfter: 'ପ୍ରବେଶ କରନ୍ତୁ, ଲେଖନ୍ତୁ, ବ୍ୟବହାର କରନ୍ତୁ',
  time: 'ମିନିଟ୍*, ମିନିଟ*, ଘଣ୍ଟା*',
  warns: 'ବୈଧ, କାହା',
}
