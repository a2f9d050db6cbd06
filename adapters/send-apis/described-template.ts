import { TEMPLATE_BYTES } from '../../core/limits.ts'
import { SendError } from './send-error.ts'

/**
 * Subject and text of a mail whose template only the provider has: its name, and one line for each
 * value of its data, so that a test still finds codes and links.
 * @throws SendError `invalid` if the text has more than TEMPLATE_BYTES, because each line repeats
 *   the names of the objects around its value
 */
export function describeTemplate(
  id: string,
  data: Record<string, unknown>,
): { subject: string; text: string } {
  const lines: string[] = []
  let length = 0
  const add = (path: string, value: unknown): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) add(path === '' ? name : `${path}.${name}`, inner)
      return
    }
    length += path.length + String(value).length
    if (length > TEMPLATE_BYTES) {
      throw new SendError('invalid', `The data of the template has more than ${TEMPLATE_BYTES} characters.`)
    }
    lines.push(`${path}: ${value}`)
  }
  add('', data)
  return { subject: id, text: `${lines.join('\n')}\n` }
}

/**
 * The text part of a mail that names a template: its own text, then the described template. Clients
 * that require a text send an empty one beside a template.
 */
export function withTemplate(
  text: string | undefined,
  described: { text: string } | undefined,
): string | undefined {
  if (described === undefined) return text
  return text?.trim() ? `${text}\n\n${described.text}` : described.text
}
