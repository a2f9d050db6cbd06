import {
  DescribeActiveReceiptRuleSetCommand,
  SESClient,
  SetActiveReceiptRuleSetCommand,
} from '@aws-sdk/client-ses'

/**
 * The active receipt rule set of the Region: one of them at most, and without one no mail is taken
 * (docs.aws.amazon.com/ses/latest/dg/receiving-email-concepts.html).
 */
export class ReceiptRules {
  readonly #client: SESClient

  constructor(client: SESClient = new SESClient({})) {
    this.#client = client
  }

  async activate(ruleSet: string): Promise<void> {
    await this.#client.send(new SetActiveReceiptRuleSetCommand({ RuleSetName: ruleSet }))
  }

  /** Leaves another rule set alone: somebody has made that the active one since. */
  async deactivate(ruleSet: string): Promise<void> {
    const active = await this.#client.send(new DescribeActiveReceiptRuleSetCommand({}))
    if (active.Metadata?.Name !== ruleSet) return
    await this.#client.send(new SetActiveReceiptRuleSetCommand({}))
  }
}
