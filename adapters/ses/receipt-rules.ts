import {
  DescribeActiveReceiptRuleSetCommand,
  DescribeReceiptRuleCommand,
  SESClient,
  SetActiveReceiptRuleSetCommand,
  UpdateReceiptRuleCommand,
} from '@aws-sdk/client-ses'

/** Remembers which rule set was active before ours. */
export interface PreviousRuleSet {
  load(): Promise<string | undefined>
  save(name: string): Promise<void>
}

/**
 * The active receipt rule set of the Region: one of them at most, and without one no mail is taken
 * (docs.aws.amazon.com/ses/latest/dg/receiving-email-concepts.html).
 */
export class ReceiptRules {
  readonly #client: SESClient
  readonly #previous: PreviousRuleSet

  constructor(previous: PreviousRuleSet, client: SESClient = new SESClient({})) {
    this.#previous = previous
    this.#client = client
  }

  /**
   * Makes this rule set the active one. The name of the one before is kept first, so that it can be given back
   * whatever happens next.
   *
   * @throws Error that says what to do, when another set is active, is not the one that was given back, and may
   *   not be taken over
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
   * Makes active again what was so before this rule set; none, if none was, or if it was deleted meanwhile.
   * Another one that somebody has made active since stays so.
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

/** Turns one rule on or off. SES refuses mail that no rule is on for, at once and with an answer to the sender. */
export async function setRuleEnabled(
  ruleSet: string,
  rule: string,
  enabled: boolean,
  client: SESClient = new SESClient({}),
): Promise<void> {
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
