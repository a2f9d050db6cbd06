import type { Language } from './language.ts'

const polish: Language = {
  code: 'kod(?:y|u|em|ów)?|hasł[oa]',
  verificationCode: 'hasł[oa] jednorazow\\w{1,3}|jednorazow\\w{1,3} hasł[oa]|smskod',
  proves:
    'weryfik|bezpieczeń|uwierzyt|jednoraz|logowani|zalogow|aktywac|cyfrow|autoryz|identyf|odzysk|resetu|' +
    'rejestrac|sms',
  mayProve: 'potwierdz|dostęp',
  otherwise:
    'pocztow|rabatow|promoc|kreskow|źródłow|błędu|qr|kraju|rezerwac|zniżkow|polecając|produktu|odbioru|' +
    'klienta|podarunk',
  purpose: 'autoryz|weryfik|zweryfik|potwierdź|potwierdzić|zalog|logowan|aktywuj',
  yours: 'twój|twoj|ten|oto|poniższy|podaj|wpisz|użyj',
  is: 'kod\\w*(?: [^ ]{1,20}){0,3} to|jest|brzmi|poniższy',
  enter: 'wpisz|podaj|użyj|wprowadź',
  names:
    'zamówieni[ea]|zamówienie nr|faktur[ay]|klient[a]?|kont[oa]|rachun\\w+|tel|telefon|numer|nr|kart[ay]|' +
    'lot|miejsce|pokój|nip|' +
    'regon|krs|przesył\\w+|rezerwac\\w+|od',
  unit: 'minut[yę]?|godzin[yę]?|godz|dni|dzień|sekund[yę]?|tygodni|miesięcy|lat|zł|złotych|punktów|osób|razy',
}

const turkish: Language = {
  code: 'kod(?:u|un|unu|unuz|unuzu|lar[ıi]?|umuz)?|şifre(?:niz|n|si|nizi)?',
  verificationCode:
    '(?:tek kullanımlık|tek seferlik|geçici|onay|giriş|doğrulama) (?:şifre|parola|kod|pin)\\w*',
  proves:
    'doğrulama|güvenlik|giriş|aktivasyon|etkinleştirme|tek kullanımlık|haneli|oturum|kimlik|sıfırlama|' +
    'kurtarma|sms',
  mayProve: 'onay|erişim',
  otherwise:
    'indirim|posta|hata|promosyon|alan|kupon|hediye|kaynak|qr|ülke|rezervasyon|ürün|müşteri|davet|' +
    'referans|kampanya|teslimat|barkod',
  purpose: 'doğrula|onayla|giriş yap|oturum aç|etkinleştir',
  yours: 'için|bu|aşağıdaki|instagram|whatsapp|google|facebook',
  is: 'olan|kod|aşağıdaki',
  enter: 'girin|kullanın|yazın',
  names:
    'sipariş|fatura|müşteri|hesap|referans|takip|tel|telefon|numara\\w*|no|kart|uçuş|koltuk|oda|' +
    'rezervasyon|poliçe',
  unit: 'dakika\\w*|dk|saat\\w*|gün\\w*|saniye\\w*|hafta|ay|yıl|tl|lira|puan|kişi|kez',
}

const swedish: Language = {
  code: 'kod(?:en|er|erna)?',
  verificationCode: 'engångslösenord(?:et)?',
  proves: 'verifier|säkerhet|engång|inlogg|logga in|aktiver|siffrig|autentis|identi|återställ|registrer|sms',
  mayProve: 'bekräft|åtkomst|tillträd',
  otherwise: 'rabatt|post|fel|käll|streck|kampanj|boknings?|lands?|present|kund|värdekod|qr|färg|varu',
  purpose: 'verifier|bekräfta (?:din|ditt|att)|logga in|inloggning|aktivera',
  yours: 'din|ditt|denna|här är|följande|koden',
  is: 'är|följande|med',
  enter: 'ange|använd|skriv',
  names:
    'order|ordernummer|faktura|kund|konto|referens|ring|tel|telefon|nummer|\\w+nummer|nr|kort|tåg|vagn|' +
    'plats|bokning|org',
  unit: 'minuter|timmar|dagar|sekunder|veckor|månader|år|kr|kronor|poäng|personer|gånger',
}

