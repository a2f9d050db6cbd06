import type { Field } from './header-block.ts'
import { unfolded } from './headers.ts'
import { type Parameters, parametersOf } from './parameters.ts'

export interface MediaType {
  /** Type and subtype in lower case. */
  type: string
  /** Whether the header said so, and in a valid form. */
  isDeclared: boolean
  parameters: Parameters
}

/** RFC 6838, section 4.2, in lower case. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/

/**
 * What a part is. One that does not say is what `usual` says; one that says it in no valid form is text/plain
 * (RFC 2045, section 5.2), with the parameters that it has. What follows the type without a semicolon is a
 * parameter, as Thunderbird reads it: `text/plain charset=utf-8`.
 */
export function mediaTypeOf(fields: readonly Field[], usual: string): MediaType {
  const line = fields.find(({ key }) => key === 'content-type')?.line
  if (line === undefined) return { type: usual, isDeclared: false, parameters: new Map() }
  const { value, parameters } = parametersOf(unfolded(line))
  const type = value.toLowerCase()
  // What is in parts and says where they begin is read, whatever kind of parts it says.
  if (type.startsWith('multipart') && parameters.has('boundary') && !MEDIA_TYPE.test(type))
    return { type: 'multipart/mixed', isDeclared: false, parameters }
  const isDeclared = MEDIA_TYPE.test(type)
  return { type: isDeclared ? type : 'text/plain', isDeclared, parameters }
}
