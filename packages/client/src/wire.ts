/** Made by build/wire.ts of the service's schemas; not to be edited. */

export interface Person {
  name: string | null
  address: string | null
}

export interface ActionLink {
  url: string
  text: string
  kind: 'confirm' | 'sign_in' | 'reset' | 'invite'
}

export interface Email {
  id: string
  address: string
  from: Person
  to: Person[]
  cc: Person[]
  subject: string
  body_text: string
  body_text_truncated: boolean
  codes: string[]
  links: string[]
  action_link: ActionLink | null
  attachment_count: number
  size: number
  received_at: string
  expires_at: string
  read: boolean
}

export interface Attachment {
  id: string
  filename: string | null
  content_type: string
  size: number
  inline: boolean
  content_id: string | null
  sha256: string
  url: string
}

export interface WholeEmail {
  id: string
  address: string
  from: Person
  to: Person[]
  cc: Person[]
  subject: string
  body_text: string
  body_text_truncated: boolean
  codes: string[]
  links: string[]
  action_link: ActionLink | null
  attachment_count: number
  size: number
  received_at: string
  expires_at: string
  read: boolean
  body_html: string | null
  headers: {
    name: string
    value: string
  }[]
  message_id: string | null
  date: string | null
  attachments: Attachment[]
  verdicts: {
    spam: 'pass' | 'fail' | 'gray' | 'processing_failed' | null
    virus: 'pass' | 'fail' | 'gray' | 'processing_failed' | null
    spf: 'pass' | 'fail' | 'gray' | 'processing_failed' | null
    dkim: 'pass' | 'fail' | 'gray' | 'processing_failed' | null
    dmarc: 'pass' | 'fail' | 'gray' | 'processing_failed' | null
  }
  mail_from: string | null
  parse_error?: string
  raw_url: string
}

export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  code: string
  success: false
  request_id: string
}
