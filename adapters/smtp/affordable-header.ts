/**
 * What signatures may cost. Beyond these bounds all of them are removed before they are checked, so
 * that their verdict is `gray`: each kind of hash reads the whole body once more, and a name of a
 * signed field is looked for among all fields.
 */
const SIGNATURES_MAX = 10
const HASHES_MAX = 2
const SIGNATURE_LENGTH = 8 * 1024
const SIGNED_FIELDS_MAX = 100
const FIELDS_MAX = 1000
/** Lines of the header, times signatures: each signature may make all of them relaxed. */
const SIGNED_LINES_MAX = 4096
/** Of the fields whose addresses are parsed. */
const ADDRESSES_LENGTH = 2 * 1024
const ADDRESS_FIELDS = ['from', 'return-path']

/** The check reads each byte of a header several times. */
export const HEADER_BYTES = 64 * 1024
export const END_OF_HEADER = /\r?\n\r?\n/

export interface AffordableHeader {
  /** One character for each byte. */
  text: string
  isSigned: boolean
  /** In which forms the signatures hash the body. */
  forms: ReadonlySet<string>
  /** Whether signatures were removed. */
  isPartial: boolean
}

/** The header of a message without the signatures that would cost too much. */
export function affordableHeader(header: string): AffordableHeader {
  if (header.length > HEADER_BYTES)
    return { ...unsigned(`${header.slice(0, HEADER_BYTES)}\r\n`), isPartial: true }
  const fields = fieldsOf(header).filter(isReadable)
  const signatures = fields.filter((field) => nameOf(field) === 'dkim-signature')
  if (signatures.length === 0) return { ...unsigned(header), isPartial: false }
  const complete = signatures.filter((field) => !/[;:\s]l\s*=/.test(field) && !isSha1(field))
  const forms = new Set(complete.map(formOf))
  const isAffordable =
    fields.length <= FIELDS_MAX &&
    signatures.length <= SIGNATURES_MAX &&
    complete.length * header.split('\n').length <= SIGNED_LINES_MAX &&
    complete.every(isShort) &&
    forms.size <= HASHES_MAX
  if (!isAffordable) return { ...unsigned(header), isPartial: true }
  // A signature of the beginning of a body (`l=`) says nothing about the rest, and each length
  // would be another hash. RFC 8301, section 3.1: one with SHA-1 counts for nothing.
  const kept = fields.filter(
    (field) => !isArc(field) && (!signatures.includes(field) || complete.includes(field)),
  )
  const isPartial = complete.length < signatures.length
  return { text: kept.join(''), isSigned: complete.length > 0, forms, isPartial }
}

/** The check parses these in any message. */
function isReadable(field: string): boolean {
  return field.length <= ADDRESSES_LENGTH || !ADDRESS_FIELDS.includes(nameOf(field))
}

const NO_FORMS: ReadonlySet<string> = new Set()

/** The fields that the checks without signatures need. */
function unsigned(header: string): Omit<AffordableHeader, 'isPartial'> {
  const kept = fieldsOf(header).filter((field) => ADDRESS_FIELDS.includes(nameOf(field)) && isReadable(field))
  return { text: `${kept.slice(0, FIELDS_MAX).join('')}\r\n`, isSigned: false, forms: NO_FORMS }
}

/** The fields with their line ends; the last one is the empty line. */
function fieldsOf(header: string): string[] {
  return header.split(/(?<=\n)(?![ \t])/)
}

function nameOf(field: string): string {
  return field
    .slice(0, Math.max(0, field.indexOf(':')))
    .trim()
    .toLowerCase()
}

/** ARC is not checked, but would be parsed. */
function isArc(field: string): boolean {
  return nameOf(field).startsWith('arc-')
}

function isShort(signature: string): boolean {
  return signature.length <= SIGNATURE_LENGTH && signature.split(':').length <= SIGNED_FIELDS_MAX
}

/** The canonical form in which a signature hashes the body. */
function formOf(signature: string): string {
  const found = /[;:\s]c\s*=\s*([^;\s]*)/i.exec(signature)?.[1]
  return found?.toLowerCase().split('/')[1] ?? 'simple'
}

function isSha1(signature: string): boolean {
  return /[;:\s]a\s*=[^;]{0,40}sha1/i.test(signature)
}
