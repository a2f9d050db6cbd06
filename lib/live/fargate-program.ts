import { join } from 'node:path'
import { type Duration, RemovalPolicy } from 'aws-cdk-lib'
import { Peer, Port, SecurityGroup } from 'aws-cdk-lib/aws-ec2'
import {
  AvailabilityZoneRebalancing,
  type CapacityProviderStrategy,
  type CfnService,
  type ContainerDefinition,
  CpuArchitecture,
  FargateService,
  FargateTaskDefinition,
  LogDrivers,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import type { Service } from '../bundling/names.ts'
import type { Tasks } from '../config/resolved.ts'
import { containerImage } from './image.ts'
import type { Network } from './network.ts'

export interface FargateProgramProps {
  /** Folder of the program's entry point. */
  program: Service
  bundles: string
  /** A prebuilt image instead of one that Docker builds at the deployment. */
  image: string | undefined
  network: Network
  tasks: Tasks
  logRetentionDays: number
  /** TCP port of the container. */
  port: number
  /** Time from SIGTERM to SIGKILL. */
  stopTimeout: Duration
  environment: Record<string, string>
  /** Tasks that must run and may run during a deployment, in percent of their count. */
  deployment: { minHealthyPercent: number; maxHealthyPercent: number }
  /** Time before the load balancer's health checks count. */
  healthCheckGracePeriod?: Duration
  /** How the load balancer and the tasks are described in their security groups. */
  groups: { loadBalancer: string; tasks: string }
}

/**
 * A program of this project on Fargate (arm64) behind a load balancer: task definition, log group,
 * service, and the security groups of both. A subclass creates the load balancer.
 */
export class FargateProgram extends Construct {
  readonly service: FargateService
  readonly task: FargateTaskDefinition
  readonly container: ContainerDefinition
  readonly loadBalancerGroup: SecurityGroup
  readonly taskGroup: SecurityGroup

  constructor(scope: Construct, id: string, props: FargateProgramProps) {
    super(scope, id)
    const { network, tasks } = props
    this.loadBalancerGroup = this.#group('LoadBalancerGroup', network, props.groups.loadBalancer)
    this.taskGroup = this.#group('TaskGroup', network, props.groups.tasks)
    this.taskGroup.addEgressRule(Peer.anyIpv4(), Port.tcp(443), 'AWS endpoints')
    this.taskGroup.addIngressRule(this.loadBalancerGroup, Port.tcp(props.port), 'load balancer')
    this.loadBalancerGroup.addEgressRule(this.taskGroup, Port.tcp(props.port), 'tasks')
    this.task = new FargateTaskDefinition(this, 'Task', {
      cpu: tasks.cpu,
      memoryLimitMiB: tasks.memoryMiB,
      runtimePlatform: {
        cpuArchitecture: CpuArchitecture.ARM64,
        operatingSystemFamily: OperatingSystemFamily.LINUX,
      },
    })
    this.container = this.#container(props)
    this.service = this.#service(props)
    // Deletion stops the tasks before it removes the gateway through which they reach AWS.
    this.service.node.addDependency(...network.connected)
  }

  #group(id: string, { vpc }: Network, description: string): SecurityGroup {
    return new SecurityGroup(this, id, { vpc, description, allowAllOutbound: false })
  }

  #container({ program, bundles, image, port, stopTimeout, ...props }: FargateProgramProps) {
    return this.task.addContainer(program, {
      image: containerImage(this, { folder: join(bundles, program), image }),
      environment: props.environment,
      portMappings: [{ containerPort: port }],
      readonlyRootFilesystem: true,
      stopTimeout,
      logging: LogDrivers.awsLogs({
        streamPrefix: program,
        logGroup: new LogGroup(this, 'Logs', {
          retention: props.logRetentionDays,
          removalPolicy: RemovalPolicy.DESTROY,
        }),
      }),
    })
  }

  #service({ network, tasks, deployment, healthCheckGracePeriod }: FargateProgramProps): FargateService {
    const service = new FargateService(this, 'Service', {
      cluster: network.cluster,
      taskDefinition: this.task,
      desiredCount: tasks.count,
      ...deployment,
      ...(tasks.spot && { capacityProviderStrategies: SPOT }),
      // Rebalancing would start one more task than the deployment settings allow.
      availabilityZoneRebalancing: AvailabilityZoneRebalancing.DISABLED,
      circuitBreaker: { rollback: true },
      assignPublicIp: network.assignPublicIp,
      vpcSubnets: network.subnets,
      securityGroups: [this.taskGroup],
      ...(healthCheckGracePeriod && { healthCheckGracePeriod }),
    })
    // A deployment would reset a scaled service to this count
    // (github.com/aws/aws-cdk/issues/13130).
    if (tasks.maxCount > tasks.count) (service.node.defaultChild as CfnService).desiredCount = undefined
    return service
  }
}

/**
 * One task on demand, so that a shortage of Spot capacity does not end all of them; the others on
 * Spot.
 */
const SPOT: CapacityProviderStrategy[] = [
  { capacityProvider: 'FARGATE', base: 1, weight: 0 },
  { capacityProvider: 'FARGATE_SPOT', weight: 1 },
]
