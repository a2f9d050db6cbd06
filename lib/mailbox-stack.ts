import { existsSync } from 'node:fs'
import { Aws, CfnOutput, CfnRule, Fn, Stack, Validations } from 'aws-cdk-lib'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { ENV } from '../adapters/aws/env.ts'
import type { MailboxConfig } from './config.ts'
import { Edge } from './edge.ts'
import { Identities } from './identities.ts'
import { Inbound } from './inbound.ts'
import { Operations } from './operations.ts'
import { mxHost, RECEIVING_REGIONS } from './regions.ts'
import { RestApi } from './rest-api.ts'
import { Setup } from './setup.ts'
import { SseService } from './sse-service.ts'
import { Storage } from './storage.ts'
import { Verification } from './verification.ts'

export interface MailboxStackProps {
  config: MailboxConfig
  /** Folder of the bundles that lib/bundling makes. */
  bundles: string
  /** Folder of the built pages; without it, or when it is not there, the service has no pages. */
  pages?: string
  /** A prebuilt image of the stream service, where Docker is absent. */
  image?: string
  /** DNS servers that the functions ask instead of their system's. */
  dnsServer?: string
}

/** The whole service. One stack, since what it stores lives for a day. */
export class MailboxStack extends Stack {
  constructor(scope: Construct, id: string, { config, bundles, pages, image, dnsServer }: MailboxStackProps) {
    super(scope, id, { stackName: config.stackName, description: 'Mayfly, a disposable-mailbox service' })
    this.#requireReceivingRegion()
    const domains = config.domains.map((domain) => domain.name)
    const originSecret = this.#originSecret()
    const storage = new Storage(this, 'Storage', config)
    const handlers = { bundles, logRetentionDays: config.logRetentionDays }
    const stored = storage.environment
    const domainService = {
      ...stored,
      [ENV.mxHost]: mxHost(Aws.REGION),
      [ENV.domains]: domains.join(','),
      ...(dnsServer === undefined ? {} : { [ENV.dnsServer]: dnsServer }),
    }

    const inbound = new Inbound(this, 'Inbound', { storage, handlers, environment: stored })
    new Identities(this, 'Identities', config)
    new Setup(this, 'Setup', { inbound, storage, handlers, environment: domainService, domains })
    const verification = new Verification(this, 'Verification', {
      storage,
      handlers,
      environment: domainService,
    })
    const restApi = new RestApi(this, 'Rest', {
      storage,
      handlers,
      environment: { ...domainService, [ENV.originSecret]: originSecret.secretValue.unsafeUnwrap() },
      throttle: config.throttle,
    })
    const sseService = new SseService(this, 'Sse', {
      storage,
      originSecret,
      environment: domainService,
      config,
      bundles,
      image,
    })
    const edge = new Edge(this, 'Edge', {
      restApi,
      sseService,
      originSecret,
      host: config.host,
      webAcl: config.webAcl,
      pages:
        pages !== undefined && existsSync(pages)
          ? { folder: pages, downloads: `https://${storage.bucket.bucketRegionalDomainName}` }
          : undefined,
    })
    new Operations(this, 'Operations', {
      storage,
      inbound,
      restApi,
      sseService,
      verification,
      alarmEmail: config.alarmEmail,
    })

    new CfnOutput(this, 'BaseUrl', { value: edge.baseUrl, description: 'Where the API is' })
    new CfnOutput(this, 'MxRecord', {
      value: `10 ${mxHost(Aws.REGION)}`,
      description: 'The MX record of every domain whose mail is to come here',
    })
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
        'CloudFront and the function get it at a deployment: a rotation by itself would lock callers out.',
    })
    return secret
  }
}
