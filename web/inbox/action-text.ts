import type { ActionLink } from '../lib/api.ts'

/** Characters of the words of a sender that a button shows. */
const TEXT_MAX = 80

const LABELS: Record<ActionLink['kind'], string> = {
  confirm: 'Confirm',
  sign_in: 'Sign in',
  reset: 'Reset',
  invite: 'Accept',
}

/** The words of a button for the link: those of the sender, otherwise what it is for. */
export function actionText({ text, kind }: ActionLink): string {
  return text.slice(0, TEXT_MAX) || LABELS[kind]
}
