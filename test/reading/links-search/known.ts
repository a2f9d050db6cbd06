import { OPAQUE_FORMS } from './addresses.ts'
import { writeMail } from './mails.ts'
import type { Recipe } from './recipes.ts'

/** Mails that the reader misreads. */
interface Known {
  mails: (recipe: Recipe) => boolean
  reason: string
}

const isOpaque = ({ isTracked, address }: Recipe) => isTracked || OPAQUE_FORMS.includes(address)
const endsWithAddress = ({ htmlForm, textForm }: Recipe) => htmlForm === 'bare' || textForm === 'sentence'
/** A random token that has a word for a password by chance: "…WtsENHAW8swP…". */
const WORD_IN_TOKEN = /https:\/\/\S*(?:senha|contrasena|heslo|haslo|geslo|sifre|parool|lozink|magic|recover)/i

function hasWordInToken(recipe: Recipe): boolean {
  const { text, html } = writeMail(recipe)
  return WORD_IN_TOKEN.test(text) || WORD_IN_TOKEN.test(html ?? '')
}

/** What is fixed is removed from here, so that it stays right. */
const KNOWN: Known[] = [
  {
    mails: (recipe) => recipe.kind === 'sign_in' && isOpaque(recipe),
    reason:
      'that a link works once or expires is no evidence yet that it signs in, and the words of a button, ' +
      '"Sign in", win against a sentence that says "without a password"',
  },
  {
    mails: (recipe) => recipe.notice === 'password' && recipe.isTracked,
    reason: 'a button "Reset password" wins against a report in the text that the password was changed',
  },
  {
    mails: (recipe) => recipe.notice === 'confirmed' && recipe.isTracked,
    reason: 'a subject "your address was confirmed" is read as a confirmation in 22 languages',
  },
  {
    mails: (recipe) => recipe.notice === 'accepted' && recipe.isTracked && recipe.subject !== null,
    reason: 'a subject "… accepted your invitation" is read as an invitation in 4 languages',
  },
  {
    mails: ({ hasDenial }) => hasDenial,
    reason: '"not me" and "decline" are not understood, and their addresses have a token, too',
  },
  {
    mails: (recipe) => recipe.kind === null && recipe.isTracked && hasWordInToken(recipe),
    reason: 'words of addresses are also found in the middle of random tokens',
  },
  {
    mails: ({ kind, body }) => kind === 'invite' && body === 2,
    reason: '"accept the invitation and choose a password" is read as a reset in 20 languages',
  },
  {
    mails: ({ kind, address }) => kind === 'invite' && address === 'keycloak',
    reason: '"login" in the address wins against some sentences of an invitation',
  },
  {
    mails: (recipe) => recipe.kind === 'confirm' && recipe.body === 1 && isOpaque(recipe),
    reason: '"complete your registration" is too weak beside other links that count clicks',
  },
  {
    mails: (recipe) =>
      recipe.kind === 'reset' && recipe.body > 0 && (isOpaque(recipe) || endsWithAddress(recipe)),
    reason: 'the sentence with the address, "choose it here", does not name the password',
  },
  {
    mails: ({ kind, textForm }) => kind !== null && textForm === 'wrapped',
    reason: 'of sentences in two lines directly above an address, the first line counts less',
  },
  {
    mails: ({ kind, address }) => kind !== null && address === 'letters',
    reason: 'letters on both sides of a dash are read as words, though their case is random',
  },
]

/** Words of one language that the reader does not understand: language, kind, part, and its place in the list. */
const UNKNOWN_WORDS = [
  'ar confirm body 2',
  'ar sign_in body 2',
  'bg confirm button 0',
  'bg sign_in button 0',
  'bn sign_in body 2',
  'ca sign_in body 0',
  'ca sign_in button 0',
  'cs reset body 2',
  'de confirm body 1',
  'de confirm subject 3',
  'de sign_in body 2',
  'el sign_in body 2',
  'es reset body 1',
  'es sign_in body 1',
  'es-419 notice:address subject 0',
  'et sign_in body 2',
  'et sign_in button 1',
  'eu confirm body 1',
  'fa reset body 2',
  'fa sign_in body 2',
  'fi confirm body 2',
  'he confirm body 0',
  'he invite button 1',
  'he sign_in body 2',
  'hr sign_in body 0',
  'hr sign_in body 2',
  'hu sign_in body 2',
  'is sign_in button 1',
  'it invite body 1',
  'ja confirm body 2',
  'ja confirm button 1',
  'ko confirm subject 3',
  'ko reset body 2',
  'ko sign_in subject 3',
  'lt confirm body 0',
  'lt confirm button 0',
  'lt invite button 1',
  'lt reset body 0',
  'ms reset body 2',
  'nl confirm body 2',
  'nl sign_in body 2',
  'pl reset body 2',
  'pt confirm body 2',
  'pt reset body 0',
  'pt reset body 2',
  'pt-BR invite button 1',
  'ro sign_in body 0',
  'ru notice:address subject 0',
  'sk invite button 1',
  'sl sign_in body 2',
  'sl sign_in subject 3',
  'sr sign_in body 2',
  'th confirm body 1',
  'th notice:sign_in subject 0',
  'th sign_in body 2',
  'tr notice:sign_in subject 0',
  'tr sign_in body 0',
  'tr sign_in body 1',
  'uk confirm body 2',
  'uk notice:address subject 0',
  'zh-CN sign_in subject 3',
  'zh-TW sign_in subject 3',
]

/** Whether the mail of a recipe is one that the reader is known to misread. */
export function isKnown(recipe: Recipe): boolean {
  const { language, kind, notice } = recipe
  const parts = ['subject', 'body', 'button'] as const
  const aim = kind ?? `notice:${notice}`
  const words = parts.map((part) => `${language} ${aim} ${part} ${recipe[part]}`)
  return words.some((word) => UNKNOWN_WORDS.includes(word)) || KNOWN.some(({ mails }) => mails(recipe))
}
