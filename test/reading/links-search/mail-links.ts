import { Random } from '../../hostile/search/random.ts'
import { ACTION_FORMS, denialAddress, PLAIN_PAGES, trackedAddress } from './addresses.ts'
import type { Recipe } from './recipes.ts'

/** The addresses of a mail. */
export interface MailLinks {
  /** The action, or the page that a notice offers. */
  main: string
  /** What denies or declines the action. */
  denial: string
  home: string
  /** Unsubscribe, help, privacy, app: as the names of the footer. */
  footer: string[]
  social: Array<[name: string, url: string]>
  /** The address that the mail has for this one: another one for each link if clicks are counted. */
  shown(url: string): string
}

const HOSTS = ['app.', 'accounts.', 'auth.', '', 'www.', 'my.']

export function linksOf(recipe: Recipe, service: string): MailLinks {
  const random = new Random(`${recipe.seed} ${recipe.address}`)
  const name = service.toLowerCase().replaceAll(' ', '')
  const home = `https://${name}.example`
  const origin = `https://${random.pick(HOSTS)}${name}.example`
  const main =
    recipe.kind === null
      ? `${origin}/${random.pick(PLAIN_PAGES[recipe.notice ?? '']!)}`
      : ACTION_FORMS[recipe.address]!(random, { kind: recipe.kind, origin })
  return {
    main,
    denial:
      recipe.kind === null ? origin : denialAddress(random, recipe.address, { kind: recipe.kind, origin }),
    home,
    footer: [
      random.pick([
        `${home}/unsubscribe?u=48213`,
        `${home}/email/unsubscribe/8c1f20d94be7`,
        `${home}/settings/mail`,
      ]),
      random.pick([`${home}/help`, `https://help.${name}.example`, `${home}/support`]),
      `${home}/privacy`,
      random.pick([
        `https://apps.apple.com/app/id1482930475`,
        `${home}/download`,
        `https://play.google.com/store/apps/details?id=example.${name}`,
      ]),
    ],
    social: [
      ['X', `https://x.com/${name}`],
      ['LinkedIn', `https://www.linkedin.com/company/${name}`],
      ['Facebook', `https://www.facebook.com/${name}`],
    ],
    shown: (url) => (recipe.isTracked ? trackedAddress(random) : url),
  }
}
