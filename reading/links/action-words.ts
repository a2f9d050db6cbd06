import { folded } from '../lexicon/fold.ts'
import { bits, wordsIn } from '../lexicon/words.ts'
import { says } from './words.ts'

/*
 * What `fold`ed words around a link say beside the words of the lexicon, in the languages that
 * senders use most.
 */

/** An address is confirmed: "confirm your address to sign in", not "confirm your sign-in". */
export const ADDRESS_WORDS = folded(
  'mail|address|account|adres|konto|compte|cuenta|\\bconta\\b|почт|аккаунт|пошт|邮|郵|メール|アカウント|账|帳|메일|계정|hesap|بريد|حساب|אימייל|חשבון|ईमेल|खात|อีเมล|บัญชี|abonn|subscription|newsletter|poçt|имейл|адрес|ইমেল|ইমেইল|adreça|correo|dirección|indirizzo|endereço|adresse|ایمیل|sähköposti|osoit|אימייל|מייל|ელფოსტ|naslov|pošt|மின்னஞ்சல்|அஞ்சல்|ఈమెయిల్|ഇമെയിൽ|ಇಮೇಲ್|posta|epost|e-post|tölvupóst|địa chỉ|tài khoản|llogari|akaunti|пошта|рахунок|fiók|cím\\b|λογαριασμ|διευθυνσ',
)

const CODE = folded(
  '\\bcodes?\\b|\\bcodigo|\\bcodice|\\bkod\\w{0,3}\\b|\\bkode\\b|\\bkoodi|\\bpin\\b|\\botp\\b|(?<!\\p{L})код|コード|番号|(?:验证|驗證|校验|动态|確認|认证)[码碼]|코드|(?<!비밀 ?)번호|رمز(?! عبور)|קוד|कोड|รหัส(?!ผ่าน)|ma xac',
)

const CODE_WORDS = bits('code', 'verificationCode')

/** Whether folded words are about a code, which is typed and not clicked. */
export function speaksOfCode(text: string): boolean {
  if (CODE.test(text)) return true
  // In some languages a new password is a new code: "adgangskode", "κωδικός".
  return !says('reset', text) && wordsIn(text, text).some(({ kinds }) => (kinds & CODE_WORDS) !== 0)
}

/** For readers whose button does not work. */
export const FALLBACK = folded(
  'work|copy|paste|button|knopf|schaltfläche|funktion|kopier|bouton|fonctionn|copiez|coller|botón|funciona|copi[ae]|pega|pulsante|incolla|botão|cole\\b|knop|werkt|plak|fungera|virker|przycisk|dziala|skopiuj|tlačit|nefung|кнопк|работа|скопир|працю|скопі|buton|çalış|kopyala|gomb|másol|κουμπ|αντιγρ|زر|انسخ|כפתור|העתק|बटन|कॉपी|ボタン|コピー|按钮|按鈕|复制|複製|버튼|복사|sao chép|ปุ่ม|คัดลอก|tombol|salin|painike|kopioi|toimi',
)

/**
 * Something that is bought, booked, met, declined or reported: none of the kinds of action,
 * whatever the verb.
 */
export const OTHER_ACTION = folded(
  "\\b(?:(?<!\\bin )orders?|offers?|coupons?|deals?|discounts?|vouchers?|rewards?|purchases?|payments?|bookings?|reservations?|appointments?|deliver(?:y|ies)|shipments?|tickets?|invoices?|quotes?|trial|meetings?|webinars?|zoom|teams-meeting|attendance|rsvp|cookies|friends?|resend|two-factor|two-step|2fa|decline|cancel\\w*|reject|revoke|report|delete (?:my|your|the)|wasn'?t me|not me)\\b|erneut (?:zu)?send|renvoyer|reenviar|再送|重新发送|bestell(?!\\w*lich)|angebot|gutschein|rabatt|\\btermin(?:e|en|s|bestätigung)?\\b|buchung|ablehnen|stornier|commande|réservation|rendez-vous|promo|pedido|oferta|cupon|cita\\b|reserva|rechaz|ordine|offerta|prenotazione|appuntamento|rifiut|encomenda|recusar|korting|bestelling|afspraak|afwijz|zamowieni|odrzu|заказ|скидк|купон|отклон|замовлен|siparis|indirim|randevu|reddet|订单|訂單|优惠|優惠|预约|拒绝|拒絕|会议|會議|注文|予約|クーポン|会議|拒否|辞退|주문|예약|쿠폰|회의|거절|طلبك|خصم|رفض|הזמנת|קופון",
)

/** Both answers to one question, of which the first one is the action. */
const EITHER = folded(
  'accept or (?:decline|reject)|(?:confirm|approve) or (?:cancel|reject|deny)|annehmen oder ablehnen|accepter ou (?:refuser|décliner)|aceptar o rechazar|aceitar ou (?:recusar|rejeitar)|accettare o rifiutare|accepteren of (?:afwijzen|weigeren)|przyjąć lub odrzucić|принять или отклонить|接受或(?:拒绝|拒絕)|承諾または(?:拒否|辞退)|수락 ?(?:또는|하거나) ?거절',
)

/**
 * Whether folded words are about something other than the kinds of action. An account may be
 * confirmed for such a purpose: "confirm your account to see your tickets".
 */
export function isOtherAction(text: string): boolean {
  if (!OTHER_ACTION.test(text)) return false
  const asked = text.replace(EITHER, ' ')
  const found = OTHER_ACTION.exec(asked)
  if (found === null) return false
  const before = asked.slice(0, found.index)
  return !(says('confirm', before) && ADDRESS_WORDS.test(before))
}

const SEPARATORS = '[\\s\\p{P}\\p{S}]*'
const GENERIC_WORDS =
  'click|tap|press|follow|use|open|visit|go to|see|on|the|this|that|link|below|here|button|url|continue|proceed|next|start|get started|go|hier|klicken?|sie|auf|diesen?|folgenden?|link|weiter|cliquez|ici|sur|ce|lien|continuer|suivant|aqui|haz|haga|clic|en|este|enlace|continuar|siguiente|qui|clicca|questo|collegamento|continua|clique|neste|hiermee|klik|op|deze|doorgaan|verder|kliknij|tutaj|ten|kontynuuj|klikni|sem|zde|har|her|tasta|buraya|tikla\\w*|devam|нажмите|здесь|сюда|перейдите|по|ссылке|ссылку|эту|продолжить|натисніть|тут|посиланням|продовжити|اضغط|هنا|انقر|متابعة|לחץ|כאן|המשך|यहाँ|क्लिक|करें|nhấn|vào|đây|tiep|tuc|klik|di|sini|lanjutkan'
/** The same in scripts without spaces between words. */
const GENERIC_CHARACTERS =
  '点击|點擊|点此|這裡|这里|此处|此處|链接|連結|继续|繼續|こちら|ここ|をクリック|リンク|続ける|여기|를|클릭|링크|계속|คลิก|ที่นี่'

/** Words that say only that this is a link: "click here", "continue". */
export const GENERIC = folded(
  `^${SEPARATORS}(?:(?:(?:${GENERIC_WORDS})(?!\\p{L})|${GENERIC_CHARACTERS})${SEPARATORS})*$`,
)

/** A subject of a conversation. */
export const REPLY =
  /^\[?(?:re|fwd?|aw|wg|sv|vs|tr|rv|enc|antw|odp|ynt|回复|答复|转发|回覆|返信|転送)(?:\[\d+\])? ?:/

/**
 * A subject that asks, though its other words report: "Verify Discord login from a new location".
 */
export const REQUEST = /^(?:please )?(?:verify|confirm|approve|authori[sz]e)\b/
