import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge'
import { EVENTS } from '../aws/env.ts'
import { translated, unavailable } from '../aws/errors.ts'

/** docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html */
const ENTRIES_MAX = 10

export interface BusEvent {
  type: string
  /** RFC 3339. */
  time: string
  detail: object
}

/** An event bus of EventBridge that events are put on. */
export class EventBus {
  readonly #client: EventBridgeClient
  readonly #name: string

  constructor(name: string, client: EventBridgeClient = eventBridgeClient()) {
    this.#name = name
    this.#client = client
  }

  /**
   * Resolves when EventBridge has all of them; when it rejects it may have some. Ten are one
   * request, which may have 256 KB.
   * @throws Problem `unavailable`
   */
  async put(events: BusEvent[]): Promise<void> {
    for (let i = 0; i < events.length; i += ENTRIES_MAX) await this.#put(events.slice(i, i + ENTRIES_MAX))
  }

  async #put(events: BusEvent[]): Promise<void> {
    const Entries: PutEventsRequestEntry[] = events.map(({ type, time, detail }) => ({
      EventBusName: this.#name,
      Source: EVENTS.source,
      DetailType: type,
      Time: new Date(time),
      Detail: JSON.stringify(detail),
    }))
    const sent = this.#client.send(new PutEventsCommand({ Entries })).catch((error) => {
      throw translated(error)
    })
    // An answer of 200 may refuse some of them.
    const refused = (await sent).Entries?.find(({ ErrorCode }) => ErrorCode !== undefined)
    if (refused) throw unavailable(new Error(`${refused.ErrorCode}: ${refused.ErrorMessage}`))
  }
}

function eventBridgeClient(): EventBridgeClient {
  return new EventBridgeClient({
    requestHandler: { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true },
    maxAttempts: 4,
  })
}
