import { Duration } from 'aws-cdk-lib'
import { Port, SecurityGroup } from 'aws-cdk-lib/aws-ec2'
import { CfnServerlessCache } from 'aws-cdk-lib/aws-elasticache'
import { type Function as LambdaFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda'
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import { Construct } from 'constructs'
import { ENV } from '../../adapters/aws/env.ts'
import { HandlerFunction, type HandlerSettings } from '../handler-function.ts'
import { localName } from '../names.ts'
import type { Storage } from '../storage.ts'
import type { Network } from './network.ts'

const PORT = 6379
/** Maximum length of a cache name, in characters. */
const NAME_LENGTH = 40

export interface ValkeyProps {
  storage: Storage
  network: Network
  handlers: HandlerSettings
}

/**
 * Changes for any number of tasks: the table's stream → lambdas/publish.ts → pub/sub of ElastiCache
 * Serverless for Valkey, which stores nothing. A shard of the stream has at most two readers, and
 * this function is one.
 */
export class Valkey extends Construct {
  readonly url: string
  readonly publisher: LambdaFunction
  readonly #group: SecurityGroup

  constructor(scope: Construct, id: string, { storage, network, handlers }: ValkeyProps) {
    super(scope, id)
    const { vpc, subnets } = network
    this.#group = new SecurityGroup(this, 'Group', {
      vpc,
      description: 'Mayfly Valkey: from its publisher and the stream tasks',
      allowAllOutbound: false,
    })
    const cache = new CfnServerlessCache(this, 'Cache', {
      engine: 'valkey',
      serverlessCacheName: localName(this, NAME_LENGTH).toLowerCase(),
      securityGroupIds: [this.#group.securityGroupId],
      subnetIds: vpc.selectSubnets(subnets).subnetIds,
      // The minimum: pub/sub stores nothing.
      cacheUsageLimits: { dataStorage: { maximum: 1, unit: 'GB' } },
    })
    this.url = `rediss://${cache.attrEndpointAddress}:${cache.attrEndpointPort}`
    this.publisher = this.#publisher(storage, network, handlers)
  }

  #publisher(storage: Storage, { vpc, subnets }: Network, handlers: HandlerSettings): LambdaFunction {
    const group = new SecurityGroup(this, 'PublisherGroup', {
      vpc,
      description: 'Mayfly publisher of changes',
      allowAllOutbound: false,
    })
    const publisher = new HandlerFunction(this, 'Publish', {
      ...handlers,
      handler: 'publish',
      description: 'Publishes changes of emails and domains',
      memoryMiB: 512,
      timeout: Duration.seconds(30),
      environment: { [ENV.valkeyUrl]: this.url },
      // It calls only Valkey, so it needs no route to the internet, which a function in a public
      // subnet does not have.
      network: { vpc, subnets, securityGroup: group },
    }).function
    publisher.addEventSource(
      new DynamoEventSource(storage.mailTable, {
        startingPosition: StartingPosition.LATEST,
        batchSize: 100,
        reportBatchItemFailures: true,
        // Retry in order until records expire after a day: open streams would miss a skipped
        // record.
        retryAttempts: -1,
      }),
    )
    this.allow(group)
    return publisher
  }

  /** Lets the members of a security group connect. */
  allow(group: SecurityGroup): void {
    group.addEgressRule(this.#group, Port.tcp(PORT), 'Valkey')
    this.#group.addIngressRule(group, Port.tcp(PORT), group.node.path.split('/').slice(-2).join(' '))
  }
}
