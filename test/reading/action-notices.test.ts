import { describe, expect, test } from '@jest/globals'
import { htmlText } from '../../reading/html/text.ts'
import { findLinks } from '../../reading/links.ts'
import type { ActionLink } from '../../reading/message.ts'

const LIMITS = { links: 50, linkBytes: 2048 }
/** The address of a tracker, so that only words show what the link is for. */
const TRACKED = 'https://click.harbour.example/ls/click?upn=u001.Q7mVx2LkTz0eSbYw4dRcHn5J'

/** The action of a mail with one sentence and one button. */
function ofButton(subject: string, sentence: string, words: string, url = TRACKED): ActionLink | null {
  const html = `<p>Hi Nora,</p><p>${sentence}</p><p><a href="${url}">${words}</a></p>`
  return findLinks({ subject, text: htmlText(html), html, isTextOfHtml: true }, LIMITS).actionLink
}

function ofText(subject: string, text: string): ActionLink | null {
  return findLinks({ subject, text, html: null }, LIMITS).actionLink
}

describe('notices with one button have no action', () => {
  test.each([
    ['Please confirm your appointment', 'It is on 12 December at 10:30.', 'Confirm'],
    ['Appointment reminder', 'It is tomorrow.', 'Confirm my visit'],
    ['Confirm your interview', 'It is on Monday.', 'Yes, confirm'],
    ['Your trial is ending', 'Activate your plan to keep your data.', 'Activate plan'],
    ["You're invited: Team dinner on Friday", 'Will you come?', 'Accept'],
    ['Password reset successful', 'Sign in with the new password you set.', 'Reset password again'],
    ['Your account has been approved', 'It was approved by an administrator.', 'You may sign in'],
  ])('%s: %s [%s]', (subject, sentence, words) => {
    expect(ofButton(subject, sentence, words)).toBeNull()
    const confirms = 'https://harbour.example/visits/confirm/8f7d6a5b4c3e2f10'
    if (/confirm/i.test(words)) expect(ofButton(subject, sentence, words, confirms)).toBeNull()
  })

  test.each([
    ['Bekräfta din tid', 'Vi ses i morgon.', 'Bekräfta tiden'],
    ['Bekræft din aftale', 'Vi ses i morgen.', 'Bekræft aftalen'],
    ['Påminnelse om time', 'Vi sees i morgen.', 'Bekreft timen'],
    ['Vahvista aikasi', 'Nähdään huomenna.', 'Vahvista aika'],
    ['Потвърдете часа си', 'Ще се видим утре.', 'Потвърди часа'],
    ['Подтвердите визит', 'Ждём вас завтра.', 'Подтвердить визит'],
    ['Confirmez votre présence', 'Serez-vous là ?', 'Je confirme ma présence'],
    ['Confirma tu asistencia', '¿Vendrás?', 'Confirmar asistencia'],
    ['Potwierdź obecność', 'Przyjdziesz?', 'Potwierdzam obecność'],
  ])('an appointment or an attendance in other languages: %s', (subject, sentence, words) => {
    expect(ofButton(subject, sentence, words)).toBeNull()
  })

  test.each([
    ['Contraseña restablecida', 'Ya puedes iniciar sesión con tu nueva contraseña.'],
    ['Senha redefinida com sucesso', 'Você já pode entrar com a nova senha.'],
    ['Password reimpostata', 'Ora puoi accedere con la nuova password.'],
    ['Jelszó visszaállítva', 'Most már bejelentkezhet az új jelszóval.'],
    ['비밀번호가 재설정되었습니다', '이제 새 비밀번호로 로그인할 수 있습니다.'],
    ['Twoje konto zostało zatwierdzone', 'Możesz się teraz zalogować.'],
    ['Fiókját jóváhagyták', 'Most már bejelentkezhet.'],
    ['アカウントが承認されました', 'ログインできるようになりました。'],
    ['Ben hat Ihre Einladung angenommen', 'Ben ist jetzt im Team.'],
    ['Votre adresse e-mail a été confirmée', 'Accédez à votre compte.'],
  ])('what was done already in other languages: %s', (subject, sentence) => {
    expect(ofText(subject, `${sentence}\n\n${TRACKED}\n`)).toBeNull()
  })

  test('a page about an appointment is no invitation, although its address has the token of one', () => {
    const url = 'https://harbour.example/users/rdvs/348821/creneaux?invitation_token=KX7PQ2MN'
    expect(ofButton('Un créneau vient de se libérer !', 'Avancez votre RDV.', 'Voir', url)).toBeNull()
    expect(ofButton('Un créneau vient de se libérer !', 'Vous avez été invité.', 'Voir', url)).toBeNull()
    expect(ofButton('Bienvenue !', 'Vous avez été invité.', 'Voir', url)).toMatchObject({ kind: 'invite' })
  })

  test('an approved account and a sentence to sign in bring no link to sign in', () => {
    const text = `Your account was approved by an administrator. You can now sign in.\n\n${TRACKED}\n`
    expect(ofText('Your account has been approved', text)).toBeNull()
  })

  test('to approve a sign-in is an action still', () => {
    expect(ofButton('New sign-in to your account', 'Approve it here.', 'Approve')).not.toBeNull()
  })

  test('to confirm an address is one, whatever else the subject names', () => {
    const sentence = 'Verify your email address to finish.'
    expect(ofButton('Your first order at Harbour', sentence, 'Verify')).toMatchObject({ kind: 'confirm' })
  })
})

