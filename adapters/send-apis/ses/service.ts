import { randomUUID } from 'node:crypto'
import { inParallel } from '../../../core/parallel.ts'
import { type Mailbox, parseMailbox } from '../mailboxes.ts'
import { type Attachment, composed, copiesAtOnce, type Header, type Parts } from '../message.ts'
import type { ProviderTools } from '../provider.ts'
import { RawMessage } from '../raw-message.ts'
import type { TemplateData } from '../render.ts'
import { SendError } from '../send-error.ts'
import { SesIdentities } from './identities.ts'
import { renderParts, SesTemplates, type TemplateParts } from './templates.ts'

const MESSAGE_ID_HOST = 'email.amazonses.com'
/** docs.aws.amazon.com/ses/latest/dg/quotas.html */
const DESTINATIONS_MAX = 50

export interface Destination {
  to: string[]
  cc: string[]
  bcc: string[]
}

/** The properties of a mail besides its content, for both versions of the API. */
export interface SesMail {
  from: string
  returnPath?: string | undefined
  destination: Destination
  replyTo: string[]
  tags: { name: string; value: string }[]
  configurationSet?: string | undefined
  headers: Header[]
  attachments: Attachment[]
}

export interface BulkResult {
  messageId?: string
  error?: SendError
}

/** The operations of Amazon SES that both versions of the API share. */
export class SesService {
  readonly templates: SesTemplates
  readonly identities = new SesIdentities()
  readonly #outbox: ProviderTools['outbox']

  constructor({ outbox, templates, clock }: ProviderTools) {
    this.templates = new SesTemplates(templates, clock)
    this.#outbox = outbox
  }

  /** Sends a mail that is built from its parts and returns the message id. @throws SendError */
  send(mail: SesMail, parts: Parts, client: string): Promise<string> {
    return this.#send(mail, client, parts)
  }

  /** The same with a template. @throws SendError */
  sendTemplated(mail: SesMail, template: TemplateParts, data: TemplateData, client: string): Promise<string> {
    const parts = { ...template, subject: '' }
    return this.#send(mail, client, parts, () => renderParts(template, data))
  }

  async #send(mail: SesMail, client: string, parts: Parts, finish?: () => Parts): Promise<string> {
    const { to, cc, bcc } = mail.destination
    checkRecipients([...to, ...cc, ...bcc])
    const id = newMessageId()
    const message = composed(
      {
        from: parseMailbox(mail.from),
        returnPath: mail.returnPath && parseMailbox(mail.returnPath).address,
        to: mailboxes(to),
        cc: mailboxes(cc),
        bcc: mailboxes(bcc),
        replyTo: mailboxes(mail.replyTo),
        ...parts,
        headers: [...mail.headers, ...sesHeaders(mail)],
        attachments: mail.attachments,
      },
      id,
      `<${id}@${MESSAGE_ID_HOST}>`,
      finish,
    )
    await this.#outbox.send(message, client)
    return id
  }

  /**
   * Sends a raw message to these recipients, or to those of its header if the list is empty.
   * @throws SendError
   */
  async sendRaw(
    bytes: Uint8Array,
    options: { mailFrom: string | undefined; recipients: string[] },
    client: string,
  ): Promise<string> {
    const raw = new RawMessage(bytes)
    const given = options.recipients.map((text) => parseMailbox(text).address)
    const recipients = given.length > 0 ? given : raw.recipients
    checkRecipients(recipients)
    const mailFrom = options.mailFrom === undefined ? raw.sender : parseMailbox(options.mailFrom).address
    const id = newMessageId()
    await this.#outbox.send(raw.prepare(id, mailFrom, recipients), client)
    return id
  }

  /** Sends one mail for each entry; a failed entry does not stop the others. */
  async sendBulk(
    entries: { mail: SesMail; data: TemplateData }[],
    template: TemplateParts,
    client: string,
  ): Promise<BulkResult[]> {
    const attachments = entries[0]?.mail.attachments ?? []
    const atOnce = copiesAtOnce(entries.length, { ...template, attachments })
    return inParallel(entries, atOnce, async ({ mail, data }) => {
      try {
        return { messageId: await this.sendTemplated(mail, template, data, client) }
      } catch (error) {
        if (error instanceof SendError) return { error }
        throw error
      }
    })
  }
}

/** Checks the number of messages of a bulk request. @throws SendError `invalid` */
export function checkEntries(entries: readonly unknown[]): void {
  if (entries.length > DESTINATIONS_MAX) {
    throw new SendError('invalid', `Number of destinations exceeds ${DESTINATIONS_MAX}.`)
  }
}

function newMessageId(): string {
  return `0100${randomUUID().replaceAll('-', '').slice(0, 12)}-${randomUUID()}-000000`
}

function mailboxes(texts: string[]): Mailbox[] {
  return texts.map(parseMailbox)
}

/** @throws SendError `invalid` */
function checkRecipients(recipients: string[]): void {
  if (recipients.length > DESTINATIONS_MAX) {
    throw new SendError('invalid', `Recipient count exceeds ${DESTINATIONS_MAX}.`)
  }
}

/** Tags and the configuration set in the fields by which raw messages carry them. */
function sesHeaders({ tags, configurationSet }: SesMail): Header[] {
  const value = tags.map((tag) => `${tag.name}=${tag.value}`).join(', ')
  return [
    ...(tags.length > 0 ? [{ name: 'X-SES-MESSAGE-TAGS', value }] : []),
    ...(configurationSet ? [{ name: 'X-SES-CONFIGURATION-SET', value: configurationSet }] : []),
  ]
}
