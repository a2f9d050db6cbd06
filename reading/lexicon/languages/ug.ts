import type { Language } from '../language.ts'

export const uyghur: Language = {
  code: 'كود, كودى, كودىڭىز*',
  password: 'پارول, مەخپىي نومۇر',
  key: 'نومۇرى',
  verify: 'دەلىللەش*, جەزملەش*, تەستىقلاش*, تەكشۈرۈش',
  signIn: 'كىرىش*, تىزىملىتىش*',
  secret: 'بىخەتەرلىك, بىر قېتىملىق',
  yours: 'سىزنىڭ, بۇ',
  enter: 'كىرگۈزۈڭ',
  enterAfter: 'كىرگۈزۈڭ, نى كىرگۈزۈڭ',
  time: 'مىنۇت*, سائەت*, كۈن*',
  warns: 'ھېچكىمگە',
}
