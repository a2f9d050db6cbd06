import { compile, type FormatCallback } from 'html-to-text'
import { HTML_TO_TEXT_BYTES } from '../../limits.ts'
import { cut } from './text.ts'

/**
 * Tags that are looked at. The HTML parser looks for the opening tag of every closing one among all that are
 * open, so hostile HTML costs the square of this: a tenth of a second at this bound, twenty at 1 MB of tags.
 */
const TAGS_MAX = 10_000

/** Mails are laid out in tables: without this `Code:</td><td>8392</td>` would be one word with what follows. */
const cell: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder)
  builder.addInline(' ')
}

const convert = compile({
  wordwrap: false,
  limits: { maxDepth: 200, ellipsis: '' },
  formatters: { cell },
  selectors: [
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
      selector,
      options: { uppercase: false },
    })),
  ],
})

/** The text of an HTML document as it would be read, in bounded time: of a very long one only the beginning. */
export function htmlText(html: string): string {
  return convert(beginning(cut(html, HTML_TO_TEXT_BYTES)))
}

function beginning(html: string): string {
  let at = -1
  for (let tags = 0; tags <= TAGS_MAX; tags++) {
    at = html.indexOf('<', at + 1)
    if (at === -1) return html
  }
  return html.slice(0, at)
}