const danishAndNorwegian: Language = {
  code: 'kod(?:e|en|er|erne|ene)',
  verificationCode: '(?:engangs|éngangs)(?:adgangskode|kodeord|passord|kode|pinkode)n?',
  proves:
    'verifi|bekræft|bekreft|sikkerhed|sikkerhet|engang|log ?ind|logg ?inn|innlogging|aktiver|cifret|' +
    'sifret|godkend|identi|nulstil|tilbakestill',
  mayProve: 'adgang|tilgang',
  otherwise:
    'rabat|rabatt|post|fejl|feil|kilde|streg|strek|kampagne|kampanje|booking|bestillings|lande?|gave|' +
    'kunde',
  purpose: 'bekræft|bekreft|log ind|logg inn|logge inn|logge ind|verifi',
  yours: 'din|dit|denne|her er|følgende',
  is: 'er|følgende',
  enter: 'indtast|brug|bruk|skriv|angi|tast',
  names: 'ordre|ordrenummer|faktura|kunde|konto|reference|tlf|telefon|nummer|\\w+nummer|nr|kort|cvr|org',
  unit: 'minutter|timer|dage|dager|sekunder|uger|uker|måneder|år|kr|kroner|point|poeng|personer|gange|ganger',
}

const finnish: Language = {
  code: 'koodi(?:si|n|a|t|nne)?',
  verificationCode: 'kertakäyttö(?:inen)? ?(?:salasana|koodi)\\w*|kertakäyttösalasana\\w*',
  proves: 'vahvist|turva|kirjautumis|kertakäyttö|todennus|varmenn|aktivoin|numeroi|tunniste|palautus',
  otherwise: 'alennus|posti|virhe|lähde|viiva|kampanja|varaus|maa|lahja',
  purpose: 'vahvist|kirjaudu|kirjautu|todenn',
  yours: 'tämä|seuraava|sinun|tässä',
  is: 'koodi\\w*(?: [^ ]{1,20}){0,2} on|seuraava',
  enter: 'syötä|anna|käytä',
  names: 'tilaus\\w*|lasku\\w*|asiakas\\w*|puh|puhelin\\w*|numero|viite\\w*|y-tunnus',
  unit: 'minuutti\\w*|minuutin|tuntia|tunnin|päivä\\w*|sekunti\\w*|euroa|pistettä',
}

const czechAndSlovak: Language = {
  code: 'kód(?:u|em|om|y)?',
  verificationCode: 'jednorázov[éý](?:ho)? hesl[oa]',
  proves: 'ověř|over|bezpečn|jednoráz|přihlaš|prihlas|aktivač|místný|autoriza|autentiz',
  mayProve: 'potvrz|potvrd|přístup|prístup',
  otherwise: 'slevov|zľavov|poštovn|promo|chybov|zdrojov|čárov|qr|rezerva|dárkov',
  purpose: 'ověř|overen|potvrď|potvrdi|přihlás|přihlaš|prihlás|prihlas',
  yours: 'váš|vas|tento|tvůj|následující',
  is: 'je|zní|následující',
  enter: 'zadejte|zadajte|zadej|použijte',
  names: 'objednávk\\w*|faktur\\w*|zákazní\\w*|účet|účtu|tel|telefon|číslo|ičo|dič|psč|zásilk\\w*|od',
  unit: 'minut\\w*|minút\\w*|hodin\\w*|hodín|dní|dnů|sekund\\w*|kč|bodů|osob',
}

const romanian: Language = {
  code: 'cod(?:ul|uri|ului)?',
  verificationCode: 'parol[ăa] (?:de unică folosință|unică|temporară)',
  proves: 'verific|securit|autentific|unică folosință|conectare|activare|cifre|identific',
  mayProve: 'confirmare|acces',
  otherwise:
    'poștal|postal|promo\\w*|de reducere|reducere|de bare|qr|sursă|eroare|de eroare|de rezervare|' +
    'rezervare|fiscal|client|awb',
  purpose: 'verific|confirmă|autentific|conectează',
  yours: 'tău|dvs|acest|următorul',
  is: 'este|e|următorul',
  enter: 'introdu|introduceți|folosește|folosiți',
  names: 'comand[aă]|comenzii|factur[aă]|client|cont|tel|telefon|număr|numărul|nr|card|cui|zbor',
  unit: 'minute|ore|zile|secunde|lei|ron|puncte|persoane',
}

