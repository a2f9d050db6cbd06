import type { Language } from '../language.ts'

export const turkmen: Language = {
  code: 'kod, kody, kodyňyz*, koduňyz*, kodyny',
  password: 'parol, açar söz*, parolyňyz*',
  verificationCode: 'bir gezeklik parol*, wagtlaýyn parol*',
  verify: 'tassykla*, barla*, işjeňleşdir*',
  signIn: 'girmek*, girmegi*, hasaba al*, girelge',
  secret: 'howpsuzlyk, bir gezeklik, sifrli, belgili',
  otherwise: 'arzanlad*, poçta',
  yours: 'siziň, bu, aşakdaky',
  is: 'bu, aşakdaky',
  enter: 'giriziň, ulanyň',
  enterAfter: 'giriziň, ulanyň, koduny',
  names: 'sargyt*, telefon*, belgi*',
  time: 'minut*, sagat*',
  warns: 'hereket edýär, hiç kime, paýlaşmaň',
}