describe('the button of a text', () => {
  test.each([`Continue: ${TRACKED}`, `Click here [${TRACKED}]`, `Get started (${TRACKED})`])(
    'is read with the line above it: %s',
    (line) => {
      const text = `Hi Nora,\n\nTo finish signing up, confirm your email.\n\n${line}\n\nThe Harbour team\n`
      expect(ofText('Almost there', text)).toMatchObject({ url: TRACKED, kind: 'confirm' })
    },
  )

  test.each([`If this was not you: ${TRACKED}`, `If this was not you [${TRACKED}]`])(
    'is not, if it is for a reader who did not ask: %s',
    (line) => {
      const text = `Hi Nora,\n\nConfirm your email address in the app.\n\n${line}\n`
      expect(ofText('Almost there', text)).toBeNull()
    },
  )
})

test.each([
  ['confirm', 'Harbour', 'Please confirm that n@mail.example is yours.', 'Yes, this is my email'],
  ['confirm', 'Confirm your subscription', 'You asked for our news.', 'Yes, subscribe me'],
  ['reset', 'Account recovery', 'We received your request.', 'Recover my account'],
  ['invite', 'Join the team', 'Ben added you as an editor.', 'Accept and join'],
])('%s: "%s" [%s]', (kind, subject, sentence, words) => {
  expect(ofButton(subject, sentence, words)).toMatchObject({ url: TRACKED, kind })
})

test('a magic link needs no word for signing in', () => {
  const url = 'https://harbour.example/users/magic/X0LpqHEd0lFfgRhWFUnwSiFuk7UOp04y'
  const words = 'Toegang tot mijn account'
  const subject = 'Maak verbinding met Harbour'
  expect(ofButton(subject, 'Klik hier.', words, url)).toMatchObject({ url, kind: 'sign_in' })
  expect(ofButton(subject, 'Klik hier.', 'Bekijk de foto', url)).toBeNull()
})

test('an address is changed where its name says so', () => {
  const url = 'https://harbour.example/wp-admin/profile.php?newuseremail=c3aa96ddd280377bed2cb0a74994de2d'
  const text = `You requested this.\n\nIf this is correct, click on the following link to change it:\n${url}\n`
  expect(ofText('[Harbour] Email Change Request', text)).toMatchObject({ url, kind: 'confirm' })
})

