import type { Language } from './language.ts'

export const turkish: Language = {
  code: 'kod, kodu, kodun, kodunu, kodunuz, kodunuzu, kodlar, kodları, kodumuz, kodunuzdur',
  password: 'şifre, şifreniz, şifren, şifresi, şifrenizi, parola, parolanız, parolası',
  key: 'anahtar, anahtarı',
  verificationCode: `
    tek kullanımlık şifre*, tek kullanımlık parola*, tek seferlik şifre*, tek seferlik parola*,
    geçici şifre*, geçici parola*, onay şifre*, giriş şifre*, doğrulama şifre*, doğrulama pin*
  `,
  verify: 'doğrula*, etkinleştir*, aktivasyon*, iki adımlı',
  confirm: 'onay*',
  signIn: 'giriş*, oturum*, kayıt',
  reset: 'sıfırla*, yeni şifre, şifrenizi mi unuttunuz',
  secret: 'güvenlik, tek kullanımlık, tek seferlik, haneli, kimlik, kurtarma, sms, geçici',
  access: 'erişim',
  purpose: 'onayla*',
  otherwise: `
    indirim, posta, hata, promosyon, alan, kupon, hediye, kaynak, qr, ülke, rezervasyon, ürün, müşteri,
    davet, referans, kampanya, teslimat, barkod
  `,
  yours: 'için, bu, aşağıdaki, instagram, whatsapp, google, facebook',
  is: "olan, aşağıdaki, şudur, 'dir, 'dır, 'dur, 'dür, 'tir, 'tır, 'tur, 'tür",
  enter: 'girin, kullanın, yazın, gir',
  enterAfter: 'girin, girerek, kullanın, kullanarak, yazın, giriniz, kullanınız, kodunu, koduyla',
  names: `
    sipariş, fatura, müşteri, hesap, referans, takip, tel, telefon, numara*, no, kart, uçuş, koltuk,
    oda, rezervasyon, poliçe
  `,
  time: 'dakika*, dk, saat*, gün, günü, saniye*',
  unit: 'hafta, yıl, tl, lira, puan, kişi, kez',
  warns: `
    paylaşmayın, paylaşmayınız, kimseyle, geçerlidir, geçerli, siz talep etmediyseniz, dikkate almayın,
    görmezden
  `,
  offer: 'indirim*',
  booking: 'uçuş*, rezervasyon*',
  meeting: 'toplantı*',
  confirmLink: 'doğrula*, onayla*, etkinleştir*',
  signInLink: 'giriş yap*',
  invite: 'kabul et',
  unsubscribe: 'abonelik*',
  legal: 'gizlilik',
}
