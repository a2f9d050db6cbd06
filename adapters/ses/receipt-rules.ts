import {
  DescribeActiveReceiptRuleSetCommand,
  DescribeReceiptRuleCommand,
  SESClient,
  SetActiveReceiptRuleSetCommand,
  UpdateReceiptRuleCommand,
} from '@aws-sdk/client-ses'

/** Stores which rule set was active before this stack's. */
export interface PreviousRuleSet {
  load(): Promise<string | undefined>
  save(name: string): Promise<void>
}

/**
 * The active receipt rule set of the Region. There is at most one, and without one SES accepts no
 * mail (docs.aws.amazon.com/ses/latest/dg/receiving-email-concepts.html).
 */
export class ReceiptRules {
  readonly #client = new SESClient({})
  readonly #previous: PreviousRuleSet

  constructor(previous: PreviousRuleSet) {
    this.#previous = previous
  }

  /**
   * Activates this rule set. The name of the previous one is stored first, so that it can be
   * restored even if the next step fails.
   *
   * @throws Error that says what to do if another set is active that was not restored by this stack
   *   and may not be replaced
   */
  async activate(ruleSet: string, takeOver: boolean): Promise<void> {
    const active = await this.active()
    if (active === ruleSet) return
    if (active !== undefined) {
      if (!takeOver && active !== (await this.#previous.load())) throw new Error(refusal(active))
      await this.#previous.save(active)
    }
    await this.#setActive(ruleSet)
  }

  /**
   * Activates the rule set that was active before this stack's, or deactivates this one if that is
   * not possible (no earlier rule set, or it was deleted). A rule set that another party has
   * activated since stays active.
   */
  async giveBack(ruleSet: string): Promise<void> {
    if ((await this.active()) !== ruleSet) return
    try {
      await this.#setActive(await this.#previous.load())
    } catch (error) {
      if ((error as Error).name !== 'RuleSetDoesNotExistException') throw error
      await this.#setActive(undefined)
    }
  }

  async active(): Promise<string | undefined> {
    const { Metadata } = await this.#client.send(new DescribeActiveReceiptRuleSetCommand({}))
    return Metadata?.Name
  }

  async #setActive(name: string | undefined): Promise<void> {
    await this.#client.send(
      new SetActiveReceiptRuleSetCommand(name === undefined ? {} : { RuleSetName: name }),
    )
  }
}

/**
 * Enables or disables one rule. Without an enabled rule, SES refuses mail at once, so the sender
 * gets an error.
 */
export async function setRuleEnabled(ruleSet: string, rule: string, enabled: boolean): Promise<void> {
  const client = new SESClient({})
  const names = { RuleSetName: ruleSet, RuleName: rule }
  const { Rule } = await client.send(new DescribeReceiptRuleCommand(names))
  if (Rule === undefined) throw new Error(`there is no rule ${rule} in ${ruleSet}`)
  const update = { RuleSetName: ruleSet, Rule: { ...Rule, Enabled: enabled } }
  await client.send(new UpdateReceiptRuleCommand(update))
}

function refusal(active: string): string {
  return (
    `The receipt rule set "${active}" is active in this Region, and its mail would come here instead. ` +
    `Set receiptRuleSet to "${active}" to add a rule to it, takeOver to true to replace it, or inbound to ["smtp"]`
  )
}
