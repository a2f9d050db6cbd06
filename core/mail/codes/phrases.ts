import { LETTERS, said } from './vocabulary.ts'

/** The end of a sentence or of a paragraph. */
export const BREAK = /[.!?][\s"')]|[.!?]$|。|\n[ \t]*\n/

const MARKS_BEFORE = /[\s"'«»„“”‘’「『【〔《[(<*_`|•#]{1,40}$/
const MARKS_AFTER = /^[ "'»”’」』】〕》\])>*_`|]{1,20}/

/** A text that leads up to a code, without the quotes, brackets and white space around the code. */
export function withoutMarksBefore(lead: string): string {
  return lead.replace(MARKS_BEFORE, '')
}

/** The same for a text that follows a code, up to the end of the line. */
export function withoutMarksAfter(rest: string): string {
  return rest.replace(MARKS_AFTER, '')
}

const INTRODUCTION = new RegExp(`(?:[:=>→-]|(?:^|[^${LETTERS}])(?:${said('is')}|${said('enter')}))$`)
const VERB = new RegExp(`(?:^|[^${LETTERS}])(?:${said('enter')})(?: (?:the|den|die|das|le|el|il|o|de))?$`)
const REQUEST = /^[ 」』】)\]"]{0,2}(?:を(?:ご)?入力|[을를] ?입력)/
const PREDICATE = new RegExp(
  '^(?:[-:=(]|(?:is|ist|est|es|e|ar|er|jest|to|je|este|adalah|la|on|as|als|como|come|comme|это|є|це|هو|είναι)' +
    `(?![${LETTERS}])|は|が|是|为|為|은|는|이|가|को)`,
)

/** "Your code for Acme is", "Code (10 minutes):", "please enter": a code is what comes next. */
export function endsAsIntroduction(lead: string): boolean {
  return INTRODUCTION.test(lead)
}

/** "Enter", "geben Sie": the reader is to type what comes next. */
export function endsWithVerb(lead: string): boolean {
  return VERB.test(lead)
}

/** "is your code", "– Ihr Code": what came before is the code. */
export function startsAsPredicate(rest: string): boolean {
  return PREDICATE.test(rest)
}

/** "を入力してください": the reader is to type what came before. */
export function startsAsRequest(rest: string): boolean {
  return REQUEST.test(rest)
}
