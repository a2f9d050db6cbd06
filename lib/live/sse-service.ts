import { Duration } from 'aws-cdk-lib'
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { Peer, Port } from 'aws-cdk-lib/aws-ec2'
import {
  ApplicationLoadBalancer,
  ApplicationProtocol,
  type ApplicationTargetGroup,
  TargetGroupLoadBalancingAlgorithmType,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2'
import type { Construct } from 'constructs'
import { ENV, METRICS } from '../../adapters/aws/env.ts'
import type { Config, Tasks } from '../config/resolved.ts'
import { FargateProgram } from './fargate-program.ts'
import { grantLive, type LiveGrants } from './grants.ts'
import type { Network } from './network.ts'
import type { Valkey } from './valkey.ts'

const LISTENER_PORT = 80
const CONTAINER_PORT = 8080
/** Longer than the 15 s between two comments of an idle stream, with a margin for a slow one. */
const IDLE_TIMEOUT = Duration.seconds(120)
/** For requests in progress when a task stops; the task ends its streams itself. */
const DEREGISTRATION_DELAY = Duration.seconds(30)
/** Time from SIGTERM to SIGKILL; sse-service/index.ts needs less. */
const STOP_TIMEOUT = Duration.seconds(60)

/**
 * Half of the measured capacity (docs/performance.md): when a task ends, the others take its
 * streams.
 */
const STREAMS_PER_MIB = 16
export const STREAMS_PER_TASK = 12_000

export interface SseServiceProps extends LiveGrants {
  environment: Record<string, string>
  network: Network
  /** Delivers changes to tasks; without it, tasks read the table's stream. */
  valkey: Valkey | undefined
  /** Value of the dimension of this project's metrics. */
  name: string
  /** Id of the prefix list of CloudFront's servers. */
  prefixList: string
  config: Pick<Config, 'tasks' | 'logRetentionDays' | 'fanOut' | 'image'>
  bundles: string
}

/** Streams, waits and MCP: sse-service/ on Fargate behind an internal load balancer. */
export class SseService extends FargateProgram {
  readonly loadBalancer: ApplicationLoadBalancer
  readonly targets: ApplicationTargetGroup

  constructor(scope: Construct, id: string, props: SseServiceProps) {
    const { config, network, valkey, storage } = props
    super(scope, id, {
      program: 'sse-service',
      bundles: props.bundles,
      image: config.image,
      network,
      tasks: config.tasks,
      logRetentionDays: config.logRetentionDays,
      port: CONTAINER_PORT,
      stopTimeout: STOP_TIMEOUT,
      deployment: deployment(config),
      healthCheckGracePeriod: Duration.seconds(60),
      groups: {
        loadBalancer: 'Mayfly load balancer: from CloudFront only',
        tasks: 'Mayfly stream service: from the load balancer only',
      },
      environment: {
        ...props.environment,
        ...(valkey ? { [ENV.valkeyUrl]: valkey.url } : { [ENV.mailStreamArn]: storage.streamArn }),
        [ENV.originSecretArn]: props.originSecret.secretArn,
        [ENV.port]: String(CONTAINER_PORT),
      },
    })
    // The list alone uses 55 of the 60 rules of a security group.
    this.loadBalancerGroup.addIngressRule(
      Peer.prefixList(props.prefixList),
      Port.tcp(LISTENER_PORT),
      'CloudFront',
    )
    valkey?.allow(this.taskGroup)
    grantLive(this.task.taskRole, props, { readsStream: valkey === undefined })
    if (config.tasks.maxCount > config.tasks.count) this.#scale(props)
    this.loadBalancer = this.#internalLoadBalancer(network)
    this.targets = this.#listen()
  }

  #internalLoadBalancer({ vpc, subnets }: Network): ApplicationLoadBalancer {
    return new ApplicationLoadBalancer(this, 'LoadBalancer', {
      vpc,
      vpcSubnets: subnets,
      internetFacing: false,
      securityGroup: this.loadBalancerGroup,
      idleTimeout: IDLE_TIMEOUT,
      dropInvalidHeaderFields: true,
    })
  }

  #listen(): ApplicationTargetGroup {
    return this.loadBalancer
      .addListener('Listener', { port: LISTENER_PORT, protocol: ApplicationProtocol.HTTP, open: false })
      .addTargets('Tasks', {
        port: CONTAINER_PORT,
        protocol: ApplicationProtocol.HTTP,
        targets: [this.service],
        deregistrationDelay: DEREGISTRATION_DELAY,
        // Streams are long requests: a new task receives them until it has as many as the others.
        loadBalancingAlgorithmType: TargetGroupLoadBalancingAlgorithmType.LEAST_OUTSTANDING_REQUESTS,
        healthCheck: {
          path: '/healthz',
          interval: Duration.seconds(15),
          timeout: Duration.seconds(5),
          healthyThresholdCount: 2,
          unhealthyThresholdCount: 3,
        },
      })
  }

  /** Scales by the number of streams of each task, and scales in at most once in ten minutes. */
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
}

/**
 * Returns how many tasks may run during a deployment. A shard of the table's stream has at most two
 * readers (docs.aws.amazon.com/amazondynamodb, ServiceQuotas), so two tasks are replaced one after
 * the other. One task, or tasks that receive changes from Valkey, may run beside their successors.
 */
function deployment({ tasks, fanOut }: { tasks: Tasks; fanOut: string }) {
  return fanOut === 'direct' && tasks.count === 2
    ? { minHealthyPercent: 50, maxHealthyPercent: 100 }
    : { minHealthyPercent: 100, maxHealthyPercent: 200 }
}
