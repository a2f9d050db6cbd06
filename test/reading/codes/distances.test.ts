import { expect, test } from '@jest/globals'
import { staleValues } from '../../../reading/codes/age.ts'
import { findCandidates } from '../../../reading/codes/candidates.ts'
import { lineAbove } from '../../../reading/codes/layout.ts'
import { isLabelled, isNumberOf } from '../../../reading/codes/layout-scores.ts'
import { findLists, isListOfCodes } from '../../../reading/codes/lists.ts'
import { findLoneValue } from '../../../reading/codes/lone-value.ts'
import { asksBefore } from '../../../reading/codes/phrases.ts'
import { scoreOf } from '../../../reading/codes/score.ts'
import { SCORE } from '../../../reading/codes/scores.ts'
import { quotedPassword } from '../../../reading/codes/stated-passwords.ts'
import { askedTokens } from '../../../reading/codes/token-codes.ts'
import { asksToEnter, isTrusted } from '../../../reading/codes/trust.ts'
import { isBelowUser } from '../../../reading/codes/users.ts'
import { findWordCodes } from '../../../reading/codes/word-codes.ts'
import { codesBelow } from '../find-codes.ts'
import { candidateOf, mailText } from './mail-text.ts'

/** White space, or words without a meaning, of so many characters. */
const blank = (length: number) => ' '.repeat(length)
const sea = (length: number) =>
  `${'sea '.repeat(Math.ceil(length / 4))}`.slice(0, Math.max(0, length - 1)).padEnd(length, 'x')

/** The place of the value 482913 in a text, and the mail. */
const at = (text: string, subject = '') => {
  const mail = mailText(text, subject)
  return { mail, candidate: candidateOf(mail, '482913') }
}
const score = (text: string) => {
  const { mail, candidate } = at(text)
  return scoreOf(mail, candidate)
}
const isStale = (text: string) => {
  const { mail, candidate } = at(text)
  return staleValues(mail, new Map([['482913', [candidate]]])).size > 0
}
const isOfList = (lead: string) => {
  const mail = mailText(`${lead}8f3k-29dm\nk29s-xm31\np0e2-8dka`)
  return isListOfCodes(mail, findLists(mail.text)[0]!)
}
const lone = (text: string, subject = '') => {
  const mail = mailText(text, subject)
  return findLoneValue(mail, findCandidates(mail.text)) !== null
}
const trusts = (text: string, introduces = false) => {
  const { mail, candidate } = at(text)
  return isTrusted(mail, mail.nouns[0]!, candidate, introduces)
}
const meaning = (text: string) => mailText(text).nouns[0]?.meaning

