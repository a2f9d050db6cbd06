import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import type { Clock } from '../../core/clock.ts'
import type {
  Webhook,
  WebhookAttempt,
  WebhookStore,
  WebhookTarget,
} from '../../core/events/webhooks/ports.ts'
import { WEBHOOK_ATTEMPTS_KEPT } from '../../core/limits.ts'
import { type Item, n, number, s, text, ttl } from './attributes.ts'
import { conflictPause } from './conflicts.ts'
import type { Table } from './table.ts'

/** A list of webhook ids: of one key, or of one topic. */
interface Entry {
  id: string
  expiresAt: number
}

/**
 * Webhooks in the keys table: one item each, and lists of their ids by key and by topic. One
 * transaction changes a webhook and its lists, each list only if it has not changed since it was
 * read.
 */
export class DynamoWebhooks implements WebhookStore {
  readonly #table: Table
  readonly #clock: Clock

  constructor(table: Table, clock: Clock) {
    this.#table = table
    this.#clock = clock
  }

  async add(webhook: Webhook, limit: number): Promise<boolean> {
    const entry = { id: webhook.id, expiresAt: webhook.expiresAt }
    for (let tries = 1; ; tries++) {
      const now = this.#clock()
      const [own, watching] = await this.#lists(webhook)
      const known = own.entries.filter(({ expiresAt }) => expiresAt > now)
      if (known.length >= limit) return false
      const others = watching.entries.filter(({ expiresAt }) => expiresAt > now)
      const written = await this.#table.transact([
        this.#table.putting({
          ...webhookKey(webhook.id),
          webhook: s(JSON.stringify(webhook)),
          expires_at: n(webhook.expiresAt),
          ttl: ttl(webhook.expiresAt),
        }),
        this.#replacing(own, [...known, entry]),
        this.#replacing(watching, [...others, entry]),
      ])
      if (written.done) return true
      if (written.conflict !== undefined) await conflictPause(tries, written.conflict)
    }
  }

  async find(id: string): Promise<Webhook | undefined> {
    const item = await this.#table.get(webhookKey(id))
    return item === undefined ? undefined : this.#alive([item])[0]
  }

  async list(keyHash: string): Promise<Webhook[]> {
    const { entries } = listOf(ownKey(keyHash), await this.#table.get(ownKey(keyHash)))
    const found = await this.#all(entries)
    return found.sort((a, b) => a.createdAt - b.createdAt)
  }

  /** Returns the webhooks for any of these addresses and domains. */
  async watching(topics: string[]): Promise<Webhook[]> {
    const lists = await this.#table.getAll(topics.map(topicKey))
    return this.#all(lists.flatMap((item) => listOf({}, item).entries))
  }

  async remove(id: string): Promise<void> {
    for (let tries = 1; ; tries++) {
      const item = await this.#table.get(webhookKey(id))
      if (item === undefined) return
      const lists = await this.#lists(webhookIn(item))
      const written = await this.#table.transact([
        this.#table.deleting(webhookKey(id)),
        ...lists.map((list) =>
          this.#replacing(
            list,
            list.entries.filter((entry) => entry.id !== id),
          ),
        ),
      ])
      if (written.done) return
      if (written.conflict !== undefined) await conflictPause(tries, written.conflict)
    }
  }

  async activate(id: string): Promise<void> {
    const item = await this.#table.get(webhookKey(id))
    if (item === undefined) return
    const live = JSON.stringify({ ...webhookIn(item), status: 'live' })
    await this.#table.update(webhookKey(id), 'SET #webhook = :live', {
      condition: 'attribute_exists(#pk)',
      values: { ':live': s(live) },
    })
  }

  async attempts(id: string): Promise<WebhookAttempt[]> {
    const item = await this.#table.get(webhookKey(id))
    if (item === undefined) return []
    const count = item.attempts === undefined ? 0 : number(item, 'attempts')
    const slots = Array.from({ length: Math.min(count, WEBHOOK_ATTEMPTS_KEPT) }, (_, i) =>
      attemptKey(id, count - i),
    )
    const kept = await this.#table.getAll(slots)
    return kept
      .sort((a, b) => number(b, 'n') - number(a, 'n'))
      .map((one) => JSON.parse(text(one, 'attempt')) as WebhookAttempt)
  }

  /**
   * Two small writes, however many attempts the webhook has: each attempt overwrites the one 100
   * before it.
   */
  async record(id: string, attempt: WebhookAttempt): Promise<void> {
    const counted = await this.#table.update(webhookKey(id), 'ADD #attempts :one', {
      condition: 'attribute_exists(#pk)',
      values: { ':one': n(1) },
    })
    if (!counted.done) return
    const count = number(counted.item!, 'attempts')
    await this.#table.put({
      ...attemptKey(id, count),
      n: n(count),
      attempt: s(JSON.stringify(attempt)),
      ttl: counted.item!.ttl!,
    })
  }

  #lists({ keyHash, target }: Webhook): Promise<[List, List]> {
    const read = async (key: Item) => listOf(key, await this.#table.get(key))
    return Promise.all([read(ownKey(keyHash)), read(topicKey(topicOf(target)))])
  }

  #replacing({ key, known }: List, entries: Entry[]): TransactWriteItem {
    const condition =
      known === undefined
        ? { condition: 'attribute_not_exists(#pk)' }
        : { condition: '#entries = :known', values: { ':known': known.entries! } }
    const last = Math.max(0, ...entries.map(({ expiresAt }) => expiresAt))
    return this.#table.putting({ ...key, entries: s(JSON.stringify(entries)), ttl: ttl(last) }, condition)
  }

  async #all(entries: Entry[]): Promise<Webhook[]> {
    const now = this.#clock()
    const ids = [...new Set(entries.filter(({ expiresAt }) => expiresAt > now).map(({ id }) => id))]
    return this.#alive(await this.#table.getAll(ids.map(webhookKey)))
  }

  #alive(items: Item[]): Webhook[] {
    const now = this.#clock()
    return items.filter((item) => number(item, 'expires_at') > now).map(webhookIn)
  }
}

/** A list, with its item as it was read. */
interface List {
  key: Item
  known: Item | undefined
  entries: Entry[]
}

function listOf(key: Item, known: Item | undefined): List {
  return { key, known, entries: known === undefined ? [] : (JSON.parse(text(known, 'entries')) as Entry[]) }
}

function topicOf(target: WebhookTarget): string {
  return 'address' in target ? target.address : target.domain
}

function webhookIn(item: Item): Webhook {
  return JSON.parse(text(item, 'webhook')) as Webhook
}

function webhookKey(id: string): Item {
  return { pk: s(`webhook#${id}`) }
}

function ownKey(keyHash: string): Item {
  return { pk: s(`webhooks#${keyHash}`) }
}

function topicKey(topic: string): Item {
  return { pk: s(`watch#${topic}`) }
}

function attemptKey(id: string, count: number): Item {
  return { pk: s(`webhook-attempt#${id}#${count % WEBHOOK_ATTEMPTS_KEPT}`) }
}
