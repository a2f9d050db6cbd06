import { EVENTS } from '../adapters/aws/env.ts'
import { EventBus } from '../adapters/eventbridge/event-bus.ts'
import { summary } from '../adapters/http/wire/email.ts'
import { domainPart } from '../core/address.ts'
import { fitted } from '../core/events/webhooks/payload.ts'
import type { Email } from '../core/inbox/email.ts'

/** Events of received emails, for the targets of `Mayfly.onReceived`. */
export class ReceivedEvents {
  readonly #bus: EventBus

  constructor(bus: string) {
    this.#bus = new EventBus(bus)
  }

  /**
   * Puts an event for each email on the bus, with the content of a webhook: under 20 KB, so that
   * ten fit into one request. Emails that are handled again are put again.
   */
  put(emails: Email[]): Promise<void> {
    return this.#bus.put(
      emails.map((email) => ({
        type: EVENTS.received,
        time: new Date(email.receivedAt).toISOString(),
        detail: { domain: domainPart(email.address), email: summary(fitted(email)) },
      })),
    )
  }
}
