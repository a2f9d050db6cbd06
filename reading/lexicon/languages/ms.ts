import type { Language } from '../language.ts'

export const malay: Language = {
  code: 'kod',
  password: 'kata laluan',
  key: 'kunci',
  verificationCode: 'kata laluan sekali guna, kata laluan sementara, no pin, nombor pengesahan',
  verify: 'pengesahan, sahkan, mengesahkan, pengaktifan, aktifkan',
  confirm: 'pastikan',
  signIn: 'log masuk',
  reset: 'tetapkan semula, menetapkan semula, set semula, kata laluan baharu',
  secret: `
    keselamatan, sekali guna, sekali sahaja, sementara, digit, sulit, daftar masuk, pendaftaran,
    mendaftar
  `,
  access: 'akses, capaian',
  otherwise: 'pos, poskod, promosi, diskaun, kupon, negara, ralat, bar, baucar, qr, rujukan',
  yours: 'anda, ini, berikut',
  is: 'ialah, sebagai, adalah, berikut',
  enter: 'masukkan, gunakan, taipkan, isikan',
  names: 'pesanan, invois, pelanggan, akaun, telefon, nombor, no, kad',
  time: 'minit, jam, hari, saat',
  unit: 'minggu, bulan, tahun, ringgit, mata, orang',
  warns: 'sah selama, sah untuk, tamat, jangan kongsi, jangan berkongsi, sesiapa, abaikan, tidak meminta',
  offer: 'diskaun',
}
