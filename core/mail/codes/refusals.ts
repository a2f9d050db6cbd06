import type { Candidate } from './candidates.ts'
import { LETTERS, said } from './vocabulary.ts'

/** "order", "Rechnung Nr.", "客服电话" … and then nothing but "number", ":" or "#" up to the end. */
const NAMES = new RegExp(
  `(?:(?<![${LETTERS}])|(?<=[^\\0-\\u0fff]))(?:${said('names')})` +
    '(?:[ .:#№°(\\t-]{1,4}(?:number|no|nr|num|code|is|ist|est|es|e|are|numero|nummer|номер)){0,2}' +
    '[ .:#№°(\\t-]{0,4}$',
)

/** Before the last digits of a card or of a telephone number. */
const CARD_END = new RegExp(
  '(?:ending (?:in|with)?|ends (?:in|with)|terminant par|terminad[ao] en|que termina (?:en|em|con)|' +
    'termina (?:en|con)|terminado em|(?:endet|endend) auf|eindigend op|оканчива\\S+ на|尾号为?|尾號|末尾|下4桁|끝자리) ?$',
)

const MONTH = new RegExp(
  '(?<!\\p{L})(?:jan|feb|mar|apr|ma[iyj]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|gen|abr|mag|giu|lug|ago|set|ott|dic|out|' +
    'fevr|avr|juin|juil|aout|янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек)\\p{L}{0,8}\\.? ?' +
    '(?:\\d{1,2}(?:st|nd|rd|th)?)?,? ?(?:de |di |do )?$',
  'u',
)

const CURRENCY = /\b(?:usd|eur|gbp|chf|inr|cny|jpy|rs|r\$)\.? ?$/
const AREA_CODE = /\(0?\d{2,5}\) ?$/
const UNIT = new RegExp(`^ ?(?:[%‰°$€£¥₩₽₹₺₴₫]|(?:${said('unit')})(?![${LETTERS}]))`)

/** What stands around the number says that it is something else: a price, a duration, a card's last digits. */
export function countsSomething(lower: string, candidate: Candidate): boolean {
  const before = lower.slice(Math.max(0, candidate.start - 24), candidate.start)
  if (CARD_END.test(before) || CURRENCY.test(before) || AREA_CODE.test(before)) return true
  const sign = /([#№§]|[*•·x…]{2,}[ -]?) ?$/.exec(before)
  if (sign !== null && !isMarkup(lower, candidate, sign[0])) return true
  if (!candidate.digits) return false
  if (candidate.value.length === 4 && MONTH.test(before)) return true
  return UNIT.test(lower.slice(candidate.end, candidate.end + 24))
}

/** "**482913**" is bold type and "# 482913" a heading, while "**** 4242" is a card and "#482913" an order. */
function isMarkup(lower: string, candidate: Candidate, sign: string): boolean {
  if (/^\*{1,3}$/.test(sign)) return lower[candidate.end] === '*'
  const place = candidate.start - sign.length
  return sign === '# ' && (place === 0 || lower[place - 1] === '\n')
}

/** Whether a text that leads up to a number ends by naming what it numbers: an order, a customer, a telephone. */
export function namesSomethingElse(lead: string): boolean {
  return NAMES.test(lead.length > 48 ? lead.slice(-48) : lead)
}
