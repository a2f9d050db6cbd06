import type { Envelope } from '../../core/inbox/receive.ts'
import type { Verdict } from '../../reading/message.ts'

/** The header fields of a message that SES stored are in its first bytes. */
export const HEADER_BYTES = 65_536

/** The trace field of SES, which names the first recipient of the envelope. */
const BY_SES =
  /\bby inbound-smtp\.[a-z0-9-]+\.amazonaws\.com with SMTP id [A-Za-z0-9]+\s+for <?([^\s<>;]+@[^\s<>;]+?)>?;/
const ADDRESS = /(?<![^\s<>(),;:"[\]])[^\s<>(),;:"[\]]+@[A-Za-z0-9.-]+/g
const RECIPIENT_FIELDS = ['to', 'cc', 'bcc']

/**
 * Returns the envelope of a message without its notification, as far as the message shows it: the
 * recipient in the trace field of SES, and those in To, Cc and Bcc. Other blind copies are lost
 * with the notification. Returns undefined if SES did not store the message: then its sender was
 * not told that it was accepted.
 *
 * @param head the first bytes of the message
 */
export function recoveredEnvelope(
  messageId: string,
  head: Uint8Array,
  receivedAt: number,
): Envelope | undefined {
  const fields = fieldsOf(head)
  const [trace = ''] = fields.get('received') ?? []
  const [, recipient] = BY_SES.exec(trace) ?? []
  if (recipient === undefined) return undefined
  const named =
    RECIPIENT_FIELDS.flatMap((name) => fields.get(name) ?? [])
      .join(' ')
      .match(ADDRESS) ?? []
  const [sender = ''] = fields.get('return-path') ?? []
  const results = fields.get('authentication-results')?.[0] ?? ''
  const result = (method: string) => verdictOf(new RegExp(`\\b${method}=(\\w+)`).exec(results)?.[1])
  const verdict = (name: string) => verdictOf(fields.get(name)?.[0]?.trim())
  return {
    messageId,
    mailFrom: sender.match(ADDRESS)?.[0] ?? null,
    recipients: [...new Set([recipient, ...named])],
    receivedAt,
    verdicts: {
      spam: verdict('x-ses-spam-verdict'),
      virus: verdict('x-ses-virus-verdict'),
      spf: result('spf'),
      dkim: result('dkim'),
      dmarc: result('dmarc'),
    },
  }
}

/** Returns the values of the header fields by lower-case name, unfolded, in their order. */
function fieldsOf(head: Uint8Array): Map<string, string[]> {
  const fields = new Map<string, string[]>()
  const [header = ''] = Buffer.from(head)
    .toString('utf8')
    .split(/\r?\n\r?\n/, 1)
  for (const line of header.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon < 1) continue
    const name = line.slice(0, colon).toLowerCase()
    const values = fields.get(name) ?? []
    values.push(line.slice(colon + 1))
    fields.set(name, values)
  }
  return fields
}

function verdictOf(text = ''): Verdict {
  const value = text.toLowerCase()
  return value === 'pass' || value === 'fail' || value === 'gray' ? value : null
}
