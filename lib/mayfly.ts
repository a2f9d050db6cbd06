import { existsSync } from 'node:fs'
import { Aws, CfnRule, Fn, Stack } from 'aws-cdk-lib'
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront'
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch'
import type { Table } from 'aws-cdk-lib/aws-dynamodb'
import type { IRuleTarget, Rule } from 'aws-cdk-lib/aws-events'
import type { IGrantable } from 'aws-cdk-lib/aws-iam'
import type { Bucket } from 'aws-cdk-lib/aws-s3'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { Edge } from './api/edge.ts'
import { RestApi } from './api/rest-api.ts'
import { Verification } from './api/verification.ts'
import { Webhooks } from './api/webhooks.ts'
import { addCommon, type Common, type ServiceCommon, withEnvironment } from './common.ts'
import { resolveConfig } from './config/resolve.ts'
import type { Config } from './config/resolved.ts'
import { grantStorage } from './grants.ts'
import { HandlerFunction, type HandlerSettings } from './handler-function.ts'
import { addLive, addNetwork, type TaskNetwork } from './live/live.ts'
import { EmailEvents } from './mail-in/email-events.ts'
import { type DnsRecord, Identities } from './mail-in/identities.ts'
import { Inbound } from './mail-in/inbound.ts'
import { ReceiptSwitch } from './mail-in/receipt-switch.ts'
import { SmtpService } from './mail-in/smtp-service.ts'
import { Canary } from './operations/canary.ts'
import { Emptier } from './operations/emptier.ts'
import { Operations } from './operations/operations.ts'
import { Setup } from './operations/setup.ts'
import { UpgradeGuard } from './operations/upgrade-guard.ts'
import type { MayflyProps } from './props.ts'
import { mxHost, RECEIVING_REGIONS } from './regions.ts'
import type { Storage } from './storage.ts'

/** Folders of the built programs and pages. */
export interface Artifacts {
  /** Folder of the bundles that lib/bundling creates. */
  bundles: string
  /** Folder of the built pages; if it is unset or does not exist, the service has no pages. */
  pages?: string | undefined
}

/** The whole service: mail in, REST and Server-Sent Events out, under one base URL. */
export class Mayfly extends Construct {
  /** URL of the API and the pages: `https://…`, without a final slash. */
  readonly baseUrl: string
  /** The host that the MX record of every domain of this service must name. */
  readonly mxHost: string
  /** The DNS records that the operator has to set by hand: those of domains without a zone. */
  readonly dnsRecords: DnsRecord[]
  /** Emails and domains. */
  readonly table: Table
  /** Messages and their parts. */
  readonly bucket: Bucket
  readonly distribution: Distribution
  /** The DNS record that `host` needs if it has no zone. */
  readonly hostRecord: string | undefined
  /** The DNS record that `smtp.host` needs if it has no zone. */
  readonly smtpHostRecord: string | undefined
  /** Receives every alarm. */
  readonly alarmTopic: ITopic
  readonly #storage: Storage
  readonly #inbound: Inbound
  readonly #setup: Setup
  #emailEvents: EmailEvents | undefined

  /** @throws ConfigError with all faults of the props together */
  constructor(scope: Construct, id: string, props: MayflyProps, { bundles, pages }: Artifacts) {
    super(scope, id)
    const common = addCommon(this, resolveConfig(props, Stack.of(this).region), bundles)
    const { config, storage, handlers, usesSes, name } = common
    if (usesSes) this.#requireReceivingRegion()
    const network = addNetwork(this, config)
    const { inbound, smtp, webhooks } = this.#mail(common, network)
    this.smtpHostRecord = smtp?.hostRecord
    this.mxHost = config.inbound[0] === 'smtp' && smtp !== undefined ? smtp.host : mxHost(Aws.REGION)
    const identities = { domains: config.domains, usesSes, mxHost: this.mxHost, owner: name }
    this.dnsRecords = new Identities(this, 'Identities', identities).wanted
    const service = withEnvironment(common, this.mxHost)
    const { verification, restApi } = this.#api(service, webhooks)
    const { target, ...live } = addLive(this, service, network)
    const edge = new Edge(this, 'Edge', { ...service, restApi, live: target, pages: pagesOf(common, pages) })
    this.baseUrl = edge.baseUrl
    this.distribution = edge.distribution
    this.hostRecord = hostRecordOf(config, edge)
    this.table = storage.mailTable
    this.bucket = storage.bucket
    this.#storage = storage
    this.#inbound = inbound
    const receiptSwitch = this.#receiptSwitch(common, inbound)
    const canary = this.#canary(common)
    const parts = { storage, inbound, webhooks, restApi, smtp, verification, canary, name }
    const watched = {
      ...parts,
      ...live,
      functions: this.#functions(),
      distribution: edge.distribution,
      receiptSwitch,
      config,
    }
    const operations = new Operations(this, 'Operations', watched)
    this.alarmTopic = operations.topic
    this.#setup = this.#finish(service, inbound)
    operations.addGlobalAlarms(new Construct(this, 'GlobalAlarms'))
    this.#guard(handlers)
  }

  /** Returns the number of received mails, for all domains. */
  metricReceived(options?: MetricOptions): Metric {
    return this.#inbound.queue.metricNumberOfMessagesSent(options)
  }

