/**
 * Makes web/html-check/caniemail.json from the data of caniemail.com (MIT licence):
 *
 *     node web/html-check/update.ts                  # what caniemail.com publishes
 *     node web/html-check/update.ts ../caniemail     # a clone of its repository, which is newer
 *     node web/html-check/update.ts data.json        # a file with the published data
 */
import { execFileSync } from 'node:child_process'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const PUBLISHED = 'https://www.caniemail.com/api/data.json'

interface Source {
  last_update_date: string
  data: { slug: string; title: string; stats: Stats }[]
}

/** By family and platform: the result of each tested version, the oldest first. */
type Stats = Record<string, Record<string, Record<string, string>> | undefined>

/** The clients of the check, each with the platforms whose worst result counts. */
const CLIENTS: [name: string, family: string, platforms: string[]][] = [
  ['Gmail', 'gmail', ['desktop-webmail', 'ios', 'android']],
  ['Outlook for Windows', 'outlook', ['windows']],
  ['Outlook.com', 'outlook', ['outlook-com']],
  ['Outlook mobile', 'outlook', ['ios', 'android']],
  ['Apple Mail', 'apple-mail', ['macos', 'ios']],
  ['Yahoo Mail', 'yahoo', ['desktop-webmail', 'ios', 'android']],
  ['Samsung Email', 'samsung-email', ['android']],
  ['Thunderbird', 'thunderbird', ['macos', 'windows']],
]

/** From best to worst: yes, unknown, almost (partial), no. */
const ORDER = ['y', 'u', 'a', 'n']

/** What shows that a feature is used, where its slug does not tell; an empty list leaves the feature out. */
const SIGNS: Record<string, string[]> = {
  amp: [],
  bimi: [],
  'css-at-media-device-pixel-ratio': ['media:device-pixel-ratio'],
  'css-at-media-hover': ['media:hover'],
  'css-at-media-orientation': ['media:orientation'],
  'css-at-media-prefers-color-scheme': ['media:prefers-color-scheme'],
  'css-at-media-prefers-reduced-motion': ['media:prefers-reduced-motion'],
  'css-block-inline-size': ['property:block-size', 'property:inline-size'],
  'css-column-layout-properties': ['property:columns', 'property:column-rule', 'property:column-width'],
  'css-comments': [],
  'css-display-flex': ['value:display:flex', 'value:display:inline-flex'],
  'css-display-grid': ['value:display:grid', 'value:display:inline-grid'],
  'css-display-none': ['value:display:none'],
  'css-display': [],
  'css-gap': ['property:gap', 'property:column-gap', 'property:row-gap'],
  'css-grid-template': [
    'property:grid-template',
    'property:grid-template-columns',
    'property:grid-template-rows',
  ],
  'css-important': [],
  'css-intrinsic-size': ['value:width:fit-content', 'value:width:min-content', 'value:width:max-content'],
  'css-left-right-top-bottom': ['property:left', 'property:right', 'property:top', 'property:bottom'],
  'css-modern-color': ['function:lch', 'function:oklch', 'function:lab', 'function:oklab'],
  'css-nesting': [],
  'css-sytem-ui': [],
  'css-unit-calc': ['function:calc'],
  'css-unit-initial': [],
  'css-unit-percent': [],
  'css-variables': ['function:var'],
  'html-anchor-links': [],
  'html-comments': [],
  'html-doctype': [],
  'html-h1-h6': ['element:h1', 'element:h2', 'element:h3', 'element:h4', 'element:h5', 'element:h6'],
  'html-image-maps': ['element:map'],
  'html-lists': ['element:ul', 'element:ol', 'element:dl'],
  'html-mailto-links': [],
  'html-meta-color-scheme': [],
  'html-semantics': [
    'article',
    'aside',
    'details',
    'figure',
    'footer',
    'header',
    'main',
    'nav',
    'section',
  ].map((name) => `element:${name}`),
  'html-loading-attribute': ['attribute:loading'],
  'html-srcset': ['attribute:srcset', 'attribute:sizes'],
  'image-apng': [],
  'image-base64': ['image:data'],
  'image-hdr': [],
  'image-jpg': ['image:jpg', 'image:jpeg'],
}

const ELEMENTS_WITH_TYPE = /^html-(button|input)-/

