import type { MailLinks } from './mail-links.ts'
import type { Recipe } from './recipes.ts'

/** The sentences of a mail, without their places for values. */
export interface Sentences {
  service: string
  subject: string
  greeting: string | null
  /** The report of a notice. */
  report: string | null
  /** The sentence that asks for the action, or that offers a page. */
  body: string
  button: string
  /** How long the link works. */
  term: string | null
  copy: string | null
  denial: string | null
  ignore: string | null
  footer: string[]
  closing: string
}

const WIDTH = 68

/** The text of a mail. The address of its action is added to `right`. */
export function textOf(recipe: Recipe, sentences: Sentences, links: MailLinks, right: Set<string>): string {
  const url = links.shown(links.main)
  right.add(url)
  const [, help] = sentences.footer
  const blocks = [
    recipe.hasLogo ? `${sentences.service} ( ${links.shown(links.home)} )` : null,
    sentences.greeting,
    recipe.hasHelpBefore ? `${help}: ${links.shown(links.footer[1]!)}` : null,
    sentences.report,
    asked(recipe, sentences, url),
    sentences.ignore,
    sentences.denial === null ? null : `${sentences.denial}: ${links.shown(links.denial)}`,
    sentences.closing,
    recipe.hasSocial ? links.social.map(([name, page]) => `${name}: ${links.shown(page)}`).join('\n') : null,
    recipe.hasFooter
      ? sentences.footer.map((name, at) => `${name}: ${links.shown(links.footer[at]!)}`).join('\n')
      : null,
  ]
  return blocks.filter((block) => block !== null).join('\n\n')
}

function asked(recipe: Recipe, sentences: Sentences, url: string): string {
  const { body, after } = placed(recipe, sentences, recipe.textForm === 'sentence')
  const linked = withAddress(recipe, body, sentences.button, url)
  return after === null ? linked : `${linked}\n\n${after}`
}

/**
 * The sentence that asks, and what is said after the link. How long the link works is said after an address that
 * ends the sentence.
 */
export function placed(
  { term: place }: Recipe,
  { body, term }: Sentences,
  endsWithAddress: boolean,
): { body: string; after: string | null } {
  if (term === null || place === 'after' || endsWithAddress) return { body, after: term }
  return { body: `${body} ${term}`, after: null }
}

function withAddress(recipe: Recipe, body: string, button: string, url: string): string {
  switch (recipe.textForm) {
    case 'line':
      return `${body}\n\n${url}`
    case 'angles':
      return `${body}\n\n<${url}>`
    case 'sentence':
      return `${open(body)}: ${url}`
    case 'label':
      return `${body}\n\n${button}: ${url}`
    case 'brackets':
      return `${body}\n\n${button} ( ${url} )`
    case 'markdown':
      return `${body}\n\n[${button}](${url})`
    case 'wrapped':
      return `${wrapped(body)}\n${url}`
  }
}

/** The sentence without its end, so that an address may follow. */
export function open(sentence: string): string {
  return sentence.replace(/[.!。।]$/u, '')
}

function wrapped(text: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!
    if (line !== '' && line.length + word.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join('\n')
}
