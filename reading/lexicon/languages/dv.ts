import type { Language } from '../language.ts'

export const dhivehi: Language = {
  code: 'ކޯޑު, ކޯޑް, ކޯޑަކީ',
  password: 'ޕާސްވޯޑު, ޕާސްވޯޑް',
  verify: 'ވެރިފިކޭޝަން, ޔަގީންކުރުމުގެ, ކަށަވަރުކުރުމުގެ',
  signIn: 'ލޮގިން, ވަނުމަށް',
  yours: 'ތިޔަބޭފުޅާގެ, މިއީ',
  time: 'މިނެޓް, ގަޑިއިރު',
}
