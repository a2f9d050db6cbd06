import { describe, expect, test } from '@jest/globals'
import { codesBelow as codes } from './find-codes.ts'

describe('a value like a code that proves nothing', () => {
  test.each([
    // A number that a code was sent to.
    ['تم إرسال الرمز', 'مرحبا،\n\nتم إرسال رمز التحقق إلى 0501234567.\n\nشكرا'],
    ['رمز', 'أرسل الرمز إلى 5050'],
    // A word of Latin letters says what the code is of.
    ['お知らせ', 'いつもご利用ありがとうございます。\n\nZoomパスコード: 482913\n\n今後とも'],
    ['お知らせ', 'いつもご利用ありがとうございます。\n\nZIPパスワード：kX7pQ2mN\n\n今後とも'],
    ['お知らせ', 'いつもご利用ありがとうございます。\n\nPDF密码：kX7pQ2mN\n\n今後とも'],
    ['ご注文の確認', 'ログインして注文を確認できます。\nJANコード：49012345'],
    ['お知らせ', 'いつもご利用ありがとうございます。\n\nGPS代码: 482913'],
    ['お知らせ', 'いつもご利用ありがとうございます。\n\nZoomรหัส: 482913'],
    // Points.
    ['Akcija', 'Iskoristite 482913 bodova do kraja mjeseca!'],
    ['Loyalty', 'Iskoristite 4500 bodova za prijavu na natječaj.'],
    // Tokens of programs, of things, and of offers.
    ['Crash report', 'Hi Ann,\n\nThe app failed with code b4c29f1e during sign in.\n\nThe team'],
    ['Crash report', 'Hi Ann,\n\nCrash code aB3xK9 - verify the logs.\n\nThe team'],
    ['Release notes', 'Hi Ann,\n\nCode b4c29f1e was verified by QA and merged.\n\nThe team'],
    ['Code review', 'Hi Ann,\n\nChange in code ZRw5BRET that resets the cache.\n\nThe team'],
    ['Product', 'Hi Ann,\n\nScan the code b4c29f1e to verify that your product is genuine.\n\nThe team'],
    ['Tracking', 'Hi Ann,\n\nWith code f81d4fae you can verify where your parcel is.\n\nThe team'],
    ['Deployment', 'Hi Ann,\n\nUse e79c258f to reset the branch.\n\nThe team'],
    ['Sale', 'Hi Ann,\n\nUse aB3xK9 when you sign in and get your gift.\n\nThe team'],
    ['License', 'Hi Ann,\n\nEnter f81d4fae to verify your license.\n\nThe team'],
    ['Wi-Fi', 'Hi Ann,\n\nUse aB3xK9 to sign in to the guest network.\n\nThe team'],
    // Something beside the verb and the purpose of a sentence.
    ['New sign-in', 'If you did not sign in, use support reference b4c29f1e to contact us.'],
    [
      'Verify your email',
      'Please use the button to verify the address of user aB3xK9mQ. It expires in 5 minutes.',
    ],
    ['Verify your email', 'Enter your user name aB3xK9mQ to sign in. Ignore this if you did not ask for it.'],
    [
      'Sign-in from new device',
      'Use of device hash b4c29f1e confirms your identity.\nIf this was not you, ignore it.',
    ],
    ['Your order', 'Use your order number AB12CD34EF to sign in and track it within 5 days.'],
    ['Verify the download', 'To verify the download, use the checksum 4f3a9b2c1d5e6f70.'],
    [
      'acme/shop | Failed pipeline | 1a2b3c4d',
      'Commit: 1a2b3c4d\nCommit message: Add code for login verification',
    ],
    ['Login failed', 'Login failed with code 7d8f5a05. Reset your password and try again.'],
    ['Verify your domain', 'To verify your domain, enter 7d8f5a05 as the TXT record of your DNS.'],
    ['Payment confirmation', 'Use 7d8f5a05 as the reference of your bank transfer to confirm the payment.'],
    ['Confirm your parcel', 'To confirm delivery, enter 7d8f5a05 on our tracking page.'],
    ['Your login', 'Use 7d8f5a05 and your password to log in.'],
    ['Verify your account', 'Use ID 7d8f5a05 to verify your account. It expires in 5 minutes.'],
    ['Sign in to the guest Wi-Fi', 'Network: Guest. Enter ZRw5BRET to sign in to the network.'],
    ['[Gravitee.io] Quota 429', 'Since 07:40 we get HTTP 429. Our support PIN is 7712 if you call back.'],
    ['Új hozzászólás', 'Szabó Réka hozzászólt a kérelemhez: A belépőkártya kódja (5519) nem működik'],
    ['إعادة تعيين كلمة المرور', 'اضغطي على الزر أدناه لإعادة تعيين كلمة المرور.\n\nرقم العضوية: 40071882'],
    // The network of a room.
    ['Foglalása', 'Szeretettel várjuk. Bejelentkezés 15 órától.\n\nWifi-jelszó: K2mXq9Tz'],
    ['Ваша резервација', 'Ве очекуваме. Пријавување од 15 часот.\n\nЛозинка за Wi-Fi: 83JN2p0i'],
    ['Pemesanan Anda', 'Kami menantikan kedatangan Anda.\n\nKata sandi Wi-Fi: 031816'],
    ['Teie arve', 'Allpool on selle kuu arve.\n\nRegistrikood: 493454'],
    ['Invois anda', 'Invois bulan ini di bawah.\n\nPoskod: 20171'],
    // A port, an address, an amount.
    ['Setup', 'Hi Ann,\n\nEnter 8080 as the port to confirm the address of the server.'],
    ['Event', 'Hi Ann,\n\nUse 1200 Main Street to confirm the address.'],
    ['Deposit', 'Hi Ann,\n\nEnter 4821 as amount and confirm the address of the wallet.'],
    // What a form demands, the device of a notice, the password of a file.
    ['Checklist', 'Hi Ann,\n\nPassword - min8chars!\nName - max20'],
    ['Rules', 'Hi Ann,\n\nPassword - 8+chars\nUser - 3+chars'],
    ['Rules', 'Hi Ann,\n\nPassword new\nMin8Chars\n'],
    ['Sicherheit', 'Hi Ann,\n\nPasswort zurückgesetzt\nWindows11'],
    ['Security alert', 'Contraseña nueva\nWindows11'],
    ['Guide', 'Hi Ann,\n\nContraseña segura\n\nUsa8caracteres\n'],
    ['Doc', 'Hi Ann,\n\nFile - plan.pdf\nPassword - Sun&Sea2024\n'],
  ])('%s: %j', (subject, text) => {
    expect(codes(subject, text)).toEqual([])
  })
})

