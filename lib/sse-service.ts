import { join } from 'node:path'
import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import { Peer, Port, SecurityGroup, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2'
import {
  AvailabilityZoneRebalancing,
  Cluster,
  ContainerInsights,
  CpuArchitecture,
  FargateService,
  FargateTaskDefinition,
  LogDrivers,
  OperatingSystemFamily,
  Secret as TaskSecret,
} from 'aws-cdk-lib/aws-ecs'
import {
  ApplicationLoadBalancer,
  ApplicationProtocol,
  type ApplicationTargetGroup,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { ENV } from '../adapters/aws/env.ts'
import type { MailboxConfig } from './config.ts'
import { edgePrefixList } from './edge-prefix-list.ts'
import { grantStorage } from './grants.ts'
import { containerImage } from './image.ts'
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
  config: Pick<MailboxConfig, 'tasks' | 'logRetentionDays' | 'availabilityZones'>
  bundles: string
  /** A prebuilt image instead of one that Docker builds at the deployment. */
  image: string | undefined
}

/**
 * Live delivery: sse-service/ on Fargate behind an internal load balancer. No NAT gateway: the tasks have public
 * addresses to reach AWS by, and take connections from the load balancer only.
 */
export class SseService extends Construct {
  readonly vpc: Vpc
  readonly loadBalancer: ApplicationLoadBalancer
  readonly targets: ApplicationTargetGroup
  readonly service: FargateService

  constructor(scope: Construct, id: string, props: SseServiceProps) {
    super(scope, id)
    const { config } = props
    this.vpc = new Vpc(this, 'Vpc', {
      ...(config.availabilityZones ? { availabilityZones: config.availabilityZones } : { maxAzs: 2 }),
      natGateways: 0,
      subnetConfiguration: [{ name: 'public', subnetType: SubnetType.PUBLIC, cidrMask: 24 }],
      // The rule that empties the default security group is a Lambda function of its own; nothing uses the group.
      restrictDefaultSecurityGroup: false,
    })
    const edgeGroup = new SecurityGroup(this, 'LoadBalancerGroup', {
      vpc: this.vpc,
      description: 'Mayfly load balancer: from CloudFront only',
      allowAllOutbound: false,
    })
    // The list alone weighs 55 of the 60 rules of a group.
    edgeGroup.addIngressRule(Peer.prefixList(edgePrefixList(this)), Port.tcp(LISTENER_PORT), 'CloudFront')
    const taskGroup = new SecurityGroup(this, 'TaskGroup', {
      vpc: this.vpc,
      description: 'Mayfly stream service: from the load balancer only',
      allowAllOutbound: false,
    })
    taskGroup.addEgressRule(Peer.anyIpv4(), Port.tcp(443), 'AWS endpoints')
    taskGroup.addIngressRule(edgeGroup, Port.tcp(CONTAINER_PORT), 'load balancer')
    edgeGroup.addEgressRule(taskGroup, Port.tcp(CONTAINER_PORT), 'tasks')

    this.service = new FargateService(this, 'Service', {
      cluster: new Cluster(this, 'Cluster', {
        vpc: this.vpc,
        containerInsightsV2: ContainerInsights.DISABLED,
      }),
      taskDefinition: this.#task(props),
      desiredCount: config.tasks.count,
      ...deployment(config.tasks.count),
      // Would start a third task for a while.
      availabilityZoneRebalancing: AvailabilityZoneRebalancing.DISABLED,
      circuitBreaker: { rollback: true },
      assignPublicIp: true,
      vpcSubnets: { subnetType: SubnetType.PUBLIC },
      securityGroups: [taskGroup],
      healthCheckGracePeriod: Duration.seconds(60),
    })
    this.loadBalancer = new ApplicationLoadBalancer(this, 'LoadBalancer', {
      vpc: this.vpc,
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
        healthCheck: {
          path: '/healthz',
          interval: Duration.seconds(15),
          timeout: Duration.seconds(5),
          healthyThresholdCount: 2,
          unhealthyThresholdCount: 3,
        },
      })

    Validations.of(this.vpc).acknowledge({
      id: 'AwsSolutions-VPC7',
      reason:
        'Nothing in it takes connections but a load balancer for CloudFront; flow logs would cost more than the rest.',
    })
    Validations.of(this.loadBalancer).acknowledge({
      id: 'AwsSolutions-ELB2',
      reason: 'Access logs would hold the query, in which streams carry the domain key.',
    })
    Validations.of(this.service.cluster).acknowledge({
      id: 'AwsSolutions-ECS4',
      reason:
        'The lag of the stream reader and the load balancer’s metrics tell what Container Insights would, for nothing.',
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
    const task = new FargateTaskDefinition(this, 'Task', {
      cpu: config.tasks.cpu,
      memoryLimitMiB: config.tasks.memoryMiB,
      runtimePlatform: {
        cpuArchitecture: CpuArchitecture.ARM64,
        operatingSystemFamily: OperatingSystemFamily.LINUX,
      },
    })
    task.addContainer('sse', {
      image: containerImage(this, { folder: join(bundles, 'sse-service'), image }),
      environment: {
        ...environment,
        [ENV.mailStreamArn]: storage.mailTable.tableStreamArn!,
        [ENV.port]: String(CONTAINER_PORT),
        [ENV.stackName]: Stack.of(this).stackName,
      },
      secrets: { [ENV.originSecret]: TaskSecret.fromSecretsManager(originSecret) },
      portMappings: [{ containerPort: CONTAINER_PORT }],
      readonlyRootFilesystem: true,
      stopTimeout: STOP_TIMEOUT,
      logging: LogDrivers.awsLogs({
        streamPrefix: 'sse',
        logGroup: new LogGroup(this, 'Logs', {
          retention: config.logRetentionDays,
          removalPolicy: RemovalPolicy.DESTROY,
        }),
      }),
    })
    grantStorage(task.taskRole, storage, { mailTable: 'read', keysTable: 'read and write' })
    task.addToTaskRolePolicy(
      new PolicyStatement({
        actions: ['dynamodb:DescribeStream', 'dynamodb:GetShardIterator', 'dynamodb:GetRecords'],
        resources: [storage.mailTable.tableStreamArn!],
      }),
    )
    Validations.of(task).acknowledge(
      {
        id: 'AwsSolutions-ECS2',
        reason: 'Names of resources, no secrets; the one secret comes from Secrets Manager.',
      },
      {
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason: 'The execution role pulls the image: ecr:GetAuthorizationToken takes no resource.',
      },
    )
    return task
  }
}

/**
 * How many tasks may run during a deployment. A shard of the table's stream has at most two readers
 * (docs.aws.amazon.com/amazondynamodb, ServiceQuotas), so two tasks are replaced one after the other, and
 * a single one may have its successor beside it.
 */
function deployment(count: 1 | 2): { minHealthyPercent: number; maxHealthyPercent: number } {
  return count === 2
    ? { minHealthyPercent: 50, maxHealthyPercent: 100 }
    : { minHealthyPercent: 100, maxHealthyPercent: 200 }
}