const hungarian: Language = {
  code: 'kód(?:ja|od|ot|ját|odat|já?t)?',
  verificationCode: 'egyszer használatos (?:jelszó|kód)\\w*',
  proves: 'ellenőrző|biztonsági|hitelesít|egyszer|belépés|bejelentkez|aktivál|jegyű|azonosít',
  mayProve: 'megerősít|hozzáférés',
  otherwise: 'kupon|kedvezmény|hiba|forrás|vonal|ország|promóciós|foglalási|irányító',
  purpose: 'erősítse meg|erősítsd meg|bejelentkez|ellenőr|hitelesít|megerősít',
  yours: 'az ön|ön|az|ez|a te|következő',
  is: 'következő',
  enter: 'írja be|adja meg|használja',
  names: 'rendelés\\w*|számla\\w*|ügyfél\\w*|tel|telefon|szám|száma|irányítószám',
  unit: 'perc\\w*|óra|óráig|nap\\w*|másodperc\\w*|ft|forint|pont',
}

const indonesianAndMalay: Language = {
  code: 'kode|kod',
  verificationCode: 'kata sandi (?:sekali pakai|satu kali)|sandi sekali pakai',
  proves:
    'verifikasi|keamanan|otp|masuk|login|aktivasi|digit|autentikasi|otentikasi|pengesahan|keselamatan|' +
    'sekali pakai|reset',
  mayProve: 'konfirmasi|akses',
  otherwise:
    'pos|promo|diskon|kupon|voucher|referral|negara|batang|booking|pemesanan|kesalahan|sumber|produk|resi',
  purpose: 'verifikasi|konfirmasi(?:kan)? (?:email|akun)|masuk ke|log masuk',
  yours: 'anda|kamu|ini|berikut',
  is: 'adalah|ialah|berikut|ini',
  enter: 'masukkan|gunakan|ketik',
  names: 'pesanan|faktur|pelanggan|akun|rekening|telp|telepon|hubungi|nomor|no|kartu|resi|kursi|kamar',
  unit: 'menit|jam|hari|detik|minggu|bulan|tahun|rupiah|poin|orang',
}

const vietnamese: Language = {
  // without its accent, "ma" is a word of many languages
  code:
    'mã(?= (?:xác|bảo|otp|đăng|kích|giảm|đơn|bưu|vận|khách|đặt|khuyến|của|là|này|sau|truy|quý|pin|số|' +
    '[0-9a-z]{1,4}[0-9]))',
  verificationCode: 'mật khẩu (?:một lần|dùng một lần|tạm thời)',
  proves: 'xác minh|xác thực|bảo mật|otp|đăng nhập|kích hoạt|chữ số|an toàn|khôi phục|đặt lại',
  mayProve: 'xác nhận|truy cập',
  otherwise:
    'giảm giá|đơn hàng|đơn|bưu chính|bưu điện|vận đơn|khách hàng|đặt chỗ|khuyến mãi|vùng|lỗi|qr|vạch|' +
    'giới thiệu|ưu đãi|sản phẩm|nguồn|số thuế|quốc gia|nhân viên',
  purpose: 'xác minh|xác thực|xác nhận (?:email|tài khoản|địa chỉ)|đăng nhập|kích hoạt',
  yours: 'là|này|sau|nhập|sử dụng|dùng',
  is: 'là|sau|này',
  enter: 'nhập|dùng|sử dụng|điền',
  names:
    'đơn hàng|hóa đơn|khách hàng|tài khoản|số|điện thoại|đt|gọi|thẻ|vận đơn|chuyến bay|ghế|phòng|' +
    'tổng đài|hotline',
  unit: 'phút|giờ|ngày|giây|tuần|tháng|năm|đồng|đ|vnđ|điểm|người',
}

export const OTHER_LATIN: readonly Language[] = [
  polish,
  turkish,
  swedish,
  danishAndNorwegian,
  finnish,
  czechAndSlovak,
  romanian,
  hungarian,
  indonesianAndMalay,
  vietnamese,
]