describe('a code that stands like something else', () => {
  test.each([
    ['رمز التحقق', 'لقد أرسلنا رمز التحقق إلى 0501234567\n\n482913', '482913'],
    ['كلمة المرور', 'تم تغيير كلمة المرور الى:\na350201', 'a350201'],
    // Latin letters are a name of the mail, or say that it is for signing in.
    ['Acme', 'Acmeパスワード: kX7pQ2mN', 'kX7pQ2mN'],
    ['お知らせ', 'Nordwind認証コード: 482913', '482913'],
    ['お知らせ', 'いつもありがとうございます。\n\nSMSコード：482913', '482913'],
    ['アカウント情報', 'ログインID: tanaka\nFTPパスワード: kX7pQ2mN', 'kX7pQ2mN'],
    ['ログイン', 'Zoom認証コード: 482913', '482913'],
    ['ログイン', 'Steamコード: 482913', '482913'],
    // Below the label of a user and its value, any password.
    ['Your account', 'Username\nann\n\nPassword\nHarbour7River', 'Harbour7River'],
    ['Your account', 'Username\nann\n\nPassword\nTiger2024', 'Tiger2024'],
    ['Підтвердження', 'Ваш код підтвердження: 482913\n\nПП Іваненко, вул. Хорива, 1, код 36507036', '482913'],
    ['Your OTP code for Login', 'Your OPT is 907344\nThis OPT will expire in 1 minute.', '907344'],
    // "Kedvezményezett" is who gets the money, and no discount.
    [
      'Jóváhagyó kód utaláshoz',
      'Kedvezményezett: Kovács Bt., 11773016-01234567\nJóváhagyó kód: 59-41-83\nÉrvényes: 4 perc.',
      '594183',
    ],
    // The means to sign in with, not the code of a bank.
    ['Sign in to Kestrel', 'BankID-kod: 482913', '482913'],
    ['Sign in to Kestrel', 'BankID-kode: 482913', '482913'],
    ['Sign in to Kestrel', 'Kursportal-Code: 482913', '482913'],
    ['Sign in to Kestrel', 'Színházi kód: 482913', '482913'],
    ['Forgotten', 'You clicked "Forgot my password", code 482913 is valid 5 minutes.', '482913'],
    ['Password', 'You chose "Esqueci minha senha", código 482913 para redefinir.', '482913'],
    ['Your code', 'Hi Ann, your login on 30.11.2026, code 48291375', '48291375'],
    ['Ваш код', 'Вход 30.11.2026, 10:32, код 48291375', '48291375'],
    ['Din kode', 'Hej Anne, den 30. november, kode 48291375', '48291375'],
    ['Kestrel', 'Kestrel\n\nHello,\n\nCode for your account: 482913\n\nKestrel GmbH', '482913'],
    ['Kestrel', 'Kestrel\n\nBonjour,\n\nCode de votre compte : 482913\n\nKestrel SARL', '482913'],
    ['Lumora', 'Hello Ana,\n\nEnter aB3xK9mQ to sign in.\n\nLumora', 'aB3xK9mQ'],
    ['Plume', 'Hello Ines,\n\nEnter k3x9pz2m to sign in to your account.', 'k3x9pz2m'],
    [
      'Plume',
      'Hello Ines,\n\nSomeone asked for a reset. Enter 7d8f5a05 to reset it.\n\nSession: Xk29fLm3',
      '7d8f5a05',
    ],
    ['Plume', 'Hello Ines,\n\nVerwende 7d8f5a05, um dich bei Plume anzumelden.', '7d8f5a05'],
    ['Plume', 'Hello Ines,\n\nWpisz 7d8f5a05, aby zalogować się do Plume.', '7d8f5a05'],
    ['Sign in', 'Use **ZRw5BRET** to sign in.\n\nRequest ID: 8f3c2a1d', 'ZRw5BRET'],
    ['Lumora', 'Hola Ana:\n\nUsa aB3xK9mQ para confirmar tu correo.\n\nLumora', 'aB3xK9mQ'],
  ])('%s: %j', (subject, text, code) => {
    expect(codes(subject, text)).toEqual([code])
  })
})

