import {
  ActionLink,
  Attachment,
  AttachmentSummary,
  CodeDetail,
  Email,
  Header,
  Person,
  Verdicts,
  WholeEmail,
} from '../../../adapters/http/wire/email.ts'
import { Problem } from '../../../adapters/http/wire/problem.ts'
import { Refusal } from '../../../adapters/http/wire/refusals.ts'
import { FILTERS, HAS } from '../../../core/inbox/filter.ts'

/** A schema of Valibot, as far as the generators read it. */
export interface Schema {
  type: string
  entries?: Record<string, Schema>
  item?: Schema
  wrapped?: Schema
  literal?: string | number | boolean
  options?: string[]
}

interface Shape {
  doc: string
  schema: Schema
}

/** The shapes that have a name in both languages; other shapes refer to them by it. */
export const SHAPES = {
  Person: { doc: 'A mailbox in a header field.', schema: Person },
  ActionLink: { doc: 'The link that does what a mail asks for.', schema: ActionLink },
  AttachmentSummary: { doc: 'An attachment in a list. `size` is in bytes.', schema: AttachmentSummary },
  Email: { doc: 'An email in lists, waits and streams.', schema: Email },
  Header: { doc: 'A header field.', schema: Header },
  Attachment: { doc: 'One attachment of an email. `size` is in bytes.', schema: Attachment },
  CodeDetail: {
    doc: 'A code of a mail: its kind, and the words of the mail that show it.',
    schema: CodeDetail,
  },
  Verdicts: { doc: 'The results of the checks of an email; null if a check was not made.', schema: Verdicts },
  WholeEmail: { doc: 'An email with every field.', schema: WholeEmail },
  RefusedMail: { doc: 'A recipient or a message that the service refused.', schema: Refusal },
  Problem: { doc: 'The answer to a request that failed (RFC 9457).', schema: Problem },
} as Record<string, Shape>

/** The name of a shape, unless it is `self`. */
export function nameOf(schema: Schema, self?: string): string | undefined {
  return Object.entries(SHAPES).find(([name, shape]) => name !== self && shape.schema === schema)?.[0]
}

/** Each filter with its description. */
export const FILTER_DOCS: [name: string, doc: string][] = Object.entries(FILTERS).map(([name, { help }]) => [
  name,
  help,
])

/** Each value of `has` with its words. */
export const HAS_WORDS: [value: string, words: string][] = Object.entries(HAS).map(([value, { words }]) => [
  value,
  words,
])

export const COMMAND = 'npm run build:wire'
