import { Duration, Validations } from 'aws-cdk-lib'
import { Peer, Port, SecurityGroup, SubnetType } from 'aws-cdk-lib/aws-ec2'
import { FargateService } from 'aws-cdk-lib/aws-ecs'
import {
  NetworkLoadBalancer,
  type NetworkTargetGroup,
  Protocol,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { ARecord, RecordTarget } from 'aws-cdk-lib/aws-route53'
import { LoadBalancerTarget } from 'aws-cdk-lib/aws-route53-targets'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { ENV } from '../adapters/aws/env.ts'
import { fargateTask } from './fargate-task.ts'
import { grantStorage } from './grants.ts'
import type { Network } from './network.ts'
import type { Settled } from './props.ts'
import type { Storage } from './storage.ts'

/** The port of mail exchangers, and the one of the container, whose user may open no port below 1024. */
const SMTP_PORT = 25
const CONTAINER_PORT = 2525
/** From SIGTERM to SIGKILL: messages that are under way end first. Fargate gives no more. */
const STOP_TIMEOUT = Duration.seconds(120)

export interface SmtpServiceProps {
  storage: Storage
  network: Network
  queue: Queue
  config: Pick<Settled, 'smtp' | 'smtpImage' | 'logRetentionDays' | 'dnsServer'>
  bundles: string
}

/**
 * Mail in by SMTP: smtp-service/ on Fargate behind a network load balancer on port 25. It puts the raw message
 * into the bucket and its notification into the queue, where SES has its put too.
 */
export class SmtpService extends Construct {
  /** What MX records are to name. */
  readonly host: string
  /** The record that `host` still wants, where it has no zone. */
  readonly hostRecord: string | undefined
  readonly targets: NetworkTargetGroup
  readonly service: FargateService

  constructor(scope: Construct, id: string, { storage, network, queue, config, bundles }: SmtpServiceProps) {
    super(scope, id)
    const { vpc, cluster } = network
    const { smtp } = config
    const senders = new SecurityGroup(this, 'LoadBalancerGroup', {
      vpc,
      description: 'Mayfly SMTP: from anywhere',
      allowAllOutbound: false,
    })
    senders.addIngressRule(Peer.anyIpv4(), Port.tcp(SMTP_PORT), 'senders of mail')
    const taskGroup = new SecurityGroup(this, 'TaskGroup', {
      vpc,
      description: 'Mayfly SMTP service: from the load balancer only',
      allowAllOutbound: false,
    })
    taskGroup.addEgressRule(Peer.anyIpv4(), Port.tcp(443), 'AWS endpoints')
    taskGroup.addIngressRule(senders, Port.tcp(CONTAINER_PORT), 'load balancer')
    senders.addEgressRule(taskGroup, Port.tcp(CONTAINER_PORT), 'tasks')

    const loadBalancer = new NetworkLoadBalancer(this, 'LoadBalancer', {
      vpc,
      vpcSubnets: { subnetType: SubnetType.PUBLIC },
      internetFacing: true,
      securityGroups: [senders],
      crossZoneEnabled: true,
    })
    this.host = smtp.host ?? loadBalancer.loadBalancerDnsName
    this.service = new FargateService(this, 'Service', {
      cluster,
      taskDefinition: this.#task({ storage, network, queue, config, bundles }),
      desiredCount: smtp.tasks.count,
      minHealthyPercent: 100,
      maxHealthyPercent: 200,
      circuitBreaker: { rollback: true },
      assignPublicIp: true,
      vpcSubnets: { subnetType: SubnetType.PUBLIC },
      securityGroups: [taskGroup],
    })
    this.service.node.addDependency(...network.connected)
    this.targets = loadBalancer
      .addListener('Listener', { port: SMTP_PORT, protocol: Protocol.TCP })
      .addTargets('Tasks', {
        port: CONTAINER_PORT,
        protocol: Protocol.TCP,
        targets: [this.service],
        // Senders' addresses, for SPF and for limits: off by default where targets are addresses. Not by the proxy
        // protocol, whose header waits for the first bytes of a client that waits for our greeting.
        preserveClientIp: true,
        deregistrationDelay: Duration.seconds(60),
        healthCheck: { interval: Duration.seconds(10), healthyThresholdCount: 2, unhealthyThresholdCount: 2 },
      })
    if (smtp.host !== undefined && smtp.zone !== undefined) {
      new ARecord(this, 'HostA', {
        zone: smtp.zone,
        recordName: `${smtp.host}.`,
        target: RecordTarget.fromAlias(new LoadBalancerTarget(loadBalancer)),
      })
    } else if (smtp.host !== undefined) {
      this.hostRecord = `${smtp.host} ALIAS ${loadBalancer.loadBalancerDnsName}`
    }

    Validations.of(senders).acknowledge({
      id: 'AwsSolutions-EC23',
      reason: 'A mail exchanger takes mail from anywhere.',
    })
    Validations.of(loadBalancer).acknowledge({
      id: 'AwsSolutions-ELB2',
      reason: 'A network load balancer logs TLS listeners only, and this is none.',
    })
  }

  #task({ storage, queue, config, bundles }: SmtpServiceProps) {
    const { certificate, tasks } = config.smtp
    const task = fargateTask(this, {
      program: 'smtp-service',
      bundles,
      image: config.smtpImage,
      tasks,
      logRetentionDays: config.logRetentionDays,
      port: CONTAINER_PORT,
      stopTimeout: STOP_TIMEOUT,
      environment: {
        ...storage.environment,
        [ENV.mxHost]: this.host,
        [ENV.queueUrl]: queue.queueUrl,
        [ENV.smtpPort]: String(CONTAINER_PORT),
        ...(config.dnsServer === undefined ? {} : { [ENV.dnsServer]: config.dnsServer }),
        ...(certificate && { [ENV.tlsSecretArn]: certificate.secretArn }),
      },
    })
    certificate?.grantRead(task.taskRole)
    grantStorage(task.taskRole, storage, { mailTable: 'get', write: ['raw'] })
    task.addToTaskRolePolicy(
      new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] }),
    )
    return task
  }
}
