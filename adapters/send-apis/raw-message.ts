import { Buffer } from 'node:buffer'
import { type Mailbox, parseFields } from './mailboxes.ts'
import { type PreparedMessage, withSendId } from './message.ts'
import { SendError } from './send-error.ts'

/** Headers beyond this size are those of no mail. */
const HEADERS_BYTES = 1024 * 1024

interface Field {
  name: string
  value: string
  start: number
  end: number
}

/** A raw message of a request: its header fields and its bytes. */
export class RawMessage {
  readonly #bytes: Buffer
  readonly #fields: Field[]

  /** @throws SendError `invalid` for bytes without a header */
  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#fields = fieldsOf(this.#bytes)
    if (this.#fields.length === 0) throw new SendError('invalid', 'The raw message has no header.')
  }

  /**
   * The mailboxes of all fields with this name, [] if no field has it.
   * @throws SendError `invalid`
   */
  mailboxes(name: string): Mailbox[] {
    const fields = this.#fields.filter((field) => field.name === name)
    return parseFields(fields.map(({ value }) => value.replace(/\r?\n(?=[ \t])/g, '')))
  }

  /** The address of From. @throws SendError `invalid` if it has none */
  get sender(): string {
    const [from] = this.mailboxes('from')
    if (from === undefined) throw new SendError('invalid', "Missing required header 'From'.")
    return from.address
  }

  /** The addresses of To, Cc and Bcc. */
  get recipients(): string[] {
    return ['to', 'cc', 'bcc'].flatMap((name) => this.mailboxes(name)).map(({ address }) => address)
  }

  /**
   * The message without its Bcc fields, with the id of the answer. All other bytes are unchanged.
   */
  prepare(sendId: string, mailFrom: string, recipients: string[]): PreparedMessage {
    return {
      sendId,
      mailFrom,
      recipients,
      raw: async (maxBytes) => withSendId(this.#withoutBcc(), sendId, maxBytes),
    }
  }

  #withoutBcc(): Buffer {
    const kept: Buffer[] = []
    let from = 0
    for (const { name, start, end } of this.#fields) {
      if (name !== 'bcc') continue
      kept.push(this.#bytes.subarray(from, start))
      from = end
    }
    return from === 0 ? this.#bytes : Buffer.concat([...kept, this.#bytes.subarray(from)])
  }
}

/**
 * The fields of the header with their positions. Lines end in CR LF or LF; folded lines belong to
 * their field.
 */
function fieldsOf(bytes: Buffer): Field[] {
  const fields: Field[] = []
  let start = 0
  while (start < Math.min(bytes.length, HEADERS_BYTES)) {
    const newline = bytes.indexOf(10, start)
    const end = newline === -1 ? bytes.length : newline + 1
    const line = bytes.toString('utf8', start, end)
    const last = fields.at(-1)
    if (line === '\r\n' || line === '\n') break
    if (/^[ \t]/.test(line) && last !== undefined) {
      last.value += line
      last.end = end
    } else {
      const colon = line.indexOf(':')
      // The first line that is not a field begins the body, as mail readers do.
      if (colon < 1 || !/^[\x21-\x7e]+[ \t]*$/.test(line.slice(0, colon))) break
      const name = line.slice(0, colon).trim().toLowerCase()
      fields.push({ name, value: line.slice(colon + 1), start, end })
    }
    start = end
  }
  return fields.map((field) => ({ ...field, value: field.value.trim() }))
}