describe('an account that was created for the reader, whose first password is to be set, is an invitation', () => {
  test.each([
    ['ยินดีต้อนรับ', 'เราได้สร้างบัญชีให้คุณแล้ว โปรดตั้งรหัสผ่าน', 'ตั้งรหัสผ่าน'],
    ['Willkommen', 'Für Sie wurde ein Konto erstellt. Bitte legen Sie ein Passwort fest.', TRACKED],
  ])('%s', (subject, sentence, words) => {
    expect(ofButton(subject, sentence, words)).toMatchObject({ url: TRACKED, kind: 'invite' })
  })

  test('also where another link has a long sentence in letters whose searches cost more', () => {
    const long =
      'Χρησιμοποίησε αυτόν τον σύνδεσμο για να αποκτήσεις πρόσβαση στην εφαρμογή μόλις ορίσεις τον κωδικό πρόσβασής σου'
    const html =
      '<p>Γεια σας</p><p>Δημιουργήσαμε έναν λογαριασμό για εσάς στο Harbour. ' +
      'Μπορείτε να ορίσετε το νέο σας συνθηματικό μέσω αυτού του συνδέσμου:</p>' +
      `<p><a href="${TRACKED}">Αλλαγή του κωδικού μου</a></p>` +
      '<p>Ο κωδικός πρόσβασής σας δεν θα αλλάξει μέχρι να μεταβείτε στον παραπάνω σύνδεσμο.</p>'
    for (const home of ['https://harbour.example', `${TRACKED}2`]) {
      const all = `${html}<p>${long}: <a href="${home}">https://harbour.example</a></p>`
      const mail = { subject: 'Καλώς ορίσατε', text: htmlText(all), html: all, isTextOfHtml: true }
      expect(findLinks(mail, LIMITS).actionLink).toMatchObject({ url: TRACKED, kind: 'invite' })
    }
  })
})

test('a reset is named by its button alone, in Arabic too', () => {
  const html =
    `<a href="${TRACKED}2"><img src="https://harbour.example/l.png"></a>` +
    `<p>لقد طلبت كلمة مرور جديدة.</p><p><a href="${TRACKED}">إعادة التعيين</a></p>`
  const mail = { subject: 'إعادة تعيين كلمة المرور', text: htmlText(html), html, isTextOfHtml: true }
  expect(findLinks(mail, LIMITS).actionLink).toMatchObject({ url: TRACKED, kind: 'reset' })
})

test('to confirm an invitation is to accept it', () => {
  const url = 'https://harbour.example/confirm/LinkInvite?key=666599474746.0E18A9EA7A07'
  const sentence = 'You were invited to a room at https://harbour.example. Follow the link:'
  expect(ofButton('Join the room', sentence, 'Confirm invitation', url)).toMatchObject({
    url,
    kind: 'invite',
  })
})

test('a page for signing up is an invitation where its sentence says so', () => {
  const url = 'https://harbour.example/signup'
  const invited = 'You were invited to join Port Authority. '
  const text = `${invited}To accept the invitation and start using Harbour, sign on at ${url}.`
  expect(ofText('Harbour', text)).toMatchObject({ url, kind: 'invite' })
  expect(ofText('Harbour', `${invited}Our page is ${url}.`)).toBeNull()
})

describe('what is picked up at a desk is no action', () => {
  test.each([
    ['en', 'Invitation to pick up a document', 'You can consult your account and extend the loan at:'],
    ['en', 'Invitation to collect your parcel', 'You can see your account at:'],
    ['fr', 'Invitation à retirer un document', 'Vous pouvez consulter votre compte à :'],
    ['de', 'Einladung zum Abholen eines Dokuments', 'Ihr Konto finden Sie unter:'],
    ['it', 'Invito a ritirare un documento', 'Può consultare il suo conto su:'],
    ['es', 'Invitación a recoger un documento', 'Puede consultar su cuenta en:'],
    ['pt', 'Convite para levantar um documento', 'Pode consultar a sua conta em:'],
    ['nl', 'Uitnodiging om een document op te halen', 'U vindt uw account op:'],
    ['ru', 'Приглашение забрать документ', 'Ваш аккаунт:'],
    ['pl', 'Zaproszenie do odbioru dokumentu', 'Twoje konto:'],
  ])('%s: %s', (_language, subject, sentence) => {
    expect(ofText(subject, `${sentence} https://library.example/patrons/Q7mVx2LkTz0eSbYw4dRcHn5J`)).toBeNull()
    expect(
      ofText(subject.split(' ')[0]!, `${sentence} https://library.example/patrons/Q7mVx2LkTz0eSbYw4dRcHn5J`),
    ).toMatchObject({ kind: 'invite' })
  })
})

