/** Markup beyond this is not examined: an email may have 40 MB of it. */
const CHARACTERS_MAX = 1_000_000
const LINKS_MAX = 500
const TAG_CHARACTERS_MAX = 8000
const TEXT_CHARACTERS_MAX = 4000

const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i
const ALT = /<img\b[^<>]{0,2000}?\salt\s*=\s*(?:"([^"]{1,300})"|'([^']{1,300})')/i
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  rarr: '→',
  raquo: '»',
  rsquo: '’',
  hellip: '…',
}

/**
 * The texts of the links in an email's HTML, by URL: the words inside `<a>`, or the alternative text of its image. It
 * reads the markup as text, so that the page never parses foreign markup, and each character once.
 */
export function linkTexts(html: string): Map<string, string> {
  const texts = new Map<string, string>()
  const markup = html.slice(0, CHARACTERS_MAX)
  const start = /<a\s/gi
  for (let i = 0; i < LINKS_MAX && start.exec(markup) !== null; i++) {
    const tagEnd = markup.indexOf('>', start.lastIndex)
    if (tagEnd === -1) break
    const tag = markup.slice(start.lastIndex - 1, Math.min(tagEnd, start.lastIndex + TAG_CHARACTERS_MAX))
    const inside = markup.slice(tagEnd + 1, tagEnd + 1 + TEXT_CHARACTERS_MAX)
    const end = inside.search(/<\/a\b|<a\s/i)
    const content = end === -1 ? '' : inside.slice(0, end)
    const [, double, single, plain] = HREF.exec(tag) ?? []
    const url = entitiesIn(double ?? single ?? plain ?? '').trim()
    const text = textOf(content)
    if (url !== '' && text !== '' && !texts.has(url)) texts.set(url, text)
    start.lastIndex = tagEnd + 1 + content.length
  }
  return texts
}

function textOf(content: string): string {
  const [first = '', ...tags] = content.split('<')
  const pieces = [first, ...tags.map((tag) => (tag.includes('>') ? tag.slice(tag.indexOf('>') + 1) : ''))]
  const words = entitiesIn(pieces.join(' ')).replace(/\s+/g, ' ').trim()
  if (words !== '') return words
  const [, double, single] = ALT.exec(content) ?? []
  return entitiesIn(double ?? single ?? '').trim()
}

function entitiesIn(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));?/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
}
