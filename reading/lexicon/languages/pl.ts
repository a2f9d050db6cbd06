import type { Language } from '../language.ts'

export const polish: Language = {
  code: 'kod, kody, kodu, kodem, kodów',
  password: 'hasło, hasła',
  key: 'klucz, klucza, token',
  verificationCode: `
    hasło jednorazow*, hasła jednorazow*, jednorazow* hasło, jednorazow* hasła, smskod,
    hasło tymczasowe, tymczasow* hasło, tajne słowo, tajne hasło
  `,
  verify: 'weryfik*, zweryfik*, uwierzyt*, autoryz*, aktywac*, aktywuj*, dwuetapow*',
  confirm: 'potwierdz*',
  signIn: 'zalog*, logowan*',
  reset: 'zresetuj*, resetu*, nowe hasło, zapomnia*',
  secret: 'bezpieczeń*, jednoraz*, cyfrow*, identyf*, odzysk*, sms, *cyfrowy, tajny, *znakowy, rejestrac*',
  access: 'dostęp*',
  purpose: 'potwierdź, potwierdzić',
  otherwise: `
    pocztow*, rabatow*, promoc*, kreskow*, źródłow*, błędu, qr, kraju, rezerwac*, zniżkow*, polecając*,
    produktu, odbioru, klienta, podarunk*, ean
  `,
  yours: 'twój, twoj, ten, oto, poniższy, podaj, wpisz, użyj, pański, państwa',
  is: 'to, jako, jest, brzmi, poniższy, następujący',
  enter: 'wpisz, podaj, użyj, wprowadź, przepisz, kodem, kod',
  names: `
    zamówienia, zamówienie, zamówienie nr, faktura, faktury, klient, klienta, konto, konta, rachun*,
    tel, telefon, numer, numeru, nr, karta, karty, lot, miejsce, pokój, nip, regon, krs, przesył*,
    rezerwac*, od
  `,
  time: 'minut, minuty, minutę, min, godzin, godziny, godzinę, godz, dni, dzień, sekund, sekundy',
  unit: 'tygodni, miesięcy, lat, zł, złotych, punktów, osób, razy',
  warns: 'ważny, wygas*, nie udostępniaj, nie podawaj, nikomu, zignoruj, jeśli to nie ty',
  offer: 'zniżk*, rabat*, kupon*',
  booking: 'rezerwac*, lotu',
  meeting: 'spotkani*',
  links: {
    confirm:
      'potwierdź|potwierdzenie (?:adresu|rejestracji|konta|e-?mail)|potwierdzić|potwierdzeni|weryfik|zweryfikuj|aktywuj|aktywacj|dokończ rejestr',
    sign_in: 'zaloguj|logowani|zalogować',
    reset:
      'zresetuj|resetuj|resetowani|przywróć|odzyska|(?:nowe|zmień|zmian\\w|ustaw\\w*|utwórz|zapomni\\w+) .{0,10}hasł',
    invite: 'zaproszeni|zaprasza|zaprosi',
    join: 'zaakceptuj|przyjmij|akceptuj|dołącz',
    deny: '(?:jeśli|jeżeli|gdyby) .{0,50}\\bnie\\b|to nie ty',
    report: 'hasło\\b.{0,30}(?:zostało|zmienion)|nowe (?:logowanie|urządzenie)|nowe zalogowanie',
    unsubscribe: 'wypis|rezygn|anuluj subskrypcj',
    legal: 'polityka prywatności|regulamin|(?:zobacz|wyświetl|otwórz) .{0,25}przegląda',
  },
}
