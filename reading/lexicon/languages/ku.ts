import type { Language } from '../language.ts'

/** Kurmanji and Sorani. */
export const kurdish: Language = {
  code: 'kod, koda, kodê, کۆد, کۆدی, کۆدەکە, کۆدەکەت',
  password: 'şîfre, şîfreya, پاسۆرد, وشەی نهێنی',
  verificationCode: 'şîfreya yek carî, وشەی نهێنی یەکجارە',
  verify: 'piştrast*, erêkir*, çalak*, پشتڕاست*, دڵنیا*, چالاک*, سەلماندن',
  signIn: 'têketin*, têkevin, tomarkirin, چوونەژوور*, چوونە ژوور*',
  secret: 'ewlehî*, ewlekar*, yekcar*, ئاسایش*, پاراستن',
  otherwise: 'daxistin*, erzankirin*',
  yours: 'we, te, ya te, ev, تۆ, ئێوە, ئەم',
  is: 'ev e, ئەمەیە, e, ye',
  enter: 'binivîsin, binivîse, têkevin, bikar bînin, بنووسە, داخڵ بکە',
  enterAfter: 'binivîsin, بنووسە, داخڵ بکە',
  time: 'deqe*, deqîqe*, saet*, roj*, خولەک*, کاتژمێر*, ڕۆژ*',
  warns: 'derbasdar*, parve neke*, بەشی مەکە, بە کەس',
}
