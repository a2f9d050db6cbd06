import { existsSync } from 'node:fs'
import { Aws, CfnRule, Fn, Stack, Validations } from 'aws-cdk-lib'
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront'
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch'
import type { Table } from 'aws-cdk-lib/aws-dynamodb'
import type { IRuleTarget, Rule } from 'aws-cdk-lib/aws-events'
import type { IGrantable } from 'aws-cdk-lib/aws-iam'
import type { Bucket } from 'aws-cdk-lib/aws-s3'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { ENV, type MailProviderName } from '../adapters/aws/env.ts'
import { Edge } from './edge.ts'
import { Emptier } from './emptier.ts'
import { grantStorage } from './grants.ts'
import { type DnsRecord, Identities } from './identities.ts'
import { Inbound } from './inbound.ts'
import { localName } from './names.ts'
import { Network } from './network.ts'
import { Operations } from './operations.ts'
import { type MayflyProps, type Settled, settle } from './props.ts'
import { ReceivedEvents } from './received-events.ts'
import { Receiving } from './receiving.ts'
import { mxHost, RECEIVING_REGIONS } from './regions.ts'
import { RestApi } from './rest-api.ts'
import { SdkCalls } from './sdk-calls.ts'
import { Setup } from './setup.ts'
import { SmtpService } from './smtp-service.ts'
import { SseService } from './sse-service.ts'
import { Storage } from './storage.ts'
import { Valkey } from './valkey.ts'
import { Verification } from './verification.ts'
import { Webhooks } from './webhooks.ts'

/** Where what is deployed was built. */
export interface Artifacts {
  /** Folder of the bundles that lib/bundling makes. */
  bundles: string
  /** Folder of the built pages; without it, or when it is not there, the service has no pages. */
  pages?: string | undefined
}

/** The whole service: mail in, REST and Server-Sent Events out, under one base URL. */
export class Mayfly extends Construct {
  /** Where the API and the pages are: `https://…`, without a final slash. */
  readonly baseUrl: string
  /** What the MX record of every domain whose mail is to come here names. */
  readonly mxHost: string
  /** The records that are still to be set by hand: those of domains without a zone. */
  readonly dnsRecords: DnsRecord[]
  /** Emails and domains. */
  readonly table: Table
  /** Messages and their parts. */
  readonly bucket: Bucket
  readonly distribution: Distribution
  /** The DNS record that `host` still wants, where it has no zone. */
  readonly hostRecord: string | undefined
  /** The DNS record that `smtp.host` still wants, where it has no zone. */
  readonly smtpHostRecord: string | undefined
  /** Where every alarm goes. */
  readonly alarmTopic: ITopic
  readonly #storage: Storage
  readonly #inbound: Inbound
  readonly #setup: Setup
  #receivedEvents: ReceivedEvents | undefined

