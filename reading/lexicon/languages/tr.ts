import type { Language } from '../language.ts'

export const turkish: Language = {
  code: 'kod, kodu, kodun, kodunu, kodunuz, kodunuzu, kodlar, kodları, kodumuz, kodunuzdur',
  password: 'şifre, şifreniz, şifren, şifresi, şifrenizi, parola, parolanız, parolası',
  key: 'anahtar, anahtarı',
  verificationCode: `
    tek kullanımlık şifre*, tek kullanımlık parola*, tek seferlik şifre*, tek seferlik parola*,
    geçici şifre*, geçici parola*, onay şifre*, giriş şifre*, doğrulama şifre*, doğrulama pin*,
    gizli kelime, parola cümlesi
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
  links: {
    confirm:
      'doğrula(?!ndı)|onayla(?!ndı)|etkinleştir(?!ildi)|aktif(?:leştir| et)|aktivasyon|kaydı(?:nızı|nı)? tamamla',
    sign_in: 'giriş(?:\\b|i)|oturum aç|oturum açma',
    reset:
      'sıfırla|(?:yeni|değiştir|belirle|unut\\S+|oluştur) .{0,10}(?:şifre|parola)|(?:şifre|parola)\\S* (?:yenile|değiştir|belirle|oluştur|kurtar|unut)|kurtar',
    invite: 'davet(?! et|iye hediye)|davetiye',
    join: 'kabul et|katıl',
    deny: '(?:değilse|madıysan|mediysen|etmediy|yapmadıy|sizin değil)',
    report: '(?:şifre|parola)\\S* .{0,20}(?:değiştirildi|güncellendi)|yeni (?:giriş|oturum|cihaz)',
    unsubscribe: 'abonelik',
    legal: 'gizlilik|tarayıcı(?:nız)?da (?:gör|aç)',
  },
}
