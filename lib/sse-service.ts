import { Duration, Validations } from 'aws-cdk-lib'
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { Peer, Port, SecurityGroup, SubnetType } from 'aws-cdk-lib/aws-ec2'
import { AvailabilityZoneRebalancing, FargateService, type FargateTaskDefinition } from 'aws-cdk-lib/aws-ecs'
import {
  ApplicationLoadBalancer,
  ApplicationProtocol,
  type ApplicationTargetGroup,
  TargetGroupLoadBalancingAlgorithmType,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { ENV, METRICS } from '../adapters/aws/env.ts'
import { fargateTask } from './fargate-task.ts'
import { grantStorage } from './grants.ts'
import type { Network } from './network.ts'
import type { Settled, Tasks } from './props.ts'
import type { Storage } from './storage.ts'
import type { Valkey } from './valkey.ts'

const LISTENER_PORT = 80
const CONTAINER_PORT = 8080
/** Longer than the 15 s between two comments of an idle stream, with room for a slow one. */
const IDLE_TIMEOUT = Duration.seconds(120)
/** A request that is under way when a task leaves; streams are ended by the task itself. */
const DEREGISTRATION_DELAY = Duration.seconds(30)
/** From SIGTERM to SIGKILL; sse-service/index.ts needs less. */
const STOP_TIMEOUT = Duration.seconds(60)

/** Half of what was measured to fit (docs/performance.md), for a task's streams go to the others when it ends. */
const STREAMS_PER_MIB = 16
const STREAMS_PER_TASK = 12_000

export interface SseServiceProps {
  storage: Storage
  originSecret: ISecret
  environment: Record<string, string>
  network: Network
  /** By which tasks hear of new mail; they read the table's stream without it. */
  valkey: Valkey | undefined
  /** The dimension of the metrics of its own. */
  name: string
  /** Of CloudFront's servers. */
  prefixList: string
  config: Pick<Settled, 'tasks' | 'logRetentionDays' | 'fanOut'>
  bundles: string
  /** A prebuilt image instead of one that Docker builds at the deployment. */
  image: string | undefined
}

/** Live delivery: sse-service/ on Fargate behind an internal load balancer. */
export class SseService extends Construct {
  readonly loadBalancer: ApplicationLoadBalancer
  readonly targets: ApplicationTargetGroup
  readonly service: FargateService

  constructor(scope: Construct, id: string, props: SseServiceProps) {
    super(scope, id)
    const { config, network } = props
    const { vpc, cluster } = network
    const edgeGroup = new SecurityGroup(this, 'LoadBalancerGroup', {
      vpc,
      description: 'Mayfly load balancer: from CloudFront only',
      allowAllOutbound: false,
    })
    // The list alone weighs 55 of the 60 rules of a group.
    edgeGroup.addIngressRule(Peer.prefixList(props.prefixList), Port.tcp(LISTENER_PORT), 'CloudFront')
    const taskGroup = new SecurityGroup(this, 'TaskGroup', {
      vpc,
      description: 'Mayfly stream service: from the load balancer only',
      allowAllOutbound: false,
    })
    taskGroup.addEgressRule(Peer.anyIpv4(), Port.tcp(443), 'AWS endpoints')
    taskGroup.addIngressRule(edgeGroup, Port.tcp(CONTAINER_PORT), 'load balancer')
    edgeGroup.addEgressRule(taskGroup, Port.tcp(CONTAINER_PORT), 'tasks')
    props.valkey?.allow(taskGroup)

    this.service = new FargateService(this, 'Service', {
      cluster,
      taskDefinition: this.#task(props),
      desiredCount: config.tasks.count,
      ...deployment(config),
      ...(config.tasks.spot
        ? { capacityProviderStrategies: [{ capacityProvider: 'FARGATE_SPOT', weight: 1 }] }
        : {}),
      // Would start a third task for a while.
      availabilityZoneRebalancing: AvailabilityZoneRebalancing.DISABLED,
      circuitBreaker: { rollback: true },
      assignPublicIp: true,
      vpcSubnets: { subnetType: SubnetType.PUBLIC },
      securityGroups: [taskGroup],
      healthCheckGracePeriod: Duration.seconds(60),
    })
    // At a deletion the tasks end before the gateway by which they reach AWS is taken away.
    this.service.node.addDependency(...network.connected)
    if (config.tasks.maxCount > config.tasks.count) this.#scale(props)
    this.loadBalancer = new ApplicationLoadBalancer(this, 'LoadBalancer', {
      vpc,
      vpcSubnets: { subnetType: SubnetType.PUBLIC },
      internetFacing: false,
      securityGroup: edgeGroup,
      idleTimeout: IDLE_TIMEOUT,
      dropInvalidHeaderFields: true,
    })
    this.targets = this.loadBalancer
      .addListener('Listener', { port: LISTENER_PORT, protocol: ApplicationProtocol.HTTP, open: false })
      .addTargets('Tasks', {
        port: CONTAINER_PORT,
        protocol: ApplicationProtocol.HTTP,
        targets: [this.service],
        deregistrationDelay: DEREGISTRATION_DELAY,
        // Streams are requests that stay: a new task gets them until it has as many as the others.
        loadBalancingAlgorithmType: TargetGroupLoadBalancingAlgorithmType.LEAST_OUTSTANDING_REQUESTS,
        healthCheck: {
          path: '/healthz',
          interval: Duration.seconds(15),
          timeout: Duration.seconds(5),
          healthyThresholdCount: 2,
          unhealthyThresholdCount: 3,
        },
      })

    Validations.of(this.loadBalancer).acknowledge({
      id: 'AwsSolutions-ELB2',
      reason: 'Access logs would hold the query, in which streams carry the domain key.',
    })
  }

  /** By the streams that each task has; more of them wait until tasks are as empty as that for ten minutes. */
  #scale({ config: { tasks }, name }: SseServiceProps): void {
    const scaling = this.service.autoScaleTaskCount({ minCapacity: tasks.count, maxCapacity: tasks.maxCount })
    scaling.scaleToTrackCustomMetric('Streams', {
      metric: new Metric({
        namespace: METRICS.namespace,
        metricName: METRICS.openStreams,
        dimensionsMap: { [METRICS.dimension]: name },
        statistic: Stats.AVERAGE,
        period: Duration.minutes(1),
      }),
      targetValue: Math.min(STREAMS_PER_MIB * tasks.memoryMiB, STREAMS_PER_TASK),
      scaleInCooldown: Duration.minutes(10),
      scaleOutCooldown: Duration.minutes(1),
    })
  }

  #task({
    storage,
    originSecret,
    environment,
    config,
    bundles,
    image,
    valkey,
  }: SseServiceProps): FargateTaskDefinition {
    const task = fargateTask(this, {
      program: 'sse-service',
      bundles,
      image,
      tasks: config.tasks,
      logRetentionDays: config.logRetentionDays,
      port: CONTAINER_PORT,
      stopTimeout: STOP_TIMEOUT,
      environment: {
        ...environment,
        ...(valkey
          ? { [ENV.valkeyUrl]: valkey.url }
          : { [ENV.mailStreamArn]: storage.mailTable.tableStreamArn! }),
        [ENV.originSecretArn]: originSecret.secretArn,
        [ENV.port]: String(CONTAINER_PORT),
      },
    })
    originSecret.grantRead(task.taskRole)
    grantStorage(task.taskRole, storage, {
      mailTable: 'read',
      // Whoever shows a domain's key at a stream makes it join the streams of that key.
      domains: true,
      keysTable: 'read and write',
      index: true,
    })
    if (valkey !== undefined) return task
    task.addToTaskRolePolicy(
      new PolicyStatement({
        actions: ['dynamodb:DescribeStream', 'dynamodb:GetShardIterator', 'dynamodb:GetRecords'],
        resources: [storage.mailTable.tableStreamArn!],
      }),
    )
    return task
  }
}

/**
 * How many tasks may run during a deployment. A shard of the table's stream has at most two readers
 * (docs.aws.amazon.com/amazondynamodb, ServiceQuotas), so two tasks are replaced one after the other, and
 * a single one may have its successor beside it; so may any number that hears of mail in another way.
 */
function deployment({ tasks, fanOut }: { tasks: Tasks; fanOut: string }) {
  return fanOut === 'direct' && tasks.count === 2
    ? { minHealthyPercent: 50, maxHealthyPercent: 100 }
    : { minHealthyPercent: 100, maxHealthyPercent: 200 }
}
