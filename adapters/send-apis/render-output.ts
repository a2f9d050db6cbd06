import Handlebars from 'handlebars'

/** The helper that gets each piece of a template's result. */
export const OUTPUT = '__output'

/**
 * Changes a template so that each piece of its result passes the helper OUTPUT, which counts it:
 * `{{name}}` becomes `{{__output name escapes "name"}}`, and text becomes `{{__output "text"}}`.
 */
export function countOutput(
  template: hbs.AST.Program,
  modes: { isStrict: boolean; escapes: boolean },
): hbs.AST.Program {
  new OutputCounter(modes).accept(template)
  return template
}

class OutputCounter extends Handlebars.Visitor {
  readonly #isStrict: boolean
  readonly #escapes: boolean
  // A field of the base class: the node that a method returns replaces its argument.
  mutating = true

  constructor({ isStrict, escapes }: { isStrict: boolean; escapes: boolean }) {
    super()
    this.#isStrict = isStrict
    this.#escapes = escapes
  }

  override ContentStatement({
    value,
    loc,
    strip,
  }: hbs.AST.ContentStatement & { strip?: unknown }): hbs.AST.Node {
    return outputOf(text(String(value), loc), { loc, strip, escapes: false, name: null })
  }

  override MustacheStatement(statement: hbs.AST.MustacheStatement): hbs.AST.Node {
    const { path, params, hash, loc, strip } = statement
    const escapes = this.#escapes && statement.escaped
    const hasArguments = params.length > 0 || (hash?.pairs.length ?? 0) > 0
    if (hasArguments) {
      const call: hbs.AST.SubExpression = {
        type: 'SubExpression',
        path: path as hbs.AST.PathExpression,
        params,
        hash,
        loc,
      }
      return outputOf(call, { loc, strip, escapes, name: null })
    }
    const value = asPath(path)
    const isRequired = this.#isStrict && !value.data
    return outputOf(value, { loc, strip, escapes, name: isRequired ? value.original : null })
  }
}

/** `{{12}}` and `{{"a b"}}` name attributes, as Handlebars itself reads them. */
function asPath(path: hbs.AST.MustacheStatement['path']): hbs.AST.PathExpression {
  if (path.type === 'PathExpression') return path as hbs.AST.PathExpression
  const name = String((path as { original?: unknown }).original ?? path.type)
  return { type: 'PathExpression', data: false, depth: 0, parts: [name], original: name, loc: path.loc }
}

function outputOf(
  value: hbs.AST.Expression,
  more: { loc: hbs.AST.SourceLocation; strip: unknown; escapes: boolean; name: string | null },
): hbs.AST.Node {
  const { loc, strip, escapes, name } = more
  const path = { type: 'PathExpression', data: false, depth: 0, parts: [OUTPUT], original: OUTPUT, loc }
  const flag = { type: 'BooleanLiteral', value: escapes, original: escapes, loc }
  const required = name === null ? { type: 'NullLiteral', loc } : text(name, loc)
  const params = [value, flag, required]
  return {
    type: 'MustacheStatement',
    path,
    params,
    hash: undefined,
    escaped: false,
    strip,
    loc,
  } as hbs.AST.Node
}

function text(value: string, loc: hbs.AST.SourceLocation): hbs.AST.StringLiteral {
  return { type: 'StringLiteral', value, original: value, loc }
}