describe('to look at what was done in an account is no action', () => {
  test.each([
    ['en', 'Security alert', 'Check activity'],
    ['es', 'Alerta de seguridad', 'Comprobar actividad'],
    ['es', 'Alerta de seguridad', 'Verificar actividad'],
    ['pt', 'Alerta de segurança', 'Verificar atividade'],
    ['pt', 'Alerta de segurança', 'Verificar atividade'],
    ['fr', 'Alerte de sécurité', "Vérifier l'activité"],
    ['fr', 'Alerte de sécurité', "Consulter l'activité"],
    ['de', 'Sicherheitswarnung', 'Aktivitäten prüfen'],
    ['it', 'Avviso di sicurezza', 'Controlla attività'],
    ['it', 'Avviso di sicurezza', 'Verifica attività'],
    ['pl', 'Alert bezpieczeństwa', 'Sprawdź aktywność'],
    ['nl', 'Beveiligingsmelding', 'Activiteit controleren'],
    ['sv', 'Säkerhetsvarning', 'Kontrollera aktivitet'],
    ['da', 'Sikkerhedsadvarsel', 'Tjek aktivitet'],
    ['cs', 'Bezpečnostní upozornění', 'Zkontrolovat aktivitu'],
    ['cs', 'Bezpečnostní upozornění', 'Ověřit aktivitu'],
    ['sk', 'Upozornenie zabezpečenia', 'Overiť aktivitu'],
    ['tr', 'Güvenlik uyarısı', 'Etkinliği kontrol et'],
    ['tr', 'Güvenlik uyarısı', 'Etkinliği doğrula'],
    ['ru', 'Оповещение системы безопасности', 'Проверить действия'],
    ['uk', 'Сповіщення системи безпеки', 'Підтвердити дії'],
    ['ja', 'セキュリティ通知', 'アクティビティを確認'],
    ['ko', '보안 알림', '활동 확인'],
    ['zh', '安全提醒', '查看活动'],
    ['ar', 'تنبيه أمني', 'التحقّق من النشاط'],
    ['hu', 'Biztonsági figyelmeztetés', 'Tevékenység ellenőrzése'],
    ['ro', 'Alertă de securitate', 'Verificați activitatea'],
    ['vi', 'Cảnh báo bảo mật', 'Xác minh hoạt động'],
    ['id', 'Notifikasi keamanan', 'Periksa aktivitas'],
    ['id', 'Notifikasi keamanan', 'Verifikasi aktivitas'],
    ['ca', 'Alerta de seguretat', "Verifica l'activitat"],
    ['fi', 'Turvallisuusilmoitus', 'Tarkista toiminta'],
    ['el', 'Ειδοποίηση ασφαλείας', 'Επαλήθευση δραστηριότητας'],
    ['he', 'התראת אבטחה', 'בדיקת הפעילות'],
    ['th', 'การแจ้งเตือนความปลอดภัย', 'ตรวจสอบกิจกรรม'],
    ['hi', 'सुरक्षा से जुड़ी चेतावनी', 'गतिविधि की पुष्टि करें'],
  ])('%s: %s, %s', (_language, subject, words) => {
    const url = 'https://accounts.harbour.example/alert/nt/1796193983000?eid=9793398106934195865'
    for (const one of [subject, 'Harbour']) expect(ofButton(one, 'Linux, Chrome', words, url)).toBeNull()
  })
})

test('nor is a page about an order, whose word is one for an invitation, too', () => {
  const url = 'https://harbour.example/?order=f52edb19-1c8c-46bb-a442-19486e6a93ac'
  expect(ofButton('ההזמנה שלך נשלחה', 'החבילה שלך יצאה לדרך', 'מעקב אחר ההזמנה', url)).toBeNull()
})

test('"welcome" is no invitation in Belarusian', () => {
  const url = 'https://harbour.example/account/activate?key=NYM9MLxxi6ascLQKsxE4Q10zTKtL'
  const subject = 'Сардэчна запрашаем на harbour.example!'
  expect(ofButton(subject, 'Дзякуем за рэгістрацыю.', 'Актываваць', url)?.kind).toBe('confirm')
})

