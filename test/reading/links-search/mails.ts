import type { ActionKind } from '../../../reading/message.ts'
import { Random } from '../../hostile/search/random.ts'
import { htmlOf } from './html.ts'
import { linksOf } from './mail-links.ts'
import type { Recipe } from './recipes.ts'
import { type Sentences, textOf } from './text.ts'
import { WORDINGS } from './wordings.ts'

/** A mail, and what a person says that it is for. */
export interface WrittenMail {
  subject: string
  text: string
  html: string | null
  /** The kind of its action, or null if it has none. */
  kind: ActionKind | null
  /** Its action: one of these addresses, which lead to the same page. */
  right: string[]
}

const SERVICES = ['Nimbus', 'Fieldnote', 'Loopwell', 'Tarn', 'Orbit Desk', 'Quillr', 'Plantix 360']
const NAMES = ['Maya', 'Tom', 'Keiko', 'A. Novak', 'Lucía', 'mrussell84']
const INVITERS = ['Maya Okafor', 'Jonas Weber', 'Li Wei', 'Priya', 'j.duarte@corp.example']
const TEAMS = ['Blue Heron', 'Atelier Nord', 'ACME', 'Team 7', 'design-ops']
const ADDRESSES = ['maya@corp.example', 't.rivas@mail.example', 'keiko84@inbox.example']
const DATES = ['12.03.2026', '2026-03-12 14:05', '3/12/2026']

/** Writes the mail of a recipe. */
export function writeMail(recipe: Recipe): WrittenMail {
  const sentences = sentencesOf(recipe)
  const links = linksOf(recipe, sentences.service)
  const right = new Set<string>()
  const text = recipe.layout === 'html' ? '' : textOf(recipe, sentences, links, right)
  const html = recipe.layout === 'text' ? null : htmlOf(recipe, sentences, links, right)
  return {
    subject: sentences.subject,
    text,
    html,
    kind: recipe.kind,
    right: recipe.kind === null ? [] : [...right],
  }
}

function sentencesOf(recipe: Recipe): Sentences {
  const random = new Random(`${recipe.seed} names`)
  const service = random.pick(SERVICES)
  const values: Record<string, string> = {
    service,
    name: random.pick(NAMES),
    inviter: random.pick(INVITERS),
    team: random.pick(TEAMS),
    address: random.pick(ADDRESSES),
    date: random.pick(DATES),
  }
  const filled = (sentence: string) => sentence.replace(/\{(\w+)\}/g, (_, place) => values[place]!)
  const wording = WORDINGS.get(recipe.language)!
  const notice = wording.notices[recipe.notice ?? '']
  const asking = recipe.kind === null ? undefined : wording[recipe.kind]
  const subjects = asking?.subjects ?? [notice!.subject]
  const one = (list: string[], at: number | null) => (at === null ? null : filled(list[at]!))
  return {
    service,
    subject: one(subjects, recipe.subject) ?? service,
    greeting: one(wording.greetings, recipe.greeting),
    report: notice === undefined ? null : filled(notice.text),
    body: filled(asking?.bodies[recipe.body] ?? notice!.offer),
    term: recipe.term === 'none' ? null : wording.term,
    button: filled(asking?.buttons[recipe.button] ?? notice!.button),
    copy: one(wording.copy, recipe.copy),
    denial: recipe.hasDenial ? wording[recipe.kind === 'invite' ? 'decline' : 'denial'] : null,
    ignore: recipe.kind === null ? null : one(wording.ignore, recipe.ignore),
    footer: wording.footer,
    closing: filled(wording.closing),
  }
}
