import { Duration } from 'aws-cdk-lib'
import { Peer, Port } from 'aws-cdk-lib/aws-ec2'
import {
  NetworkLoadBalancer,
  type NetworkTargetGroup,
  Protocol,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2'
import { ARecord, RecordTarget } from 'aws-cdk-lib/aws-route53'
import { LoadBalancerTarget } from 'aws-cdk-lib/aws-route53-targets'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { ENV } from '../../adapters/aws/env.ts'
import type { Config } from '../config/resolved.ts'
import { grantSend, grantStorage } from '../grants.ts'
import { FargateProgram } from '../live/fargate-program.ts'
import type { Network } from '../live/network.ts'
import type { Storage } from '../storage.ts'

/** The port of mail exchangers. */
const SMTP_PORT = 25
/** The container runs as a user who may not open ports below 1024. */
const CONTAINER_PORT = 2525
/** Time to finish messages in progress; the maximum that Fargate allows. */
const STOP_TIMEOUT = Duration.seconds(120)

export interface SmtpServiceProps {
  storage: Storage
  network: Network
  queue: Queue
  config: Pick<Config, 'smtp' | 'smtpImage' | 'logRetentionDays' | 'dnsServer'>
  bundles: string
}

/**
 * Mail in by SMTP: smtp-service/ on Fargate behind a network load balancer on port 25. It writes
 * the raw message to the bucket and sends a notification to the queue, where the notifications of
 * SES arrive too.
 */
export class SmtpService extends FargateProgram {
  /** The host that MX records must name. */
  readonly host: string
  /** The DNS record that `host` still needs if it has no hosted zone. */
  readonly hostRecord: string | undefined
  readonly targets: NetworkTargetGroup

  constructor(scope: Construct, id: string, props: SmtpServiceProps) {
    const { storage, network, queue, config, bundles } = props
    const { smtp } = config
    super(scope, id, {
      program: 'smtp-service',
      bundles,
      image: config.smtpImage,
      network,
      tasks: smtp.tasks,
      logRetentionDays: config.logRetentionDays,
      port: CONTAINER_PORT,
      stopTimeout: STOP_TIMEOUT,
      deployment: { minHealthyPercent: 100, maxHealthyPercent: 200 },
      groups: {
        loadBalancer: 'Mayfly SMTP: from anywhere',
        tasks: 'Mayfly SMTP service: from the load balancer only',
      },
      environment: {
        ...storage.environment,
        [ENV.queueUrl]: queue.queueUrl,
        [ENV.smtpPort]: String(CONTAINER_PORT),
        ...(config.dnsServer === undefined ? {} : { [ENV.dnsServer]: config.dnsServer }),
        ...(smtp.certificate && { [ENV.tlsSecretArn]: smtp.certificate.secretArn }),
      },
    })
    this.loadBalancerGroup.addIngressRule(Peer.anyIpv4(), Port.tcp(SMTP_PORT), 'senders of mail')
    const loadBalancer = this.#loadBalancer(network)
    this.targets = this.#listen(loadBalancer)
    this.host = smtp.host ?? loadBalancer.loadBalancerDnsName
    this.container.addEnvironment(ENV.mxHost, this.host)
    this.hostRecord = this.#nameHost(loadBalancer, smtp)
    smtp.certificate?.grantRead(this.task.taskRole)
    grantStorage(this.task.taskRole, storage, { mailTable: ['GetItem'], write: ['raw'] })
    grantSend(this.task.taskRole, queue)
    storage.encryptionKey?.grantEncryptDecrypt(this.task.taskRole)
  }

  #loadBalancer({ vpc, publicSubnets }: Network): NetworkLoadBalancer {
    return new NetworkLoadBalancer(this, 'LoadBalancer', {
      vpc,
      vpcSubnets: publicSubnets,
      internetFacing: true,
      securityGroups: [this.loadBalancerGroup],
      crossZoneEnabled: true,
    })
  }

  #listen(loadBalancer: NetworkLoadBalancer): NetworkTargetGroup {
    return loadBalancer
      .addListener('Listener', { port: SMTP_PORT, protocol: Protocol.TCP })
      .addTargets('Tasks', {
        port: CONTAINER_PORT,
        protocol: Protocol.TCP,
        targets: [this.service],
        // The client address, for SPF and for limits; it is off by default for targets that are
        // addresses. The proxy protocol is no alternative: its header waits for the client's first
        // bytes, and an SMTP client waits for the server's greeting.
        preserveClientIp: true,
        deregistrationDelay: Duration.seconds(60),
        healthCheck: { interval: Duration.seconds(10), healthyThresholdCount: 2, unhealthyThresholdCount: 2 },
      })
  }

  /** Creates the address record of `smtp.host`, or returns the one that the operator has to set. */
  #nameHost(loadBalancer: NetworkLoadBalancer, { host, zone }: Config['smtp']): string | undefined {
    if (host === undefined) return undefined
    if (zone === undefined) return `${host} ALIAS ${loadBalancer.loadBalancerDnsName}`
    new ARecord(this, 'HostA', {
      zone,
      recordName: `${host}.`,
      target: RecordTarget.fromAlias(new LoadBalancerTarget(loadBalancer)),
    })
    return undefined
  }
}
