import { EventBus, type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { ENV, EVENTS } from '../../adapters/aws/env.ts'
import { localName } from '../names.ts'

/** Maximum length of an event bus name, in characters. */
const NAME_LENGTH = 256

/**
 * Events of stored emails: lambdas/ingest.ts → an event bus → the targets of `onReceived`. The
 * stack has its own bus, so that the events of two stages do not mix.
 */
export class EmailEvents extends Construct {
  readonly #bus: EventBus
  #rules = 0

  constructor(scope: Construct, id: string, ingest: LambdaFunction) {
    super(scope, id)
    this.#bus = new EventBus(this, 'Bus', { eventBusName: localName(this, NAME_LENGTH) })
    this.#bus.grantPutEventsTo(ingest)
    ingest.addEnvironment(ENV.eventBus, this.#bus.eventBusName)
  }

  /**
   * Returns a rule of this target alone: narrowing it does not affect other targets, and a rule has
   * at most five.
   */
  ruleFor(target: IRuleTarget): Rule {
    return new Rule(this, `Rule${++this.#rules}`, {
      description: 'Sends an event for each received email',
      eventBus: this.#bus,
      eventPattern: { source: [EVENTS.source], detailType: [EVENTS.received] },
      targets: [target],
    })
  }
}
