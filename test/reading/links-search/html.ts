import type { MailLinks } from './mail-links.ts'
import type { Recipe } from './recipes.ts'
import { open, placed, type Sentences } from './text.ts'

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const link = (url: string, words: string, style = '') =>
  `<a href="${escaped(url)}"${style === '' ? '' : ` style="${style}"`}>${words}</a>`
const paragraph = (content: string | null) =>
  content === null ? '' : `<p style="margin:0 0 16px">${content}</p>\n`

/**
 * The HTML of a mail. The addresses of its action are added to `right`: where clicks are counted, the one that a
 * person reads leads to the same page.
 */
export function htmlOf(recipe: Recipe, sentences: Sentences, links: MailLinks, right: Set<string>): string {
  const action = () => {
    const url = links.shown(links.main)
    right.add(url)
    return url
  }
  const shown = () => {
    right.add(links.main)
    return escaped(links.main)
  }
  const preheader = `<div style="display:none;max-height:0;overflow:hidden">${sentences.body}</div>`
  const logo = `<img src="${links.home}/logo.png" alt="${sentences.service}" width="120">`
  const footer = sentences.footer.map((name, at) => link(links.shown(links.footer[at]!), name)).join(' | ')
  const social = links.social
    .map(([name, page]) => link(links.shown(page), `<img src="${links.home}/${name}.png" alt="${name}">`))
    .join(' ')
  const text = (sentence: string | null) => paragraph(sentence === null ? null : escaped(sentence))
  const content = [
    recipe.hasPreheader ? preheader : '',
    recipe.hasLogo ? paragraph(link(links.shown(links.home), logo)) : '',
    text(sentences.greeting),
    recipe.hasHelpBefore ? paragraph(link(links.shown(links.footer[1]!), sentences.footer[1]!)) : '',
    text(sentences.report),
    asked(recipe, sentences, action, shown),
    text(sentences.ignore),
    sentences.denial === null ? '' : paragraph(link(links.shown(links.denial), escaped(sentences.denial))),
    text(sentences.closing),
    recipe.hasSocial ? `<div>${social}</div>` : '',
    recipe.hasFooter ? `<p style="font-size:12px">${footer}</p>` : '',
  ].join('')
  const head = `<head><meta charset="utf-8"><title>${sentences.subject}</title></head>`
  return `<!doctype html>\n<html>${head}<body>\n<table role="presentation"><tr><td>${content}</td></tr></table>\n</body></html>`
}

const ROUND = 'display:inline-block;padding:12px 24px;background:#2f6fed;color:#fff;border-radius:4px'

function asked(recipe: Recipe, sentences: Sentences, action: () => string, shown: () => string): string {
  const { body, after } = placed(recipe, sentences, recipe.htmlForm === 'bare')
  return (
    linked(recipe, { ...sentences, body }, action, shown) + paragraph(after === null ? null : escaped(after))
  )
}

function linked(
  recipe: Recipe,
  { body, button, copy }: Sentences,
  action: () => string,
  shown: () => string,
): string {
  const copied = () => (copy === null ? '' : paragraph(`${escaped(copy)}<br>${link(action(), shown())}`))
  const sentence = paragraph(escaped(body))
  switch (recipe.htmlForm) {
    case 'plain':
      return sentence + paragraph(link(action(), escaped(button))) + copied()
    case 'table': {
      const cell = `<td align="center" bgcolor="#2f6fed">${link(action(), `<strong>${escaped(button)}</strong>`, ROUND)}</td>`
      return `${sentence}<table cellpadding="0" cellspacing="0"><tr>${cell}</tr></table>\n${copied()}`
    }
    case 'outlook': {
      const url = action()
      const shape = `<!--[if mso]><v:roundrect href="${escaped(url)}" arcsize="8%"><center>${escaped(button)}</center></v:roundrect><![endif]-->`
      const others = `<!--[if !mso]><!-->${link(url, `<span>${escaped(button)}&nbsp;&rarr;</span>`, ROUND)}<!--<![endif]-->`
      return `${sentence}<div>${shape}${others}</div>\n${copied()}`
    }
    case 'inSentence':
      return paragraph(`${escaped(body)} ${link(action(), escaped(button))}`) + copied()
    case 'address':
      return sentence + paragraph(link(action(), shown()))
    case 'bare':
      return paragraph(`${escaped(open(body))}: ${link(action(), shown())}`)
    case 'paragraph':
      return sentence + paragraph(escaped(action()))
  }
}
