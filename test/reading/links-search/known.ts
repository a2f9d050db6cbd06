import { OPAQUE_FORMS } from './addresses.ts'
import type { Recipe } from './recipes.ts'

/** Mails that the reader misreads. */
interface Known {
  mails: (recipe: Recipe) => boolean
  reason: string
}

const isOpaque = ({ isTracked, address }: Recipe) => isTracked || OPAQUE_FORMS.includes(address)

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
    mails: (recipe) => recipe.kind === 'confirm' && recipe.body === 1 && isOpaque(recipe),
    reason: '"complete your registration" is too weak beside other links that count clicks',
  },
]

/** Whether the mail of a recipe is one that the reader is known to misread. */
export function isKnown(recipe: Recipe): boolean {
  return KNOWN.some(({ mails }) => mails(recipe))
}