describe('a token in a sentence that says what it is for, whatever the order of its words', () => {
  test.each([
    [
      'et',
      'Tere tulemast',
      'E-posti aadressi kinnitamiseks sisestage 7d8f5a05.\nKood kehtib 10 minutit.',
      '7d8f5a05',
    ],
    [
      'ja',
      'メールアドレスの確認',
      'メールアドレスを確認するには、6R3M1qZXS を入力してください。',
      '6R3M1qZXS',
    ],
    [
      'ko',
      '환영합니다',
      '이메일을 확인하려면 805b043d을 입력하세요.\n이 코드는 10분간 유효합니다.',
      '805b043d',
    ],
    ['hi', 'खाता', 'साइन इन करने के लिए 47fa5ebf का उपयोग करें।\nइसे किसी के साथ साझा न करें।', '47fa5ebf'],
    [
      'hu',
      'Üdvözöljük',
      'A jelszó visszaállításához használja a(z) mK54Dbsg kódot.\nNe ossza meg senkivel.',
      'mK54Dbsg',
    ],
    ['tr', 'Giriş', 'Giriş yapmak için i1Wq8BYJ kodunu kullanın.\nKod 10 dakika geçerlidir.', 'i1Wq8BYJ'],
    [
      'de',
      'Willkommen',
      'Gib 4ad70dfe ein, um deine E-Mail-Adresse zu bestätigen.\nEr gilt 10 Minuten.',
      '4ad70dfe',
    ],
    ['da', 'Indtast 3frN993i', 'Indtast 3frN993i for at bekræfte din e-mailadresse.', '3frN993i'],
    ['kk', 'Қош келдіңіз', '88dfb1c0 — сіздің растау кодыңыз.\nОны ешкімге айтпаңыз.', '88dfb1c0'],
    ['he', 'החשבון שלך', 'לאיפוס הסיסמה השתמש בקוד 5fea5b04.\nאין לשתף אותו עם אף אחד.', '5fea5b04'],
  ])('%s', (_language, subject, text, code) => {
    expect(codes(subject, text)).toEqual([code])
  })
})

describe('one of an unknown kind does not count beside a code that is named', () => {
  test.each([
    ['pt', 'Código do banco: 8353364', 'Código de autenticação: 673937'],
    ['pl', 'Kod towaru: 8071384', 'Kod do resetu hasła: 673937'],
    ['ro', 'Cod articol: 6667680', 'Cod de validare: 673937'],
    ['ka', 'ბანკის კოდი: 3823642', 'უსაფრთხოების კოდი: 673937'],
  ])('%s', (_language, other, code) => {
    for (const lines of [`${other}\n${code}`, `${code}\n${other}`])
      expect(codes('Kestrel', `Kestrel\n\n${lines}\n\nKestrel`)).toEqual(['673937'])
  })
  test.each(['Phone code: 881203', 'Kod urządzenia: 881203', 'Código de dispositivo: 881203'])(
    'unless it has the shape of the code: %s',
    (line) => {
      const text = `E-mail verification code: 482913\n${line}\n\nEnter both codes.`
      expect(codes('Verify', text)).toEqual(['482913', '881203'])
    },
  )
  test('unless the mail calls it the reader’s', () => {
    const text = 'Verification code: 482913\nYour app code: 993821\nValid for 10 minutes'
    expect(codes('Sign in', text)).toEqual(['482913', '993821'])
  })
})

describe('the code of a service below a subject about a comment', () => {
  test.each([
    ['Your comment on Blog', 'To publish your comment, enter the code 482913 on the page.'],
    [
      'Ihr Kommentar auf Nordblog',
      'Um Ihren Kommentar zu veröffentlichen, geben Sie diesen Code ein: 482913',
    ],
    ['Votre commentaire', 'Pour publier votre commentaire, saisissez le code de vérification 482913'],
    ['Ваш комментарий', 'Чтобы опубликовать комментарий, введите код 482913'],
    ['留言', '您的验证码是 482913'],
    ['コメント投稿', '認証コード: 482913'],
    ['You have a private message', 'Log in with the code 482913 to read it.'],
    ['We replied to your request', 'Your new login code is 482913'],
    ['[ACME] Password reset (INC-1042)', 'Your temporary password is 482913'],
  ])('%s: %j', (subject, text) => {
    expect(codes(subject, text)).toEqual(['482913'])
  })
})
