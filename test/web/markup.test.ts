import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { PAGE_FILES, PROBLEMS_PREFIX } from '../../web/headers.ts'

const read = (pattern: string) =>
  globSync(pattern, { exclude: ['web/dist/**', 'web/html-check/**'] })
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
const styles = read('web/styles/*.css')
  .replace(/\/\*[\s\S]*?\*\/|@import.*/g, '')
  .replace(/url\([^)]*\)/g, '')
const markup = read('web/**/*.{ts,tsx}')

const all = (text: string, pattern: RegExp) =>
  new Set([...text.matchAll(pattern)].flatMap(([, ...groups]) => groups.find(Boolean)?.split(/\s+/) ?? []))
const without = (these: ReadonlySet<string>, those: ReadonlySet<string>) =>
  [...these].filter((name) => !those.has(name)).sort()

/** Selectors only: a declaration such as `margin: .5rem` has no class. */
const selectors = styles.replace(/\{[^{}]*\}/g, '{}')
const classes = all(
  markup.replaceAll(/\$\{[^}]*\}/g, ' '),
  /\b(?:class|className)\s*[=:]\s*(?:"([^"]*)"|'([^']*)'|\{`([^`]*)`\})/g,
)
classes.delete('')

/** The other end of each name: a typing error at one end leaves no trace but a page that looks wrong. */
describe('names that markup and styles share', () => {
  test('every class has a style', () => {
    expect(without(classes, all(selectors, /\.([a-z][\w-]*)/g))).toEqual([])
  })

  test('every styled class and attribute is in the markup', () => {
    const strings = all(markup, /['"`]([\w\s-]+)['"`]/g)
    expect(without(all(selectors, /\.([a-z][\w-]*)/g), new Set([...classes, ...strings]))).toEqual([])
    const attributes = all(markup, /\b(data-[a-z]+|aria-[a-z]+)\b/g)
    expect(without(all(selectors, /\[(data-[a-z]+|aria-[a-z]+)/g), attributes)).toEqual([])
  })

  test('every custom property is defined, and used', () => {
    const defined = all(styles, /^\s*(--[\w-]+):/gm)
    const used = all(styles, /var\((--[\w-]+)/g)
    expect([without(used, defined), without(defined, used)]).toEqual([[], []])
  })

  test('every label, description and link leads to something', () => {
    const ids = all(markup, /\bid="([^"$]+)"/g)
    const named = all(markup, /\b(?:for|aria-labelledby|aria-describedby|aria-controls)="([^"$]+)"/g)
    // The form of a webhook makes the ids of its fields from their names.
    expect(without(named, ids).filter((id) => !id.startsWith('webhook-'))).toEqual([])
    const paths = new Set([...Object.keys(PAGE_FILES), PROBLEMS_PREFIX, '/api/openapi.json'])
    expect(without(all(markup, /\bhref=["`](\/[\w./]*)["#`]/g), paths)).toEqual([])
  })
})

/** Attributes that no picture shows, and that assistive programs need. */
describe('attributes of elements', () => {
  const tags = (name: string) =>
    [...markup.matchAll(new RegExp(`<${name}\\b[^>]*>`, 'g'))].map(([tag]) => tag)

  test('the head of a column or a row says which it is', () => {
    const heads = tags('th')
    expect(heads.length).toBeGreaterThan(5)
    expect(heads.filter((tag) => !/scope="(?:col|row)"/.test(tag))).toEqual([])
  })

  test('a time says it in the form that programs read', () => {
    const times = tags('time')
    expect(times.length).toBeGreaterThan(3)
    expect(times.filter((tag) => !/dateTime=\{/.test(tag))).toEqual([])
  })
})

/** Another name would lose what people have set, with no error anywhere. */
test('what a browser keeps has the names that it had', () => {
  expect([...all(markup, /'(mayfly\.[a-z.-]*)'/g)].sort()).toEqual([
    'mayfly.api-key',
    'mayfly.density',
    'mayfly.domain-key.',
    'mayfly.notify',
    'mayfly.recent',
    'mayfly.remote-images',
    'mayfly.session-ends',
  ])
})
