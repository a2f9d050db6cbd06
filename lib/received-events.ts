import { EventBus, type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { ENV, EVENTS } from '../adapters/aws/env.ts'
import { localName } from './names.ts'

/** Of EventBridge, in characters. */
const NAME_LENGTH = 256

/**
 * Events of received emails: lambdas/ingest.ts → an event bus of its own → the targets of whoever deploys this. Of its
 * own, so that the events of two stages do not mix.
 */
export class ReceivedEvents extends Construct {
  readonly #bus: EventBus
  #rules = 0

  constructor(scope: Construct, id: string, ingest: LambdaFunction) {
    super(scope, id)
    this.#bus = new EventBus(this, 'Bus', { eventBusName: localName(this, NAME_LENGTH) })
    this.#bus.grantPutEventsTo(ingest)
    ingest.addEnvironment(ENV.eventBus, this.#bus.eventBusName)
  }

  /** A rule for each target, since one has five at most and is narrowed for all of them. */
  tell(target: IRuleTarget): Rule {
    return new Rule(this, `Rule${++this.#rules}`, {
      description: 'Tells of received emails',
      eventBus: this.#bus,
      eventPattern: { source: [EVENTS.source], detailType: [EVENTS.received] },
      targets: [target],
    })
  }
}