describe('words about activities beside an action', () => {
  test.each([
    ['ru', 'Подтверждение действия', 'Для подтверждения действия нажмите кнопку.', 'Подтвердить', 'confirm'],
    ['uk', 'Підтвердження дії', 'Для підтвердження дії натисніть кнопку.', 'Підтвердити', 'confirm'],
    ['sv', 'Din inloggningslänk', 'Klicka här.', 'Logga in och få en översikt över aktiviteter', 'sign_in'],
    ['ja', 'ログインリンク', 'Harbour', 'ログインしてアクティビティを確認してください', 'sign_in'],
    ['en', 'Security alert: Reset your password', 'Click here.', 'Reset password', 'reset'],
    ['de', 'Einladung ins Team Sicherheitsmeldungen', 'Willkommen.', 'Einladung annehmen', 'invite'],
  ])('%s: %s', (_language, subject, sentence, words, kind) => {
    expect(ofButton(subject, sentence, words)?.kind).toBe(kind)
  })
})

test('a registration is confirmed, though it was issued again', () => {
  const text = `下記URLをクリックし、本登録を完了してください。\n${TRACKED}\n`
  expect(ofText('仮登録（再発行）のお知らせ', text)?.kind).toBe('confirm')
  expect(
    ofButton('ログイン情報の再発行', '下記のリンクから再発行の手続きをお願いいたします。', 'こちら')?.kind,
  ).toBe('reset')
  expect(ofText('パスワード再発行のお知らせ', `下記URLをクリックしてください。\n${TRACKED}\n`)?.kind).toBe(
    'reset',
  )
})

describe('a new password for an account that is named by its address', () => {
  test.each([
    'The password of ann@acme.example has been reset by an administrator. Choose a new password here:',
    'Das Passwort für ann@acme.example soll geändert werden. Klicken Sie hier, um es zurückzusetzen:',
    'Le mot de passe du compte ann@acme.example doit être modifié. Cliquez ici pour le réinitialiser :',
    'Пароль для учетной записи ann@acme.example был сброшен администратором. Задайте новый пароль:',
  ])('is no notice: %s', (text) => {
    expect(ofText('Harbour', `${text}\n${TRACKED}`)).toMatchObject({ url: TRACKED, kind: 'reset' })
  })

  test.each(['ann@acme.example', '(ann@acme.example)', '"ann@acme.example"'])(
    'nor does the full stop behind %s go with it',
    (mailbox) => {
      const asked = `If you did not request to reset the password for ${mailbox}, do nothing.`
      const text = `You want to reset the password for ${mailbox}. Nothing has been changed yet. ${asked}`
      expect(ofButton('Harbour', text, 'Choose a new password')).toMatchObject({ kind: 'reset' })
    },
  )
})

describe('an address that was changed', () => {
  const changed = 'Your email address was changed'
  test.each([
    [changed, 'Your address was changed. We send this to confirm the change. Your account:'],
    [changed, 'Your email was updated. To confirm your settings, visit:'],
    [changed, 'Your address was updated. Confirmation and details:'],
    ['Ihre E-Mail-Adresse wurde geändert', 'Wir bestätigen die Änderung der Adresse. Rückgängig machen:'],
    ['Votre adresse e-mail a été modifiée', 'Nous confirmons la modification. Votre compte :'],
  ])('is not confirmed by what only mentions it: %s, %s', (subject, text) => {
    expect(ofText(subject, `${text} ${TRACKED}`)).toBeNull()
    expect(ofText(subject, `${text}\n${TRACKED}`)).toBeNull()
  })

  test.each([
    [changed, 'Your address was changed. Please confirm your new address:'],
    ['Ihre E-Mail-Adresse wurde geändert', 'Klicken Sie auf folgenden Link, um diese zu bestätigen:'],
  ])('is confirmed where the mail asks for it: %s, %s', (subject, text) => {
    expect(ofText(subject, `${text}\n${TRACKED}`)).toMatchObject({ kind: 'confirm' })
  })
})