  /** Allows reading all emails and their messages, including those of private domains. */
  grantRead(grantee: IGrantable & Construct): void {
    grantStorage(grantee, this.#storage, {
      mailTable: ['GetItem', 'BatchGetItem', 'Query'],
      read: ['raw', 'parts'],
    })
  }

  /**
   * Sends an event to a target for every stored email, including those of private domains, at least
   * once. A target is a function, a queue or any other target of EventBridge
   * (aws-cdk-lib/aws-events-targets). The event has the source `mayfly`, the type `email.received`,
   * and in its detail `domain` and `email`, as in webhooks; `email.id` is the same in a repeated
   * event. EventBridge retries for a day, then the event is lost unless the target has a
   * dead-letter queue.
   *
   * @example
   * const rule = mail.onReceived(new SqsQueue(queue))
   * rule.addEventPattern({ detail: { domain: ['mail.example.com'] } })
   *
   * @returns the rule, which `addEventPattern` narrows
   */
  onReceived(target: IRuleTarget): Rule {
    this.#emailEvents ??= new EmailEvents(this, 'ReceivedEvents', this.#inbound.ingest)
    const rule = this.#emailEvents.ruleFor(target)
    // Mail must not arrive before the rule exists: an event without a rule is lost.
    this.#setup.node.addDependency(rule)
    return rule
  }

  /** Mail in: the queue, its function, and the programs that fill it. */
  #mail(common: Common, network: TaskNetwork | undefined) {
    const { config, storage, handlers, operatorKeys } = common
    const { environment } = storage
    const inbound = new Inbound(this, 'Inbound', {
      storage,
      handlers,
      environment,
      config,
      name: common.name,
    })
    const smtp =
      config.inbound.includes('smtp') && network !== undefined
        ? new SmtpService(this, 'Smtp', { ...common, ...network, queue: inbound.queue })
        : undefined
    const jobs = { storage, handlers, environment, operatorKeys, inbound }
    return { inbound, smtp, webhooks: new Webhooks(this, 'Webhooks', jobs) }
  }

  /** Requests: the REST API and the verification of domains. */
  #api(service: ServiceCommon, webhooks: Webhooks) {
    const { config, name } = service
    // A service whose MX records name its own SMTP program asks SES for nothing.
    const usesSes = config.inbound[0] === 'ses'
    const verification = new Verification(this, 'Verification', { ...service, usesSes, owner: name })
    const restApi = new RestApi(this, 'Rest', {
      ...service,
      throttle: config.throttle,
      reservedConcurrency: config.reservedConcurrency.api,
      verification: verification.endpoint,
    })
    // Creating a webhook queues its first ping.
    webhooks.allowJobsOf(restApi.function)
    return { verification, restApi }
  }

  #canary({ config: { canary: domain }, handlers }: Common): Canary | undefined {
    if (domain === undefined) return undefined
    return new Canary(this, 'Canary', { handlers, domain, baseUrl: this.baseUrl })
  }

  #receiptSwitch({ config, handlers }: Common, { receiptRules }: Inbound): ReceiptSwitch | undefined {
    if (!config.inboundLimit.stop || receiptRules === undefined) return undefined
    return new ReceiptSwitch(this, 'Receiving', handlers, receiptRules)
  }

  /** Functions whose throttling raises an alarm: all that run between deployments. */
  #functions() {
    return this.node
      .findAll()
      .filter((construct) => construct instanceof HandlerFunction)
      .filter(({ node }) => !(node.scope instanceof Emptier))
      .map((handler) => handler.function)
  }

  #finish({ storage, handlers, config, environment }: ServiceCommon, { receiptRules }: Inbound): Setup {
    return new Setup(this, 'Setup', {
      storage,
      handlers,
      environment,
      domains: config.domains.map(({ name }) => name),
      ruleSet: config.receiptRuleSet === undefined ? receiptRules?.ruleSetName : undefined,
      takeOver: config.takeOver,
      after: [...this.node.children],
    })
  }

  #guard(handlers: HandlerSettings): void {
    const parts = [...this.node.children]
    const guard = new UpgradeGuard(this, 'UpgradeGuard', this, handlers)
    for (const part of parts) guard.protect(part)
  }

  /**
   * Synthesis may not know the Region; then this rule of the template refuses Regions in which SES
   * cannot receive.
   */
  #requireReceivingRegion(): void {
    new CfnRule(this, 'ReceivingRegion', {
      assertions: [
        {
          assert: Fn.conditionContains(RECEIVING_REGIONS, Aws.REGION),
          assertDescription: `Amazon SES receives mail in these Regions only: ${RECEIVING_REGIONS.join(', ')}`,
        },
      ],
    })
  }
}

function pagesOf({ storage, emptier, config }: Common, folder: string | undefined) {
  if (folder === undefined || !existsSync(folder)) return undefined
  const downloads = `https://${storage.bucket.bucketRegionalDomainName}`
  return { folder, downloads, emptier, logRetentionDays: config.logRetentionDays }
}

function hostRecordOf({ host }: Config, { distribution }: Edge): string | undefined {
  if (host === undefined || host.zone !== undefined) return undefined
  return `${host.name} CNAME ${distribution.distributionDomainName}`
}
