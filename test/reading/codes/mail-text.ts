import { type Candidate, findCandidates } from '../../../reading/codes/candidates.ts'
import { type MailText, readWords } from '../../../reading/codes/mail-text.ts'
import { withoutAccents } from '../../../reading/lexicon/plain.ts'

/** A subject and a text with their words, as the search for codes reads them. */
export function mailText(body: string, subject = ''): MailText {
  const text = `${subject}\n\n${body}`
  return readWords({
    text,
    lower: withoutAccents(text.toLowerCase()),
    subjectEnd: subject.length,
    bound: [],
    written: '',
  })
}

/** A value of a mail as a candidate, the n-th of them if there are several. */
export function candidateOf(mail: MailText, value: string, n = 0): Candidate {
  const start = mail.text.split(value, n + 1).join(value).length
  const end = start + value.length
  if (mail.text.slice(start, end) !== value) throw new Error(`${value} is not in ${mail.text}`)
  const found = findCandidates(mail.text).find((one) => one.start === start && one.end === end)
  return found ?? { start, end, value, look: 2, digits: /^\d+$/.test(value), doubtful: false }
}