function signsOf(slug: string): string[] {
  const known = SIGNS[slug]
  if (known !== undefined) return known
  if (slug === 'css-selector-type' || ELEMENTS_WITH_TYPE.test(slug)) return []
  const [, kind, name = ''] =
    /^(css-at|css-selector|css-pseudo-class|css-pseudo-element|css-unit|css-function|css|html|image)-(.+)$/.exec(
      slug,
    ) ?? []
  if (kind === 'css-selector') return [`selector:${name}`]
  if (kind === 'css-at') return [`rule:${name}`]
  if (kind === 'css-pseudo-class' || kind === 'css-pseudo-element') return [`pseudo:${name}`]
  if (kind === 'css-unit') return [`unit:${name}`]
  if (kind === 'css-function' || /-gradient$|^rgba?$/.test(name)) return [`function:${name}`]
  if (kind === 'css') return [`property:${name}`]
  return kind === 'html' ? [`element:${name}`, `attribute:${name}`] : [`image:${name}`]
}

function supportOf(stats: Stats): string {
  return CLIENTS.map(([, family, platforms]) => {
    const results = platforms.flatMap((platform) => {
      const latest = Object.values(stats[family]?.[platform] ?? {}).at(-1)?.[0]
      return latest !== undefined && ORDER.includes(latest) ? [latest] : []
    })
    return results.sort((a, b) => ORDER.indexOf(b) - ORDER.indexOf(a))[0] ?? 'u'
  }).join('')
}

/** The title shows whether a name such as `width` is an element or an attribute. */
function fitting(title: string, signs: string[]): string[] {
  return signs.filter((sign) =>
    title.endsWith('attribute')
      ? !sign.startsWith('element:')
      : !sign.startsWith('attribute:') || /srcset/.test(title),
  )
}

const source = await sourceOf(process.argv[2])
const features = source.data.flatMap(({ slug, title, stats }) => {
  const signs = fitting(title, signsOf(slug))
  return signs.length === 0 ? [] : [[slug, title.trim(), signs, supportOf(stats)]]
})
const data = {
  updated: source.last_update_date.slice(0, 10),
  clients: CLIENTS.map(([name]) => name),
  features,
}
const lines = features.map((feature) => `    ${JSON.stringify(feature)}`).join(',\n')
const text = JSON.stringify({ ...data, features: 0 }, null, 2).replace(
  '"features": 0',
  `"features": [\n${lines}\n  ]`,
)
await writeFile(new URL('./caniemail.json', import.meta.url), `${text}\n`)

async function sourceOf(path: string | undefined): Promise<Source> {
  if (path === undefined) return (await (await fetch(PUBLISHED)).json()) as Source
  if (!(await stat(path)).isDirectory()) return JSON.parse(await readFile(path, 'utf8')) as Source
  const folder = join(path, '_features')
  const files = (await readdir(folder)).filter((name) => /^[a-z].*\.md$/.test(name)).sort()
  const features = files.map(async (name) =>
    featureIn(name.slice(0, -3), await readFile(join(folder, name), 'utf8')),
  )
  const date = execFileSync('git', ['-C', path, 'log', '-1', '--format=%cs'], { encoding: 'utf8' }).trim()
  return { last_update_date: date, data: await Promise.all(features) }
}

/** A feature of the repository: a title, and results in JSON with bare names and commas at the end of lists. */
function featureIn(slug: string, text: string): Source['data'][number] {
  const title = /^title:\s*"?(.*?)"?\s*$/m.exec(text)?.[1] ?? slug
  const from = text.indexOf('{', text.indexOf('\nstats:'))
  let depth = 0
  let to = from
  do {
    if (text[to] === '{') depth++
    if (text[to] === '}') depth--
    to++
  } while (depth > 0 && to < text.length)
  const stats = text
    .slice(from, to)
    .replace(/^\s*(?:#|\/\/).*$/gm, '')
    .replace(/([{,]\s*)([A-Za-z][\w-]*)\s*:/g, '$1"$2":')
    .replace(/("|\})(\s*\n\s*")/g, '$1,$2')
    .replace(/,(\s*[}\]])/g, '$1')
  return { slug, title: title.replaceAll('\\"', '"'), stats: JSON.parse(stats) as Stats }
}
