import type { InferOutput } from 'valibot'
import type * as wire from '../../adapters/http/wire/webhooks.ts'
import { FILTER_NAMES, type FilterName } from '../../core/inbox/filter.ts'
import { Answers } from '../lib/answers.ts'
import { ask, type RequestOptions } from '../lib/api.ts'
import { credentials } from '../lib/credentials.ts'
import { type ApiProblem, asProblem } from '../lib/problem.ts'
import { Store } from '../lib/store.ts'

export type Webhook = InferOutput<typeof wire.Webhook>
export type Attempt = InferOutput<typeof wire.WebhookAttempt>

export interface NewWebhook extends Record<FilterName, string> {
  url: string
  /** An address, or a domain. */
  target: string
  domainKey: string
}

/** The webhooks of this browser's API key. */
export class WebhookStore extends Store {
  webhooks: Webhook[] | undefined
  problem: ApiProblem | undefined
  /** The secret of the webhook that was just created; it cannot be shown again. */
  created: { id: string; secret: string } | undefined
  readonly deliveries = new Map<string, Attempt[]>()
  readonly #answers = new Map<string, Answers>()

  async load(): Promise<void> {
    await this.#read<{ webhooks: Webhook[] }>('/api/webhooks', ({ webhooks }) => {
      this.webhooks = webhooks.reverse()
    })
  }

  /** Creates a webhook. Returns whether that worked. */
  async create({ url, target, domainKey, ...conditions }: NewWebhook): Promise<boolean> {
    const given = FILTER_NAMES.filter((name) => conditions[name].trim() !== '')
    const filter = Object.fromEntries(given.map((name) => [name, conditions[name]]))
    const body = { url, [target.includes('@') ? 'address' : 'domain']: target, ...filter }
    const options = { method: 'POST', body, ...(domainKey === '' ? {} : { domainKey }) } as const
    return this.#try(async () => {
      const { id, secret } = await this.#ask<{ id: string; secret: string }>('/api/webhooks', options)
      this.created = { id, secret }
      await this.load()
    })
  }

  async remove(id: string): Promise<void> {
    const isRemoved = await this.#try(() => this.#ask(`/api/webhooks/${id}`, { method: 'DELETE' }))
    // Reading the list would hide why it failed.
    if (isRemoved) await this.load()
  }

  /** Sends a signed ping to the URL of the webhook, and reads its deliveries again. */
  async ping(id: string): Promise<void> {
    const isSent = await this.#try(() => this.#ask(`/api/webhooks/${id}/test`, { method: 'POST' }))
    if (isSent) await this.loadDeliveries(id)
  }

  async loadDeliveries(id: string): Promise<void> {
    await this.#read<{ deliveries: Attempt[] }>(`/api/webhooks/${id}/deliveries`, ({ deliveries }) => {
      this.deliveries.set(id, deliveries)
    })
  }

  dismiss(): void {
    this.problem = undefined
    this.changed()
  }

  /** Reads a list. An answer, or a failure, that a later answer overtook changes nothing. */
  async #read<T>(path: string, set: (answer: T) => void): Promise<void> {
    const answers = this.#answers.get(path) ?? new Answers()
    this.#answers.set(path, answers)
    const isOvertaken = answers.next()
    await this.#try(async () => {
      try {
        const answer = await this.#ask<T>(path)
        if (!isOvertaken()) set(answer)
      } catch (error) {
        if (!isOvertaken()) throw error
      }
    })
  }

  #ask<T>(path: string, options: RequestOptions = {}): Promise<T> {
    return ask<T>(path, { ...options, apiKey: credentials.apiKey })
  }

  async #try(work: () => Promise<unknown>): Promise<boolean> {
    this.problem = undefined
    try {
      await work()
    } catch (error) {
      this.problem = asProblem(error)
    }
    this.changed()
    return this.problem === undefined
  }
}
