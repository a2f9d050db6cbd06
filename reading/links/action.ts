import { fold, folded } from '../lexicon/fold.ts'
import type { LinkKind } from '../lexicon/language.ts'
import type { ActionKind, ActionLink } from '../message.ts'
import { APPS_AND_SOCIAL, isLastAddress, isLastWords, pathOf } from './last.ts'
import type { Link, Mention } from './link.ts'
import { says } from './words.ts'

/*
 * What the mail wants done, from three witnesses: the link's own words, its address, and the subject. None of them
 * decides alone but the words; a link whose words say nothing ("here", its own address) is judged by the sentence
 * around it. A wrong action costs a reader more than none, so in doubt there is none.
 */

/** Points of each witness, and what a link must reach. */
const WORDS = 3
const ADDRESS = 2
const SUBJECT = 2
const SENTENCE = 1
const TOKEN = 1
const OBJECT = 1
const ENOUGH: Record<ActionKind, number> = { reset: 3, invite: 3, sign_in: 5, confirm: 3 }
const ENOUGH_IN_REPORT = 5

/** Of kinds that are equally well witnessed the earlier one: "confirm" stands beside every other. */
const KINDS: readonly ActionKind[] = ['reset', 'invite', 'sign_in', 'confirm']

/** The words of the lexicon for each kind of action. */
const WORDS_OF: Record<ActionKind, LinkKind> = {
  reset: 'reset',
  invite: 'invite',
  sign_in: 'signIn',
  confirm: 'confirm',
}
const REPLY = /^(?:re|fwd?|aw|wg|sv|vs|tr|rv|enc|antw|odp|ynt|回复|答复|转发|回覆|返信|転送)(?:\[\d+\])? ?:/

/** A link of more words is a headline. */
const WORDS_MAX = 90
const SENTENCE_MAX = 220
/** Characters of the text in which it says that somebody is invited. */
const BEGINNING = 1000

/** What is confirmed when an address is: tells "confirm your address to sign in" from "confirm your sign-in". */
const ADDRESS_WORDS = folded(
  'mail|address|account|adres|konto|compte|cuenta|\\bconta\\b|почт|аккаунт|пошт|邮|郵|メール|アカウント|账|帳|메일|계정|hesap|بريد|حساب|אימייל|חשבון|ईमेल|खात|อีเมล|บัญชี|abonn|subscription|newsletter',
)

/** Speaks of a code, which is typed and not clicked. */
const CODE = folded(
  '\\bcodes?\\b|\\bcodigo|\\bcodice|\\bkod\\w{0,3}\\b|\\bkode\\b|\\bkoodi|\\bpin\\b|\\botp\\b|(?<!\\p{L})код|コード|番号|(?:验证|驗證|校验|动态|確認|认证)[码碼]|코드|(?<!비밀 ?)번호|رمز(?! عبور)|קוד|कोड|รหัส(?!ผ่าน)|ma xac',
)

/** For readers whose button does not work. */
const FALLBACK = folded(
  'work|copy|paste|button|knopf|schaltfläche|funktion|kopier|bouton|fonctionn|copiez|coller|botón|funciona|copi[ae]|pega|pulsante|incolla|botão|cole\\b|knop|werkt|plak|fungera|virker|przycisk|dziala|skopiuj|tlačit|nefung|кнопк|работа|скопир|працю|скопі|buton|çalış|kopyala|gomb|másol|κουμπ|αντιγρ|زر|انسخ|כפתור|העתק|बटन|कॉपी|ボタン|コピー|按钮|按鈕|复制|複製|버튼|복사|sao chép|ปุ่ม|คัดลอก|tombol|salin|painike|kopioi|toimi',
)

/** What is bought, booked, met or declined: none of the four kinds, whatever the verb. */
const OTHERWISE = folded(
  "\\b(?:orders?|offers?|coupons?|deals?|discounts?|vouchers?|rewards?|purchases?|payments?|bookings?|reservations?|appointments?|deliver(?:y|ies)|shipments?|tickets?|invoices?|quotes?|trial|meetings?|webinars?|zoom|teams-meeting|attendance|rsvp|cookies|friends?|two-factor|two-step|2fa|decline|cancel\\w*|reject|revoke|report|delete (?:my|your|the)|wasn'?t me|not me)\\b|bestell(?!\\w*lich)|angebot|gutschein|rabatt|termin|buchung|ablehnen|stornier|commande|réservation|rendez-vous|promo|pedido|oferta|cupon|cita\\b|reserva|rechaz|ordine|offerta|prenotazione|appuntamento|rifiut|encomenda|recusar|korting|bestelling|afspraak|afwijz|zamowieni|odrzu|заказ|скидк|купон|отклон|замовлен|siparis|indirim|randevu|reddet|订单|訂單|优惠|優惠|预约|拒绝|拒絕|会议|會議|注文|予約|クーポン|会議|拒否|辞退|주문|예약|쿠폰|회의|거절|طلبك|خصم|رفض|הזמנת|קופון",
)

