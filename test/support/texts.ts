import { readFileSync } from 'node:fs'
import { parseSync } from '@swc/core'

/** Two words, or a word that begins as a title does: other literals are names, paths and expressions. */
const WORDS = /\p{L}{2}[,;:.]? \p{L}/u
const TITLE = /^\p{Lu}\p{Ll}+[.…]?$/u
/** Statements and conditions of a store. */
const STATEMENT =
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|ROLLBACK|SET|ADD|FROM|REMOVE)\b|[#?:]\w* ?(?:AND|=)|\bAND\b/

type Node = { type?: string } & Record<string, unknown>

/** The outline of an icon, as SVG has paths. */
const OUTLINE = /^M[\d. ]+[A-Za-z]/

/**
 * Returns what people read and see of a TypeScript file, in its order: sentences in literals, where
 * `{…}` is an expression; the icons, and where they are.
 */
export function textsOf(file: string): string[] {
  const tree = parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript', tsx: file.endsWith('.tsx') })
  const texts: string[] = []
  const isPage = file.endsWith('.tsx')
  visit(tree.body, (text) => {
    const line = text.replace(/\s+/g, ' ')
    const isText = WORDS.test(line) || (isPage && (TITLE.test(line.trim()) || OUTLINE.test(line)))
    if (isText && !STATEMENT.test(line)) texts.push(line)
  })
  return texts
}

function visit(node: unknown, take: (text: string) => void): void {
  if (Array.isArray(node)) for (const one of node) visit(one, take)
  else if (typeof node === 'object' && node !== null) visitNode(node as Node, take)
}

function visitNode(node: Node, take: (text: string) => void): void {
  if (node.type === 'ImportDeclaration' || nameOf(node) === 'class') return
  if (nameOf(node) === 'icon') take(`The icon ${JSON.stringify(namesIn(node.value))}`)
  if (node.type === 'JSXOpeningElement' && (node.name as Node).value === 'Icon') {
    take(`The icon ${JSON.stringify(namesIn(node.attributes))}`)
  }
  if (node.type === 'StringLiteral' || node.type === 'JSXText') take(node.value as string)
  if (node.type === 'TemplateLiteral') {
    take((node.quasis as { cooked: string }[]).map(({ cooked }) => cooked).join('{…}'))
    visit(node.expressions, take)
  } else for (const child of Object.values(node)) visit(child, take)
}

/** The name of an attribute of an element. */
function nameOf({ type, name }: Node): string | undefined {
  return type === 'JSXAttribute' ? (name as { value: string }).value : undefined
}

/** The literals in a part of the tree. */
function namesIn(part: unknown): string[] {
  const names: string[] = []
  visit(part, (name) => names.push(name))
  return names
}
