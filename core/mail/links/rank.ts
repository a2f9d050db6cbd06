import { withoutAccents } from '../codes/plain.ts'

export interface Link {
  url: string
  /** The words of the link, or what stands before it in a text. */
  words: string
}

/** Confirmation links first, links to sign in next, then the others; unsubscribe, legal and social ones last. */
export function rank(links: Link[]): Link[] {
  const graded = links.map((link) => ({ link, grade: gradeOf(link) }))
  return graded.sort((a, b) => b.grade - a.grade).map(({ link }) => link)
}

const CONFIRMS = 3
const SIGNS_IN = 2
const ORDINARY = 1
const LAST = 0

function gradeOf(link: Link): number {
  const url = link.url.toLowerCase()
  const words = withoutAccents(link.words.toLowerCase())
  if (UNSUBSCRIBE_URL.test(url) || UNSUBSCRIBE.test(words)) return LAST
  const path = /^https?:\/\/[^/?#]*([^?#]*)/.exec(url)![1]!
  if (LEGAL_PATH.test(path)) return LAST
  // What the address says outweighs the words: in a text they may be about something else.
  if (CONFIRM_URL.test(url)) return CONFIRMS
  if (LEGAL.test(words)) return LAST
  if (CONFIRM.test(words)) return CONFIRMS
  if (SIGN_IN_URL.test(url) || SIGN_IN.test(words)) return SIGNS_IN
  return SOCIAL_HOST.test(url) ? LAST : ORDINARY
}

const UNSUBSCRIBE_URL =
  /unsub|opt-?out|preferences|email-?settings|notification-?settings|abmeld|desinscri|desabonn/

const LEGAL_PATH =
  /privacy|datenschutz|impressum|imprint|\/(?:terms|agb|legal|tos|cookies?|gdpr)\b|\/(?:help|support|faq|contact|about|careers)(?:\/|$)/

const CONFIRM_URL =
  /verif|confirm|activat|validat|magic|(?<![a-z])(?:reset|recover|invit|accept|otp|passwordless|one-?time|double-?opt)|[?&#/;](?:[a-z_-]*(?:token|otp|ticket|nonce)|code|oobcode|key|hash)=|finish-?sign|set-?password|(?<![a-z])(?:bestaetig|aktivier|activer|activar|attiva|ativar|bevestig|potwierd|aktywuj|dogrula|onayla|bekraft)/

const SIGN_IN_URL = /(?<![a-z])(?:log-?in|sign-?in|signon|sso|auth(?!or)|session|accounts?\/(?:log|sign))/

const SOCIAL_HOST =
  /^https?:\/\/(?:[a-z0-9-]+\.)*(?:facebook|twitter|x|instagram|linkedin|youtube|tiktok|pinterest|threads|vk|weibo|bsky|discord|t|wa|apps\.apple|play\.google|itunes\.apple|whatsapp|snapchat|reddit|medium|xing)\.(?:com|net|app|gg|me|de|social)(?:[/?#]|$)/

const UNSUBSCRIBE = words(
  'unsubscri|opt[ -]out|preferences|abmelden|abbestell|abonnement beenden|desabonn|desinscri|' +
    'darse de baja|date de baja|' +
    'cancelar (?:la |tu |a )?(?:suscripcion|inscricao|assinatura)|descadastr|disiscri|annulla iscrizione|' +
    'cancella iscrizione|' +
    'afmeld|uitschrijv|wypis|rezygn|anuluj subskrypcj|abonelik|avregistrer|avsluta prenumeration|' +
    'avprenumerera|afmeld|' +
    'meld deg av|peruuta tilaus|odhlas|dezabon|leiratkoz|berhenti berlangganan|huy dang ky|отпис|відпис|' +
    'κατάργηση εγγραφής|' +
    'إلغاء الاشتراك|להסרה|退订|退訂|取消订阅|取消訂閱|配信停止|配信解除|登録解除|수신 ?거부|구독 ?취소|ยกเลิก',
)

const LEGAL = words(
  'privacy|terms of|terms and|terms &|imprint|impressum|datenschutz|\\bagb\\b|mentions legales|' +
    'confidentialite|privacidad|' +
    'aviso legal|termini|privacidade|termos|voorwaarden|polityka prywatnosci|regulamin|gizlilik|' +
    'integritet|конфиденциальн|' +
    'політика|隐私|隱私|プライバシー|利用規約|개인정보|이용약관|خصوصية|view (?:it )?in (?:your )?browser|im browser|help cent',
)

const CONFIRM = words(
  'verif|confirm|activat|validat|reset|magic|accept|finish (?:sign|set)|complete (?:your|the|sign)|' +
    'set (?:a |your )?(?:new )?password|' +
    'bestätig|aktivier|freischalt|zurücksetzen|annehmen|vérifi|activer|valider|réinitialis|accepter|' +
    'activar|restablec|acepta|' +
    'conferma|attiva|reimposta|accetta|ativar|ative|redefinir|aceitar|bevestig|activeer|herstel|' +
    'accepteer|potwierd|zweryfikuj|' +
    'aktywuj|zresetuj|doğrula|onayla|etkinleştir|sıfırla|bekräft|aktivera|återställ|bekræft|bekreft|' +
    'nulstil|vahvista|ověř|potvrd|' +
    'erősít|verifikasi|konfirmasi|xác minh|xác nhận|xác thực|kích hoạt|đặt lại|подтверд|активир|сброс|' +
    'восстанов|принять|підтверд|' +
    'активув|скин|віднов|επιβεβα|επαλήθευ|ενεργοπο|تأكيد|تحقق|تفعيل|تعيين|אמת|אישור|सत्याप|पुष्टि|ยืนยัน|' +
    '验证|驗證|确认|確認|激活|' +
    '啟用|重置|重設|接受|認証|有効化|再設定|承認|登録を完了|인증|확인|활성화|재설정|수락',
)

const SIGN_IN = words(
  'sign(?:ing)?[ -]?in|log(?:ging)?[ -]?in|anmelden|einloggen|connexion|connecter|iniciar ses|inicia ses|' +
    'acced[ei]|entrar|inloggen|' +
    'zaloguj|giriş yap|logga in|log ind|logg inn|kirjaudu|přihlás|masuk|đăng nhập|войти|увійти|σύνδεση|' +
    'تسجيل الدخول|כניסה|लॉगिन|' +
    'เข้าสู่ระบบ|登录|登入|登錄|ログイン|로그인|join',
)

function words(source: string): RegExp {
  return new RegExp(withoutAccents(source))
}
