import { readFileSync } from 'node:fs'
import { FILTER_DOCS } from './wire-shapes.ts'

/** The pages that list the filters, and the name that one has there. */
const PAGES: Record<string, (name: string) => string> = {
  'docs/contract.md': (name) => name,
  'docs/sdk.md': (name) => name,
  'docs/cli.md': (name) => `--${name.replaceAll('_', '-')}`,
  'packages/python/README.md': (name) => (name === 'from' ? 'from_' : name),
}
const LIST = /(<!-- filters: npm run build:wire -->\n\n)[\s\S]*?(\n\n<!-- end of filters -->)/

/** Returns the pages with the list of filters as it is now, by path. */
export function pagesWithFilters(root: URL): Record<string, string> {
  return Object.fromEntries(
    Object.entries(PAGES).map(([page, nameOf]) => {
      const text = readFileSync(new URL(page, root), 'utf8')
      if (!LIST.test(text)) throw new Error(`${page} has no list of filters.`)
      const list = FILTER_DOCS.map(([name, doc]) => `- \`${nameOf(name)}\`: ${doc}`).join('\n')
      return [page, text.replace(LIST, `$1${list}$2`)]
    }),
  )
}
