import type { ActionLink, EmailSummary } from '../../reading/message.ts'

/** A summary as every store keeps it: JSON with snake_case names, unchanged since 0.1.0. */
interface SummaryRecord
  extends Pick<EmailSummary, 'from' | 'to' | 'cc' | 'subject' | 'codes' | 'links' | 'size'> {
  body_text: string
  body_text_truncated: boolean
  /** Missing in records that versions before 0.2 wrote. */
  action_link?: ActionLink | null
  attachment_count: number
}

/** The JSON text under which a store keeps a summary. */
export function encodeSummary(summary: EmailSummary): string {
  const { bodyText, bodyTextTruncated, actionLink, attachmentCount, ...same } = summary
  const record: SummaryRecord = {
    ...same,
    body_text: bodyText,
    body_text_truncated: bodyTextTruncated,
    action_link: actionLink,
    attachment_count: attachmentCount,
  }
  return JSON.stringify(record)
}

/** The summary in the JSON text that `encodeSummary` of this or an earlier version made. */
export function decodeSummary(json: string): EmailSummary {
  const record = JSON.parse(json) as SummaryRecord
  const { body_text, body_text_truncated, action_link, attachment_count, ...same } = record
  return {
    ...same,
    bodyText: body_text,
    bodyTextTruncated: body_text_truncated,
    actionLink: action_link ?? null,
    attachmentCount: attachment_count,
  }
}
