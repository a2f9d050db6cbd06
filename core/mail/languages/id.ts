import type { Language } from './language.ts'

export const indonesian: Language = {
  code: 'kode, kod',
  password: 'kata sandi, sandi, password',
  key: 'kunci, token',
  verificationCode: `
    kata sandi sekali pakai, kata sandi satu kali, sandi sekali pakai, kata sandi sementara
  `,
  verify: `
    verifikasi*, autentikasi*, otentikasi*, aktivasi*, aktifkan, memverifikasi, validasi, dua langkah
  `,
  confirm: 'konfirmasi*',
  signIn: 'masuk, login, log masuk',
  reset: 'reset, atur ulang, mengatur ulang, kata sandi baru, pemulihan',
  secret: 'keamanan, otp, digit, angka, sekali pakai, sementara, rahasia, identitas, pendaftaran, daftar',
  access: 'akses, pengaksesan',
  purpose: 'konfirmasi email, konfirmasi akun, konfirmasikan email, konfirmasikan akun',
  otherwise: `
    pos, promo, diskon, kupon, voucher, referral, negara, batang, booking, pemesanan, kesalahan,
    sumber, produk, resi, undangan, qr
  `,
  yours: 'anda, kamu, ini, berikut, kami',
  is: 'adalah, sebagai, ialah, berikut, ini, yaitu',
  enter: 'masukkan, gunakan, ketik, ketikkan, isi, isikan, pakai',
  names: `
    pesanan, faktur, pelanggan, akun, rekening, telp, telepon, hubungi, nomor, no, kartu, resi, kursi,
    kamar
  `,
  time: 'menit, jam, hari, detik',
  unit: 'minggu, bulan, tahun, rupiah, poin, orang',
  warns: `
    berlaku, kedaluwarsa, kadaluarsa, jangan bagikan, jangan berikan, jangan membagikan, siapa pun,
    siapapun, abaikan, tidak meminta
  `,
  offer: 'diskon',
  booking: 'penerbangan, reservasi',
  confirmLink: 'verifikasi*, konfirmasi*, aktifkan',
  signInLink: 'masuk',
  invite: 'terima',
  unsubscribe: 'berhenti berlangganan',
}
