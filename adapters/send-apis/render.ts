import { createContext, Script } from 'node:vm'
import Handlebars from 'handlebars'
import { TEMPLATE_BYTES, TEMPLATE_RENDER_MS } from '../../core/limits.ts'
import { SendError } from './send-error.ts'

export type TemplateData = Record<string, unknown>

/** Marks a value that the template names directly, so that a missing one is found. */
const REQUIRED = '__required'

/**
 * Renders a template as Amazon SES does: Handlebars without HTML escaping; an attribute that the
 * data does not contain is an error.
 * @see https://docs.aws.amazon.com/ses/latest/dg/send-personalized-email-advanced.html
 * @throws SendError `template_invalid`, or `rendering` for a missing attribute or a template that
 *   takes too long
 */
export function renderTemplate(source: string, data: TemplateData): string {
  return withinTime(() => compile(source, true)(data))
}

/** Renders a template in which a missing value is empty text, with HTML escaping if `escapes`. */
export function renderLenient(source: string, data: TemplateData, escapes: boolean): string {
  return withinTime(() => compile(source, false, escapes)(data))
}

/**
 * Checks the parts of one template: its subject and bodies.
 * @throws SendError `template_invalid`
 */
export function checkTemplate(parts: readonly string[]): void {
  if (Buffer.byteLength(parts.join('')) > TEMPLATE_BYTES) {
    throw new SendError('template_invalid', `A template has at most ${TEMPLATE_BYTES} bytes.`)
  }
  for (const part of parts) withinTime(() => parse(part))
}

function compile(source: string, isStrict: boolean, escapes = false): (data: TemplateData) => string {
  // An environment for each rendering: templates may define inline partials.
  const environment = Handlebars.create()
  environment.registerHelper(REQUIRED, requiredValue)
  const template = parse(source)
  if (isStrict) new RequireValues().accept(template)
  return environment.compile(template, { noEscape: !escapes, knownHelpersOnly: false })
}

function parse(source: string): hbs.AST.Program {
  try {
    return Handlebars.parse(source)
  } catch (error) {
    const [, line] = /Parse error on line (\d+)/.exec((error as Error).message) ?? []
    throw new SendError('template_invalid', `The template is not valid${line ? ` (line ${line})` : ''}.`)
  }
}

function requiredValue(value: unknown, name: string): unknown {
  if (value === undefined) {
    throw new SendError('rendering', `Attribute '${name}' is not present in the rendering data.`)
  }
  return value
}

/**
 * Turns `{{name}}` into `{{__required name "name"}}`. Blocks and helpers with arguments stay as
 * they are.
 */
class RequireValues extends Handlebars.Visitor {
  override MustacheStatement(statement: hbs.AST.MustacheStatement): void {
    const { path, params } = statement
    if (path.type !== 'PathExpression' || params.length > 0 || statement.hash?.pairs.length > 0) return
    const value = path as hbs.AST.PathExpression
    if (value.original === 'else' || value.data) return
    const name: hbs.AST.StringLiteral = {
      type: 'StringLiteral',
      value: value.original,
      original: value.original,
      loc: value.loc,
    }
    statement.params = [value, name]
    statement.path = { ...value, data: false, depth: 0, parts: [REQUIRED], original: REQUIRED }
  }
}

const context = createContext({ run: undefined as (() => unknown) | undefined })
const script = new Script('run()')

/**
 * Runs synchronous work and interrupts it after TEMPLATE_RENDER_MS: loops and recursion of a
 * template have no bound.
 */
function withinTime<T>(work: () => T): T {
  context.run = work
  try {
    return script.runInContext(context, { timeout: TEMPLATE_RENDER_MS }) as T
  } catch (error) {
    if (error instanceof SendError) throw error
    const isLate = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    const reason = isLate ? `takes longer than ${TEMPLATE_RENDER_MS} ms` : 'cannot be rendered'
    throw new SendError('rendering', `The template ${reason}.`)
  } finally {
    context.run = undefined
  }
}