/** Each rule holds up to a length, and not for one more. */
test.each<[rule: string, most: number, holds: (length: number) => boolean]>([
  ['a value before a word that calls it old', 79, (n) => isStale(`482913${sea(n - 4)} has expired`)],
  ['a word that calls a value old before it', 80, (n) => isStale(`old code${blank(n - 5)}482913`)],
  [
    'words that call values old, of which the last one is read',
    100,
    (n) => isStale(`${'It has expired. '.repeat(n - 1)}\n${sea(200)}\n482913 has expired`),
  ],
  ['a list below its noun', 400, (n) => isOfList(`Recovery codes${'\n'.repeat(n)}`)],
  ['a word in a subject above a value without a noun', 199, (n) => lone(`Sign in${'\n'.repeat(n)}482913`)],
  ['a mail with a value without a noun', 799, (n) => lone(`482913\nsign in\n${sea(n)}`.slice(0, n - 2))],
  [
    'a verb before a noun',
    36,
    (n) => asksBefore(mailText(`enter${blank(n - 5)}code`), mailText(`enter${blank(n - 5)}code`).nouns[0]!),
  ],
  ['"enter" before a noun', 20, (n) => asksToEnter(mailText(`enter${blank(n - 5)}code`))],
  [
    'a noun before a value in quotes',
    6,
    (n) => score(`verification code ${'x'.repeat(n - 1)} "482913"`) === SCORE.stated,
  ],
  [
    'a noun above a request',
    600,
    (n) => score(`verification code. ${sea(n - 9)}\nEnter 482913 now`) === SCORE.requestedAfterExplanation,
  ],
  [
    'a purpose above a request',
    600,
    (n) => score(`log in. ${sea(n - 9)}\nEnter 482913 now ${sea(500)}`) === SCORE.requestedAfterExplanation,
  ],
  [
    'a word that qualifies a noun before it',
    32,
    (n) => meaning(`login${blank(n - 5)}code`) === 'verification',
  ],
  ['a word that qualifies a noun behind it', 28, (n) => meaning(`code${blank(n)}login`) === 'verification'],
  ['a mail with a bare "code"', 4000, (n) => trusts(`Your code 482913.\n${sea(4000)}`.slice(0, n - 2))],
  ['a body that says nothing else', 60, (n) => trusts(`Shipment code: 482913 ${sea(60)}`.slice(0, n), true)],
  [
    'the line of a user above a password',
    160,
    (n) => {
      const mail = mailText(`User${blank(n - 5)}:\nPassword`)
      return isBelowUser(mail, mail.text.indexOf('Password'))
    },
  ],
  [
    'a noun before letters',
    24,
    (n) => findWordCodes(mailText(`Verification code ${'x'.repeat(n - 2)}: kxqzpv`)).length > 0,
  ],
  [
    'a line that is not wrapped',
    50,
    (n) => findWordCodes(mailText(`${blank(n - 18)}verification code\nkxqzpv.`)).length > 0,
  ],
  [
    'nouns that are tried',
    12,
    (n) => findWordCodes(mailText(`${'password. '.repeat(n - 1)}Password: kX7pQ2`)).length > 0,
  ],
  [
    'a label of a number',
    44,
    (n) => {
      const text = `numéro ${'x'.repeat(n - 7)}`
      return isNumberOf(mailText(text), 2, 2 + text.length)
    },
  ],
  [
    'a line that may be a label with a small word',
    40,
    (n) => {
      const { mail, candidate } = at(`${'x'.repeat(n - 1)} nr\n482913`)
      return isLabelled(mail, lineAbove(mail.lower, candidate.start))
    },
  ],
  [
    'a subject',
    1000,
    (n) => codesBelow(`${blank(n - 32)}Your verification code is 482913.`, '').includes('482913'),
  ],
  ['a verb between a noun and "expired"', 4, (n) => isStale(`482913. This code ${'x'.repeat(n)} expired.`)],
  [
    'a word that confirms behind a password',
    39,
    (n) => meaning(`Some password${blank(n)}confirm`) === 'verification',
  ],
  [
    'a sentence that reports a creation before a token',
    100,
    (n) => askedTokens(mailText(`created ${'x'.repeat(n - 24)} enter the code 9o1qjF`)).length === 0,
  ],
  [
    'a verb before a code that confirms an address, beside a discount',
    32,
    (n) => {
      const { mail, candidate } = at(
        `enter${blank(n - 5)}code: 482913, a discount`,
        'Confirm your email address',
      )
      return isTrusted(mail, mail.nouns[0]!, candidate)
    },
  ],
  [
    'a word for a password before a quoted one',
    160,
    (n) => quotedPassword(mailText(`password ${'x'.repeat(n - 11)} "803et9646m"`)).length > 0,
  ],
])('%s: up to %d', (_rule, most, holds) => {
  expect([holds(most), holds(most + 1)]).toEqual([true, false])
})

test.each([
  [75, true],
  [76, false],
])('a password %i characters behind a word for a network is that of the network: %p', (between, is) => {
  const { nouns } = mailText(`wi-fi${blank(between)}password: kX7pQ2mN`)
  expect(nouns.map(({ meaning }) => meaning)).toEqual([is ? 'other' : 'password'])
})