  /** @throws ConfigError with every fault of the props at once */
  constructor(scope: Construct, id: string, props: MayflyProps, { bundles, pages }: Artifacts) {
    super(scope, id)
    const config = settle(props, Stack.of(this).region)
    const usesSes = config.inbound.includes('ses')
    if (usesSes) this.#requireReceivingRegion()
    const handlers = { bundles, logRetentionDays: config.logRetentionDays }
    const name = localName(this, 100)
    const domains = config.domains.map((domain) => domain.name)
    const originSecret = this.#originSecret()
    const emptier = new Emptier(this, 'Emptier', handlers)
    const storage = new Storage(this, 'Storage', { ...config, emptier })
    this.#storage = storage
    const calls = new SdkCalls(this, 'Calls')
    const network = new Network(this, 'Network', {
      availabilityZones: config.availabilityZones,
      calls,
      spot: config.tasks.spot,
    })
    const inbound = new Inbound(this, 'Inbound', {
      storage,
      handlers,
      environment: storage.environment,
      config,
    })
    this.#inbound = inbound
    const smtp = config.inbound.includes('smtp')
      ? new SmtpService(this, 'Smtp', { storage, network, queue: inbound.queue, config, bundles })
      : undefined
    this.smtpHostRecord = smtp?.hostRecord
    this.mxHost = config.inbound[0] === 'smtp' ? smtp!.host : mxHost(Aws.REGION)
    const domainService = {
      ...storage.environment,
      [ENV.mxHost]: this.mxHost,
      [ENV.mailProvider]: providerOf(config),
      [ENV.domains]: domains.join(','),
      ...(config.dnsServer === undefined ? {} : { [ENV.dnsServer]: config.dnsServer }),
    }

    const { receiptRules } = inbound
    this.dnsRecords = new Identities(this, 'Identities', {
      domains: config.domains,
      usesSes,
      mxHost: this.mxHost,
    }).wanted
    const common = { storage, handlers, usesSes }
    new Webhooks(this, 'Webhooks', { ...common, environment: storage.environment, inbound })
    const verification = new Verification(this, 'Verification', { ...common, environment: domainService })
    const restApi = new RestApi(this, 'Rest', {
      ...common,
      environment: domainService,
      originSecret,
      throttle: config.throttle,
    })
    const valkey =
      config.fanOut === 'valkey' ? new Valkey(this, 'Valkey', { storage, network, handlers }) : undefined
    const sseService = new SseService(this, 'Sse', {
      valkey,
      name,
      storage,
      network,
      originSecret,
      prefixList: calls.edgePrefixList(),
      environment: { ...domainService, [ENV.stackName]: name },
      config,
      bundles,
      image: config.image,
    })
    const edge = new Edge(this, 'Edge', {
      restApi,
      sseService,
      network,
      originSecret,
      host: config.host,
      webAcl: config.webAcl,
      pages:
        pages !== undefined && existsSync(pages)
          ? {
              folder: pages,
              downloads: `https://${storage.bucket.bucketRegionalDomainName}`,
              emptier,
              logRetentionDays: config.logRetentionDays,
            }
          : undefined,
    })
    this.baseUrl = edge.baseUrl
    this.distribution = edge.distribution
    if (config.host !== undefined && config.host.zone === undefined)
      this.hostRecord = `${config.host.name} CNAME ${edge.distribution.distributionDomainName}`
    this.table = storage.mailTable
    this.bucket = storage.bucket
    const operations = new Operations(this, 'Operations', {
      storage,
      inbound,
      restApi,
      sseService,
      valkey,
      smtp,
      verification,
      config,
      name,
      receiving:
        receiptRules && config.inboundLimit.stop
          ? new Receiving(this, 'Receiving', handlers, receiptRules)
          : undefined,
    })
    this.alarmTopic = operations.topic
    this.#setup = new Setup(this, 'Setup', {
      storage,
      handlers,
      environment: domainService,
      domains,
      ruleSet: config.receiptRuleSet === undefined ? receiptRules?.ruleSetName : undefined,
      takeOver: config.takeOver,
      after: [...this.node.children],
    })
  }

  /** Mails that came in, for whichever domain. */
  metricReceived(options?: MetricOptions): Metric {
    return this.#inbound.queue.metricNumberOfMessagesSent(options)
  }

  /** Lets somebody read the emails and their messages, private domains' too. */
  grantRead(grantee: IGrantable & Construct): void {
    grantStorage(grantee, this.#storage, { mailTable: 'read', read: ['raw', 'parts'] })
  }

  /**
   * Tells a target of every email that is stored, private domains' too, at least once: a function, a queue or any
   * other target of EventBridge (aws-cdk-lib/aws-events-targets). The event has the source `mayfly`, the type
   * `email.received`, and in its detail `domain` and `email`, as webhooks have it; `email.id` is the same whenever it
   * comes again. What a target does not take for a day is lost, unless the target has a dead-letter queue.
   *
   * @returns the rule, which `addEventPattern({ detail: { domain: ['mail.example.com'] } })` narrows
   */
  onReceived(target: IRuleTarget): Rule {
    this.#receivedEvents ??= new ReceivedEvents(this, 'ReceivedEvents', this.#inbound.ingest)
    const rule = this.#receivedEvents.tell(target)
    // Before mail comes in: an event for which there is no rule is gone.
    this.#setup.node.addDependency(rule)
    return rule
  }

  /** The Region is known only at the deployment where the synth was not told it: the template refuses by itself. */
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

  /** Proves to both origins that a request came through CloudFront. */
  #originSecret(): Secret {
    const secret = new Secret(this, 'OriginSecret', {
      description: 'What CloudFront sends to the origins of Mayfly',
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
    })
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'CloudFront gets it at a deployment, so that it does not rotate by itself; the runbook says how it is done.',
    })
    return secret
  }
}

/** Who takes mail for a domain that is verified: the first way in. */
function providerOf({ inbound, receiptRuleSet }: Settled): MailProviderName {
  if (inbound[0] === 'smtp') return 'smtp'
  return receiptRuleSet === undefined ? 'ses' : 'ses-shared'
}
