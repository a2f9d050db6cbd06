import type { Language } from '../language.ts'

export const indonesian: Language = {
  code: 'kode, kod',
  password: 'kata sandi, sandi, password',
  key: 'kunci, token',
  verificationCode: `
    kata sandi sekali pakai, kata sandi satu kali, sandi sekali pakai, kata sandi sementara,
    kata rahasia
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
  links: {
    confirm: 'verifikasi|konfirmasi(?! pesanan)|aktivasi|aktifkan|validasi|sahkan',
    sign_in: 'masuk\\b|log ?masuk|login',
    reset:
      'setel ulang|atur ulang|pulihkan|tetapkan semula|(?:kata sandi|kata laluan|password) baru|(?:ubah|ganti|lupa|buat|tukar) .{0,8}(?:kata sandi|password|kata laluan|sandi)',
    invite: 'undangan|diundang|mengundang|jemputan|dijemput|menjemput',
    join: 'terima|gabung|sertai|bergabung',
    deny: '\\b(?:jika|bila|sekiranya) .{0,40}\\b(?:tidak|bukan)\\b',
    report:
      '(?:kata sandi|password|kata laluan) .{0,24}(?:telah|sudah|berhasil) (?:di\\w+|ter\\w+)|(?:login|perangkat) baru',
    unsubscribe: 'berhenti berlangganan',
    legal: 'lihat .{0,20}(?:browser|peramban)',
  },
}
