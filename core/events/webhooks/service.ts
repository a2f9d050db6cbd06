import type { ApiKey, Domain } from '../../access/ports.ts'
import type { Clock } from '../../clock.ts'
import { Problem } from '../../errors.ts'
import type { EmailFilter } from '../../inbox/email.ts'
import { WEBHOOKS_PER_KEY } from '../../limits.ts'
import type { WebhookDelivery } from './delivery.ts'
import type { Webhook, WebhookAttempt, WebhookSender, WebhookStore, WebhookTarget } from './ports.ts'

const SECRET_BYTES = 32
const ID_BYTES = 12

export interface WebhookServiceParts {
  webhooks: WebhookStore
  delivery: WebhookDelivery
  sender: WebhookSender
  clock: Clock
  random: (size: number) => Uint8Array
}

/** The webhooks of API keys. */
export class WebhookService {
  readonly #parts: WebhookServiceParts

  constructor(parts: WebhookServiceParts) {
    this.#parts = parts
  }

  /**
   * @param domain that the target is on, opened by its key
   * @throws Problem `invalid_webhook_url`, `webhook_quota_exceeded`
   */
  async create(
    key: ApiKey,
    domain: Domain,
    { url, target, filter }: { url: string; target: WebhookTarget; filter: EmailFilter },
  ): Promise<Webhook> {
    const { webhooks, sender, clock, random } = this.#parts
    await sender.check(url)
    const webhook: Webhook = {
      id: `wh_${Buffer.from(random(ID_BYTES)).toString('hex')}`,
      keyHash: key.hash,
      url,
      secret: `whsec_${Buffer.from(random(SECRET_BYTES)).toString('base64')}`,
      target,
      filter,
      domainKeyHash: domain.keyHash,
      createdAt: clock(),
      expiresAt: key.expiresAt,
    }
    if (await webhooks.add(webhook, WEBHOOKS_PER_KEY)) return webhook
    throw new Problem(
      'webhook_quota_exceeded',
      `A key has ${WEBHOOKS_PER_KEY} webhooks. Delete one of them first.`,
    )
  }

  list(key: ApiKey): Promise<Webhook[]> {
    return this.#parts.webhooks.list(key.hash)
  }

  /** @throws Problem `webhook_not_found`, also for another key's */
  async find(key: ApiKey, id: string): Promise<Webhook> {
    const webhook = await this.#parts.webhooks.find(id)
    if (webhook !== undefined && webhook.keyHash === key.hash) return webhook
    throw new Problem('webhook_not_found', 'This key has no such webhook.')
  }

  /** @throws Problem `webhook_not_found` */
  async remove(key: ApiKey, id: string): Promise<void> {
    const webhook = await this.find(key, id)
    await this.#parts.webhooks.remove(webhook.id)
  }

  /** The latest 100, newest first. @throws Problem `webhook_not_found` */
  async attempts(key: ApiKey, id: string): Promise<WebhookAttempt[]> {
    const webhook = await this.find(key, id)
    return this.#parts.webhooks.attempts(webhook.id)
  }

  /** Sends a ping and tells what came of it. @throws Problem `webhook_not_found` */
  async test(key: ApiKey, id: string): Promise<WebhookAttempt> {
    const { webhooks, delivery, random } = this.#parts
    const webhook = await this.find(key, id)
    const attempt = await delivery.ping(webhook, `msg_${Buffer.from(random(ID_BYTES)).toString('hex')}`)
    await webhooks.record(webhook.id, attempt)
    return attempt
  }
}
