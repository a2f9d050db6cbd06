import type { Language } from '../language.ts'

/** Javanese and Sundanese. */
export const javanese: Language = {
  code: 'kode',
  password: 'tembung sandi, kecap konci, sandhi',
  verificationCode: 'sandi sapisan, sandhi sapisan',
  verify: 'verifikasi*, aktivasi*',
  signIn: 'mlebu, lebet, asup, ndaftar',
  secret: 'keamanan, kaamanan',
  yours: 'sampeyan, panjenengan, kowe, iki, punika, anjeun, ieu',
  is: 'yaiku, inggih punika, nyaéta, iku',
  enter: 'lebokna, ketik, gunakake, lebokkeun, anggo, pigunakeun',
  names: 'pesenan, telpon',
  time: 'menit, jam, dina, poé',
  warns: 'aja, ojo, ulah dibagikeun, ora kena, marang sapa',
}
