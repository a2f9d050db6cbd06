import { AsyncLocalStorage } from 'node:async_hooks'
import { Buffer } from 'node:buffer'
import { createContext, Script } from 'node:vm'
import Handlebars from 'handlebars'
import { cpuMs } from '../../core/clock.ts'
import { TEMPLATE_BYTES, TEMPLATE_RENDER_MS } from '../../core/limits.ts'
import { countOutput, OUTPUT } from './render-output.ts'
import { SendError } from './send-error.ts'

export type TemplateData = Record<string, unknown>

/** What the renderings of one request may use together. */
interface RenderBudget {
  /** CPU time that is left. A busy machine is no fault of the template. */
  ms: number
  /** The most bytes that the parts of one message have together. */
  maxBytes: number
}

const budgets = new AsyncLocalStorage<RenderBudget>()

/** Runs the work of one request. All templates that it renders have TEMPLATE_RENDER_MS together. */
export function withRenderBudget<T>(maxMessageBytes: number, work: () => T): T {
  return budgets.run({ ms: TEMPLATE_RENDER_MS, maxBytes: maxMessageBytes }, work)
}

/** The most bytes of a message that a template makes, in the request that is handled. */
export function maxRenderedBytes(): number {
  return budgets.getStore()?.maxBytes ?? Infinity
}

/**
 * Renders the parts of one message, which are together at most as large as a message may be. Every
 * method throws SendError `template_invalid`, or `rendering` for a missing attribute, a result that
 * is too large, or a template that takes too long.
 */
export class Renderer {
  readonly #budget = budgets.getStore() ?? { ms: TEMPLATE_RENDER_MS, maxBytes: Infinity }
  #bytes = 0

  /**
   * Renders a template as Amazon SES does: Handlebars without HTML escaping; an attribute that the
   * data does not contain is an error.
   * @see https://docs.aws.amazon.com/ses/latest/dg/send-personalized-email-advanced.html
   */
  strict(source: string, data: TemplateData): string {
    return this.#render(source, data, { isStrict: true, escapes: false })
  }

  /** Renders a template in which a missing value is empty text, with HTML escaping if `escapes`. */
  lenient(source: string, data: TemplateData, escapes: boolean): string {
    return this.#render(source, data, { isStrict: false, escapes })
  }

  #render(source: string, data: TemplateData, modes: { isStrict: boolean; escapes: boolean }): string {
    checkSize(source)
    // An environment for each rendering: templates may define inline partials.
    const environment = Handlebars.create()
    environment.registerHelper('log', () => '')
    environment.registerHelper(OUTPUT, (value: unknown, escapes: boolean, name: string | null) =>
      this.#output(value, escapes, name),
    )
    return withinTime(this.#budget, () => {
      const template = countOutput(parse(source), modes)
      // Handlebars would indent each line of a partial, which the count does not see.
      return environment.compile(template, { noEscape: true, preventIndent: true })(data)
    })
  }

  /** A piece of the result. `name`: of the attribute that must exist. */
  #output(value: unknown, escapes: boolean, name: string | null): string {
    if (value === undefined && name !== null) {
      throw new SendError('rendering', `Attribute '${name}' is not present in the rendering data.`)
    }
    const text = value === undefined || value === null ? '' : String(value)
    const shown = escapes ? Handlebars.escapeExpression(text) : text
    this.#bytes += Buffer.byteLength(shown)
    if (this.#bytes > this.#budget.maxBytes) {
      throw new SendError('rendering', `The rendered template has more than ${this.#budget.maxBytes} bytes.`)
    }
    return shown
  }
}

/**
 * Checks the parts of one template: its subject and bodies.
 * @throws SendError `template_invalid`
 */
export function checkTemplate(parts: readonly string[]): void {
  checkSize(parts.join(''))
  const budget = budgets.getStore() ?? { ms: TEMPLATE_RENDER_MS }
  for (const part of parts) withinTime(budget, () => parse(part))
}

/** @throws SendError `template_invalid` */
function checkSize(source: string): void {
  if (Buffer.byteLength(source) > TEMPLATE_BYTES) {
    throw new SendError('template_invalid', `A template has at most ${TEMPLATE_BYTES} bytes.`)
  }
}

function parse(source: string): hbs.AST.Program {
  try {
    return Handlebars.parse(source)
  } catch (error) {
    const [, line] = /Parse error on line (\d+)/.exec((error as Error).message) ?? []
    throw new SendError('template_invalid', `The template is not valid${line ? ` (line ${line})` : ''}.`)
  }
}

const context = createContext({ run: undefined as (() => unknown) | undefined })
const script = new Script('run()')

/**
 * Runs synchronous work and interrupts it when the time of its request is over: loops and recursion
 * of a template have no bound.
 */
function withinTime<T>(budget: { ms: number }, work: () => T): T {
  const late = new SendError('rendering', `Rendering takes longer than ${TEMPLATE_RENDER_MS} ms.`)
  if (budget.ms <= 0) throw late
  const began = cpuMs()
  context.run = work
  try {
    return script.runInContext(context, { timeout: Math.ceil(budget.ms) }) as T
  } catch (error) {
    if (error instanceof SendError) throw error
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      budget.ms = 0
      throw late
    }
    throw new SendError('rendering', 'The template cannot be rendered.')
  } finally {
    context.run = undefined
    budget.ms -= cpuMs() - began
  }
}
