import type { ActionKind } from '../../../reading/message.ts'
import type { Random } from '../../hostile/search/random.ts'
import { ACTION_FORMS } from './addresses.ts'
import { WORDINGS } from './wordings.ts'

const KINDS: ActionKind[] = ['confirm', 'reset', 'sign_in', 'invite']
const LAYOUTS = ['text', 'html', 'both'] as const
const HTML_FORMS = ['plain', 'table', 'outlook', 'inSentence', 'address', 'bare', 'paragraph'] as const
/** Where the mail says how long its link works: behind the sentence that asks, after the link. */
const TERMS = ['none', 'behind', 'after'] as const
const TEXT_FORMS = ['line', 'angles', 'sentence', 'label', 'brackets', 'markdown', 'wrapped'] as const

/** What a mail is made of. A number is a place in a list of the wording, null leaves it out. */
export interface Recipe {
  /** Of its names and addresses. */
  seed: string
  language: string
  /** What it asks for, or null for a notice. */
  kind: ActionKind | null
  /** What it reports, if it asks for nothing. */
  notice: string | null
  /** null: the name of the service. */
  subject: number | null
  body: number
  button: number
  layout: (typeof LAYOUTS)[number]
  htmlForm: (typeof HTML_FORMS)[number]
  textForm: (typeof TEXT_FORMS)[number]
  address: string
  /** Whether a program that counts clicks replaced all addresses. */
  isTracked: boolean
  term: (typeof TERMS)[number]
  greeting: number | null
  copy: number | null
  ignore: number | null
  hasPreheader: boolean
  /** Whether a second link declines the action or denies that the reader asked for it. */
  hasDenial: boolean
  hasLogo: boolean
  hasHelpBefore: boolean
  hasFooter: boolean
  hasSocial: boolean
}

/** Each part of a recipe in its plainest form, in the order in which `simplest` tries them. */
const PLAIN: Partial<Recipe> = {
  hasSocial: false,
  hasFooter: false,
  hasLogo: false,
  hasHelpBefore: false,
  hasPreheader: false,
  hasDenial: false,
  ignore: null,
  greeting: null,
  copy: null,
  term: 'none',
  isTracked: false,
  layout: 'text',
  htmlForm: 'plain',
  textForm: 'line',
  address: 'path',
  subject: null,
}

const LANGUAGES = [...WORDINGS.keys()]

/** A recipe of which all parts are random, and whose mail a person would read without doubt. */
export function randomRecipe(random: Random): Recipe {
  const language = random.pick(LANGUAGES)
  const wording = WORDINGS.get(language)!
  const kind = random.pick([...KINDS, ...KINDS, null, null, null])
  const notice = kind === null ? random.pick(Object.keys(wording.notices)) : null
  const bodies = kind === null ? 1 : wording[kind].bodies.length
  const body = random.below(bodies)
  const one = (list: unknown[]) => random.pick([null, random.below(list.length)])
  return {
    seed: String(random.below(1e9)),
    language,
    kind,
    notice,
    subject: random.pick([null, random.below(kind === null ? 1 : wording[kind].subjects.length)]),
    body,
    button: random.below(kind === null ? 1 : wording[kind].buttons.length),
    layout: random.pick(LAYOUTS),
    htmlForm: random.pick(HTML_FORMS),
    textForm: random.pick(TEXT_FORMS),
    address: random.pick(Object.keys(ACTION_FORMS)),
    isTracked: random.below(3) === 0,
    term: random.pick(termsOf(kind, body)),
    greeting: one(wording.greetings),
    copy: one(wording.copy),
    ignore: one(wording.ignore),
    hasPreheader: random.below(3) === 0,
    hasDenial: kind !== null && random.below(4) === 0,
    hasLogo: random.pick([true, false]),
    hasHelpBefore: random.below(4) === 0,
    hasFooter: random.pick([true, false]),
    hasSocial: random.below(3) === 0,
  }
}

/**
 * The first sentence of a sign-in only says "click the link below to sign in". A plain page to sign in is offered
 * so, too; only a link that works for a while signs in itself.
 */
const needsTerm = (kind: ActionKind | null, body: number) => kind === 'sign_in' && body === 0

function termsOf(kind: ActionKind | null, body: number): ReadonlyArray<Recipe['term']> {
  if (needsTerm(kind, body)) return ['behind', 'after']
  return kind === 'sign_in' || kind === 'reset' ? ['none', 'after'] : ['none']
}

/** The recipe with each part in its plainest form that still fails. */
export function simplest(recipe: Recipe, isFailing: (recipe: Recipe) => boolean): Recipe {
  let found = recipe
  for (const [part, value] of Object.entries(PLAIN)) {
    if (part === 'term' && needsTerm(recipe.kind, recipe.body)) continue
    const plainer = { ...found, [part]: value }
    if (isFailing(plainer)) found = plainer
  }
  return found
}