const OTHERWISE_PATH =
  /(?:^|[/_-])(?:orders?|offers?|coupons?|deals?|promo\w*|shop|store|blog|news|articles?|posts?|docs?|checkout|cart|booking|reservation|two-factor|two-step|2fa|decline|cancel|reject|revoke|report|deny)(?:[/_.-]|$)/

/** What addresses say, in the words that programs use; they are English nearly everywhere. */
const IN_ADDRESS: Record<ActionKind, RegExp> = {
  reset:
    /(?:reset|recover|restore|forgot|set|new|change|choose|create)[-_]?(?:your[-_]?)?(?:my[-_]?)?pass|pass(?:word|wd|wort)?s?[/_-]?(?:reset|recover|edit|new|change|forgot)|pw[-_]?reset|(?:^|[/?&=_-])(?:reset|recover|recovery)(?:[/?&=_.-]|$)|mode=resetpassword|account[-_]?recovery|type=recovery/,
  invite:
    /(?:^|[/?&=#_-])(?:accept[-_]?)?(?:invit(?:e|es|ed|ation|ations)|invitations?)(?:[/?&=_.-]|$)|join[-_]?(?:team|workspace|org)/,
  sign_in:
    /magic[-_]?(?:link|url|login|sign|auth)?|passwordless|one[-_]?time[-_]?(?:login|sign)|(?:login|sign[-_]?in|signin|email[-_]?(?:link|login))(?:[-_]?(?:token|link|code|callback|verify))|mode=signin|action=sign_?in|otp[-_]?login/,
  confirm:
    /(?:^|[/?&=#._-])(?:re)?(?:verif(?:y|ication|ied?)|confirm(?:ation|ed)?|activat(?:e|ion)|validat(?:e|ion)|opt-?in|double-?opt-?in|bestaetig\w*|aktivier\w*|activer|activar|confirmar|verificar|attiva|ativar|bevestig\w*|potwierd\w*|aktywuj|dogrula\w*|onayla)[a-z]{0,9}(?:[/?&=_.-]|$)|(?:verify|confirm|activate|validate)[-_]?(?:e?-?mail|account|user|address|registration|signup)|(?:e?mail|account|user)[-_]?(?:verif|confirm|activat|validat)\w*|mode=verifyemail|type=(?:signup|email)\b/,
}

/** A plain way to sign in; one with a token in it is a link made for this reader. */
const SIGN_IN_PATH = /(?:^|[/?&=#_-])(?:log-?in|sign-?in|signon|sso|auth(?:enticate)?|session)(?:[/?&=_.-]|$)/

/**
 * A value that nobody types: as a query's or a path's part. Templates of tests and docs count ("{{token}}"), and
 * short random ones with both digits and letters.
 */
const TOKEN_IN =
  /[/=#:](?=[\w.%+-]*\d)(?=[\w.%+-]*[a-z])[\w.%+-]{6,}(?:[/?&#=]|$)|[?&#](?:[a-z_]*(?:token|otp|ticket|nonce|secret|signature|hash|key|code)|t|k|c)=[^&]+|[/=]\d{5,}(?:[/?&#]|$)|[/=][\w-]{20,}(?:[/?&#]|$)/

/** Words that say only that this is a link. */
const GENERIC = folded(
  '^[\\s\\p{P}\\p{S}]*(?:(?:click|tap|press|follow|use|open|visit|go to|see|on|the|this|that|link|below|here|button|url|continue|proceed|next|start|get started|go|hier|klicken?|sie|auf|diesen?|folgenden?|link|weiter|cliquez|ici|sur|ce|lien|continuer|suivant|aqui|haz|haga|clic|en|este|enlace|continuar|siguiente|qui|clicca|questo|collegamento|continua|clique|neste|hiermee|klik|op|deze|doorgaan|verder|kliknij|tutaj|ten|kontynuuj|klikni|sem|zde|har|her|tasta|buraya|tikla\\w*|devam|нажмите|здесь|сюда|перейдите|по|ссылке|ссылку|эту|продолжить|натисніть|тут|посиланням|продовжити|点击|點擊|点此|這裡|这里|此处|此處|链接|連結|继续|繼續|こちら|ここ|をクリック|リンク|続ける|여기|를|클릭|링크|계속|اضغط|هنا|انقر|متابعة|לחץ|כאן|המשך|यहाँ|क्लिक|करें|คลิก|ที่นี่|nhấn|vào|đây|tiep|tuc|klik|di|sini|lanjutkan)[\\s\\p{P}\\p{S}]*)*$',
)

/** The link that the mail wants clicked, and what for; null where none plainly is. */
export function actionOf(links: Link[], subject: string, text: string): ActionLink | null {
  const mail = readMail(subject, text)
  let best: (Verdict & { url: string }) | null = null
  for (const { url, mentions } of links) {
    const address = readAddress(url.toLowerCase())
    if (address === null) continue
    for (const mention of mentions) {
      const found = judge(mention, address, mail)
      if (found !== null && (best === null || found.score > best.score)) best = { url, ...found }
    }
  }
  return best && { url: best.url, text: best.text, kind: best.kind }
}

/** What the mail as a whole says. */
interface Mail {
  /** What its subject asks for. */
  subject: Set<ActionKind>
  /** The subject tells what happened and asks for nothing, or it is a conversation. */
  reports: boolean
  /** Somebody is invited. */
  invites: boolean
}

function readMail(subjectLine: string, text: string): Mail {
  const subject = fold(subjectLine)
  const reports = says('report', subject) || REPLY.test(subject)
  const asked = reports ? [] : KINDS.filter((kind) => says(WORDS_OF[kind], subject))
  return {
    subject: new Set(asked),
    reports,
    invites: asked.includes('invite') || says('invite', fold(text.slice(0, BEGINNING))),
  }
}

interface Address {
  kinds: Set<ActionKind>
  token: boolean
}

/** What the address says; null for one that is never the action. */
function readAddress(url: string): Address | null {
  if (isLastAddress(url) || APPS_AND_SOCIAL.test(url) || OTHERWISE_PATH.test(pathOf(url))) return null
  const rest = url.replace(/^https?:\/\/[^/?#]*/, '')
  const token = TOKEN_IN.test(rest)
  const kinds = new Set(KINDS.filter((kind) => IN_ADDRESS[kind].test(rest)))
  if (token && SIGN_IN_PATH.test(rest) && kinds.size === 0) kinds.add('sign_in')
  return { kinds, token }
}

interface Verdict {
  kind: ActionKind
  score: number
  /** The words that led to it. */
  text: string
}

function judge(mention: Mention, address: Address, mail: Mail): Verdict | null {
  const words = fold(mention.words)
  if (words.length > WORDS_MAX) return null
  const sentence = sentenceOf(mention)
  const around = fold(sentence)
  const generic = GENERIC.test(words) || /^<?https?:/.test(words)
  // A long sentence, or one about a code, may lead to something else.
  const heard = !generic || (around.length <= SENTENCE_MAX && !CODE.test(around))
  const said = generic ? around : words
  if (isLastWords(said) || OTHERWISE.test(said) || says('deny', words) || says('deny', around)) return null
  const joins = (mail.invites || says('invite', around)) && says('join', said) && !OTHERWISE.test(around)

  let best: Verdict | null = null
  for (const kind of KINDS) {
    const own = heard && (says(WORDS_OF[kind], said) || (kind === 'invite' && joins))
    if (!own && !address.kinds.has(kind)) continue
    let score = 0
    if (own) score += WORDS
    if (own && kind === 'confirm' && ADDRESS_WORDS.test(said)) score += OBJECT
    if (address.kinds.has(kind)) score += ADDRESS + (address.token ? TOKEN : 0)
    if (mail.subject.has(kind)) score += SUBJECT
    if (!generic && says(WORDS_OF[kind], around)) score += SENTENCE
    const enough = mail.reports ? ENOUGH_IN_REPORT : ENOUGH[kind]
    if (score < enough || (best !== null && score <= best.score)) continue
    best = { kind, score, text: shown(/[\p{L}\p{N}]/u.test(words) ? mention.words : sentence) }
  }
  return best
}

/**
 * The nearest line that leads to the link: not one that says what to do where it was somebody else, and not the
 * one for readers whose button does not work.
 */
function sentenceOf({ around }: Mention): string {
  const lines = around.split('\n')
  const last = lines.at(-1)!
  const told = fold(last)
  if (!says('deny', told) || (/:$/.test(told) && !FALLBACK.test(told))) return last
  return lines.length > 1 ? lines.at(-2)! : FALLBACK.test(told) ? '' : last
}

function shown(text: string): string {
  return text
    .replace(/[([<]\s*[)\]>]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
