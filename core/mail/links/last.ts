import { withoutAccents } from '../codes/plain.ts'

/** Whether the address is one that no mail is about: to unsubscribe, or of a page that every footer links. */
export function isLastAddress(url: string): boolean {
  return UNSUBSCRIBE_URL.test(url) || LEGAL_PATH.test(pathOf(url))
}

/** The same of folded words. */
export function isLastWords(words: string): boolean {
  return unsubscribes(words) || LEGAL.test(words)
}

export function unsubscribes(words: string): boolean {
  return UNSUBSCRIBE.test(words)
}

/** The path of an `http(s)` URL. */
export function pathOf(url: string): string {
  return /^https?:\/\/[^/?#]*([^?#]*)/.exec(url)![1]!
}

const UNSUBSCRIBE_URL =
  /unsub|opt-?out|preferences|email-?settings|notification-?settings|abmeld|desinscri|desabonn/

const LEGAL_PATH =
  /privacy|datenschutz|impressum|imprint|\/(?:terms|agb|legal|tos|cookies?|gdpr)\b|\/(?:help|support|faq|contact|about|careers)(?:\/|$)/

/** Social networks and shops of apps. */
export const APPS_AND_SOCIAL =
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
    'إلغاء الاشتراك|להסרה|退订|退訂|取消订阅|取消訂閱|配信停止|配信解除|登録解除|수신 ?거부|구독 ?취소|ยกเลิก|' +
    'loobu|tühista tellimus|atteikties|atrakstī|atsisaky|odjavi|отпиши|διαγραφη|διαγραφή|הסר|לביטול|لغو اشتراک|सदस्यता|अनसब्सक्राइब|donar-se de baixa|' +
    'lopeta tilaus|zrušit odběr|zrušiť odber|afslut abonnement|бас тарту|ləğv|відмовитися від розсил|отказаться от рассыл',
)

const LEGAL = words(
  'privacy|terms of|terms and|terms &|imprint|impressum|datenschutz|\\bagb\\b|mentions legales|' +
    'confidentialite|privacidad|' +
    'aviso legal|termini|privacidade|termos|voorwaarden|polityka prywatnosci|regulamin|gizlilik|' +
    'integritet|конфиденциальн|' +
    'політика|隐私|隱私|プライバシー|利用規約|개인정보|이용약관|خصوصية|help cent|' +
    '(?:view|open|read|see)\\b.{0,20} (?:in (?:your |a |the )?(?:web ?)?browser|online)|(?:web|online) version|' +
    'im browser (?:ansehen|anzeigen|öffnen|lesen|betrachten)|online-?(?:ansicht|version)|webversion|' +
    '(?:afficher|voir|consulter|lire|ouvrir) .{0,30}(?:navigateur|en ligne)|version en ligne|' +
    'ver\\b.{0,25} navegador|versión (?:web|online|en línea)|(?:visualizza|guarda|apri|leggi) .{0,20}(?:browser|online)|versione (?:web|online)|' +
    '(?:visualizar|abrir) .{0,20}navegador|(?:bekijk|lees|open) .{0,25}(?:browser|online)|webversie|' +
    '(?:zobacz|wyświetl|otwórz) .{0,25}przegląda|(?:открыть|посмотреть|просмотреть|смотреть|читать) .{0,20}браузер|веб-верси|' +
    '(?:переглянути|відкрити) .{0,20}браузер|tarayıcı(?:nız)?da (?:gör|aç)|(?:visa|läs|öppna|vis|åbn|åpne) .{0,20}(?:webbläsare|browser|nettleser)|' +
    '(?:zobrazit|otevřít|zobraziť|otvoriť) .{0,20}prehl?i|(?:zobrazit|otevřít) .{0,20}prohlíže|megtekint\\S* .{0,10}böngésző|böngészőben|' +
    'ブラウザー?で(?:表示|見る|開く|ご覧)|(?:在|用)?(?:浏览器|瀏覽器)中?(?:查看|檢視|打开|開啟|觀看)|网页版|網頁版|브라우저(?:에서)? ?(?:보기|열기)|웹에서 보기|' +
    'عرض .{0,15}المتصفح|צפה? .{0,10}בדפדפן|xem .{0,20}trình duyệt|ดู.{0,20}เบราว์เซอร์|lihat .{0,20}(?:browser|peramban)',
)

function words(source: string): RegExp {
  return new RegExp(withoutAccents(source))
}
