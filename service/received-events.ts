/** Events of received emails, for whoever deploys this. Loaded only where somebody wants them. */
import { EVENTS } from '../adapters/aws/env.ts'
import { EventBus } from '../adapters/eventbridge/event-bus.ts'
import { summary } from '../adapters/http/wire/email.ts'
import { domainPart } from '../core/address.ts'
import { fitted } from '../core/events/webhooks/payload.ts'
import type { Email } from '../core/inbox/email.ts'

/**
 * Puts an event for each of these emails on the bus, with what a webhook is told of them: under 20 KB, so that ten
 * fit into one request. Handled again it puts them there again.
 */
export class ReceivedEvents {
  readonly #bus: EventBus

  constructor(bus: string) {
    this.#bus = new EventBus(bus)
  }

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
