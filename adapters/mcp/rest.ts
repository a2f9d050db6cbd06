/**
 * Calls an endpoint of the REST API by its declared path and resolves with the JSON of its answer.
 * The tools use nothing else, so the checks and limits of every other caller apply to them too.
 * @throws Problem when the endpoint refuses
 */
export type Rest = (
  method: 'GET' | 'DELETE',
  /** With `:parameters`. */
  path: string,
  parameters?: Record<string, string>,
  query?: Record<string, string | number | undefined>,
) => Promise<unknown>

/** The fields of an email that the tools read. */
export interface Email {
  id: string
  address: string
  from: { name: string | null; address: string | null }
  subject: string
  body_text: string
  codes: string[]
  action_link: { url: string; kind: string } | null
  links: string[]
  attachment_count: number
  received_at: string
}

/** All mail of a service on one machine, for its operator. */
export const ALL = '/api/emails'
export const INBOX = '/api/emails/:address'
