import { Duration } from 'aws-cdk-lib'
import { Port, SecurityGroup, SubnetType } from 'aws-cdk-lib/aws-ec2'
import { CfnServerlessCache } from 'aws-cdk-lib/aws-elasticache'
import { type Function as LambdaFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda'
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import { Construct } from 'constructs'
import { ENV } from '../adapters/aws/env.ts'
import { HandlerFunction, type HandlerSettings } from './handler-function.ts'
import { localName } from './names.ts'
import type { Network } from './network.ts'
import type { Storage } from './storage.ts'

const PORT = 6379
/** Of ElastiCache, in characters. */
const NAME_LENGTH = 40

export interface ValkeyProps {
  storage: Storage
  network: Network
  handlers: HandlerSettings
}

/**
 * Announcements for any number of tasks: the table's stream → lambdas/publish.ts → pub/sub of ElastiCache
 * Serverless for Valkey, which keeps nothing. A shard of the stream has two readers at most; this is one.
 */
export class Valkey extends Construct {
  readonly url: string
  readonly publisher: LambdaFunction
  readonly #group: SecurityGroup

  constructor(scope: Construct, id: string, { storage, network: { vpc }, handlers }: ValkeyProps) {
    super(scope, id)
    this.#group = new SecurityGroup(this, 'Group', {
      vpc,
      description: 'Mayfly Valkey: from its publisher and the stream tasks',
      allowAllOutbound: false,
    })
    const cache = new CfnServerlessCache(this, 'Cache', {
      engine: 'valkey',
      serverlessCacheName: localName(this, NAME_LENGTH).toLowerCase(),
      securityGroupIds: [this.#group.securityGroupId],
      subnetIds: vpc.publicSubnets.map(({ subnetId }) => subnetId),
      // Nothing is stored: the least that it has.
      cacheUsageLimits: { dataStorage: { maximum: 1, unit: 'GB' } },
    })
    this.url = `rediss://${cache.attrEndpointAddress}:${cache.attrEndpointPort}`

    const publisherGroup = new SecurityGroup(this, 'PublisherGroup', {
      vpc,
      description: 'Mayfly publisher of changes',
      allowAllOutbound: false,
    })
    this.publisher = new HandlerFunction(this, 'Publish', {
      ...handlers,
      handler: 'publish',
      description: 'Publishes what happens to emails and domains',
      memoryMiB: 512,
      timeout: Duration.seconds(30),
      environment: { [ENV.valkeyUrl]: this.url },
      // It calls nothing but Valkey, so that it needs no way to the internet, which a public subnet gives no function.
      network: { vpc, subnets: { subnetType: SubnetType.PUBLIC }, securityGroup: publisherGroup },
    }).function
    this.publisher.addEventSource(
      new DynamoEventSource(storage.mailTable, {
        startingPosition: StartingPosition.LATEST,
        batchSize: 100,
        reportBatchItemFailures: true,
        // In their order until they expire after a day: what is skipped would be missed by open streams.
        retryAttempts: -1,
      }),
    )
    this.allow(publisherGroup)
  }

  /** Lets the members of a group connect. */
  allow(group: SecurityGroup): void {
    group.addEgressRule(this.#group, Port.tcp(PORT), 'Valkey')
    this.#group.addIngressRule(group, Port.tcp(PORT), group.node.path.split('/').slice(-2).join(' '))
  }
}
