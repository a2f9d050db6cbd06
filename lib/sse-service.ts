import { Duration, Validations } from 'aws-cdk-lib'
import { Peer, Port, SecurityGroup, SubnetType } from 'aws-cdk-lib/aws-ec2'
import {
  AvailabilityZoneRebalancing,
  FargateService,
  type FargateTaskDefinition,
  Secret as TaskSecret,
} from 'aws-cdk-lib/aws-ecs'
import {
  ApplicationLoadBalancer,
  ApplicationProtocol,
  type ApplicationTargetGroup,
  TargetGroupLoadBalancingAlgorithmType,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { ENV } from '../adapters/aws/env.ts'
import { fargateTask } from './fargate-task.ts'
import { grantStorage } from './grants.ts'
import type { Network } from './network.ts'
import type { Settled, Tasks } from './props.ts'
import type { Storage } from './storage.ts'

const LISTENER_PORT = 80
const CONTAINER_PORT = 8080
/** Longer than the 15 s between two comments of an idle stream, with room for a slow one. */
const IDLE_TIMEOUT = Duration.seconds(120)
/** A request that is under way when a task leaves; streams are ended by the task itself. */
const DEREGISTRATION_DELAY = Duration.seconds(30)
/** From SIGTERM to SIGKILL; sse-service/index.ts needs less. */
const STOP_TIMEOUT = Duration.seconds(60)

export interface SseServiceProps {
  storage: Storage
  originSecret: ISecret
  environment: Record<string, string>
  network: Network
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

  #task({
    storage,
    originSecret,
    environment,
    config,
    bundles,
    image,
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
        [ENV.mailStreamArn]: storage.mailTable.tableStreamArn!,
        [ENV.port]: String(CONTAINER_PORT),
      },
      secrets: { [ENV.originSecret]: TaskSecret.fromSecretsManager(originSecret) },
    })
    grantStorage(task.taskRole, storage, {
      mailTable: 'read',
      // Whoever shows a domain's key at a stream makes it join the streams of that key.
      domains: true,
      keysTable: 'read and write',
      index: true,
    })
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
