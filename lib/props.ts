import type { Duration } from 'aws-cdk-lib'
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager'
import type { IVpc, SubnetSelection } from 'aws-cdk-lib/aws-ec2'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import type { IHostedZone } from 'aws-cdk-lib/aws-route53'
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager'
import type { ITopic } from 'aws-cdk-lib/aws-sns'

/** A domain that is registered at the deployment. */
export interface MayflyDomain {
  /** In lower case, such as `mail.example.com`. */
  readonly name: string
  /**
   * The stack creates the DNS records here. Without it, set those in `Mayfly.dnsRecords` by hand.
   */
  readonly zone?: IHostedZone
  /**
   * `existing`: SES already has this identity in the Region, so the stack does not create it.
   * @default 'create'
   */
  readonly identity?: 'create' | 'existing'
}

/** A host name for the base URL. */
export interface MayflyHost {
  readonly name: string
  /** From ACM in us-east-1, the only Region whose certificates CloudFront accepts. */
  readonly certificate: ICertificate
  /**
   * The stack creates the alias records here. Without it, point a CNAME record at
   * `Mayfly.distribution`.
   */
  readonly zone?: IHostedZone
}

/** Number and size of the tasks of a Fargate service. */
export interface MayflyTasks {
  /** @default 2. The stream service has at most 2, unless `fanOut` is "valkey". */
  readonly count?: number
  /** Maximum when many streams are open; only with `fanOut: 'valkey'`. @default count */
  readonly maxCount?: number
  /** CPU units, 1024 per vCPU. @default 256 */
  readonly cpu?: number
  /** @default 512 */
  readonly memoryMiB?: number
  /**
   * All tasks but one run on Fargate Spot: about 70 % cheaper, stopped with two minutes' notice;
   * streams resume.
   * @default false
   */
  readonly spot?: boolean
}

/** Mail in by SMTP. */
export interface MayflySmtp {
  /** The host name that MX records must name. @default the load balancer's name */
  readonly host?: string
  /**
   * The stack creates the address record of `host` here. Without it, set an alias record by hand.
   */
  readonly zone?: IHostedZone
  /**
   * STARTTLS: a secret with JSON `cert` and `key`, both PEM, for `host`.
   * @default STARTTLS is not offered
   */
  readonly certificate?: ISecret
  /** @default two tasks of 256 CPU units and 512 MiB */
  readonly tasks?: Omit<MayflyTasks, 'maxCount' | 'spot'>
}

/** An existing network. */
export interface MayflyVpc {
  readonly vpc: IVpc
  /** At least two subnets from which tasks reach AWS, by a NAT gateway or endpoints. */
  readonly subnets: SubnetSelection
  /** Subnets of the internet-facing load balancer; required by `inbound: ['smtp']`. */
  readonly publicSubnets?: SubnetSelection
}

export type Way = 'ses' | 'smtp'

/** The settings of one deployment. All are optional. */
export interface MayflyProps {
  /** Domains that are registered at the deployment. @default none: callers register their own */
  readonly domains?: MayflyDomain[]
  /** How long mail is kept: whole hours, up to a year. @default 24 hours */
  readonly retention?: Duration
  /**
   * The ways in. MX records name the first one. A second one accepts mail too, so that you can
   * change from one to the other. `ses`: Amazon SES, which requires proof of ownership of each
   * domain and costs 100 dollars per million mails. `smtp`: this project's listener on Fargate,
   * about 45 dollars a month; a domain needs its MX record only.
   * @default ['ses']
   */
  readonly inbound?: Way[]
  /** @default see MayflySmtp */
  readonly smtp?: MayflySmtp
  /**
   * Name of an existing receipt rule set in the Region: the stack adds its rule, limited to
   * `domains`.
   * @default the stack creates a rule set and activates it
   */
  readonly receiptRuleSet?: string
  /**
   * Whether the stack's rule set may replace another active one, whose mail then arrives here.
   * Deleting the stack activates the previous rule set again.
   * @default false: such a deployment fails
   */
  readonly takeOver?: boolean
  /**
   * More mails in an hour raise an alarm; with `stop`, SES also stops receiving until an operator
   * turns it on again (docs/runbook.md).
   * @default 20,000 mails an hour (about 2.60 dollars), without stopping
   */
  readonly inboundLimit?: { readonly mailsPerHour: number; readonly stop?: boolean }
  /**
   * An alarm goes off if no mail arrives for this time: whole hours, up to 168.
   * @default no such alarm
   */
  readonly silenceAlarm?: Duration
  /**
   * A public domain of `domains`: every 15 minutes a function sends a mail to it by SES and reads it
   * through the API. An alarm goes off if none arrived for half an hour. About a dollar a month.
   * @default no canary
   */
  readonly canary?: string
  /**
   * Messages that are stored concurrently, 2 to 1000.
   * @default 5: a new account runs 10 functions concurrently
   */
  readonly ingestConcurrency?: number
  /**
   * Lambda executions reserved for a function, which are also its maximum: `api` limits what
   * callers can use, `ingest` guarantees intake. Leave it unset in an account with a limit of 10.
   * @default none
   */
  readonly reservedConcurrency?: { readonly api?: number; readonly ingest?: number }
  /** Receives every alarm and its end. @default the stack creates a topic */
  readonly alarmTopic?: ITopic
  /**
   * Receives an email for every alarm, after its owner confirmed the subscription.
   * @default none
   */
  readonly alarmEmail?: string
  /**
   * A secret with the operator's API keys, comma-separated, each 16 to 200 characters of
   * [A-Za-z0-9_-].
   * @default none
   */
  readonly operatorKeys?: ISecret
  /** @default CloudFront's name */
  readonly host?: MayflyHost
  /**
   * The program that serves streams, waits and MCP. `fargate`: two tasks behind a load balancer,
   * about 44 dollars a month. `web-function`: an AWS Lambda Web Function, about 3 dollars a month
   * when idle, up to 256 concurrent streams.
   * @default 'fargate'
   */
  readonly live?: 'fargate' | 'web-function'
  /** Tasks of the stream service. @default two tasks of 256 CPU units and 512 MiB */
  readonly tasks?: MayflyTasks
  /**
   * How tasks receive changes. `direct`: each reads the table's stream, which two may. `valkey`:
   * by ElastiCache Serverless, about 7 dollars a month, for any number of tasks.
   * @default 'direct'
   */
  readonly fanOut?: 'direct' | 'valkey'
  /** @default 14 */
  readonly logRetentionDays?: number
  /**
   * Requests that the REST API accepts from all callers together.
   * @default 200 a second, 400 in a burst
   */
  readonly throttle?: { readonly requestsPerSecond?: number; readonly burst?: number }
  /**
   * Protects the distribution: `arn` names an existing web ACL of CloudFront;
   * `requestsPerFiveMinutes` (3,000 by default) creates one that refuses client addresses that send
   * more requests. Only a stack in us-east-1 can create it. A stack in another Region names a stack
   * there (`stackName`) whose only output is the ARN of its web ACL.
   * @default none
   */
  readonly webAcl?: {
    readonly arn?: string
    readonly stackName?: string
    readonly requestsPerFiveMinutes?: number
  }
  /**
   * Logs requests at CloudFront, without their query, which may hold a domain key, in a log group in
   * us-east-1.
   * @default false
   */
  readonly accessLogs?: boolean
  /** Two availability zones by name. @default two zones that have all required services */
  readonly availabilityZones?: string[]
  /** An existing network. @default the stack creates a VPC with two public subnets */
  readonly vpc?: MayflyVpc
  /**
   * Encrypts tables, the bucket of messages, queues, topics and the origin secret. Its policy must
   * allow SES, SNS and CloudWatch (docs/aws.md).
   * @default keys that AWS owns
   */
  readonly encryptionKey?: IKey
  /** A prebuilt image of the stream service. @default Docker builds it at the deployment */
  readonly image?: string
  /** A prebuilt image of the SMTP service. @default Docker builds it at the deployment */
  readonly smtpImage?: string
  /**
   * DNS servers for MX and TXT queries: `ip` or `ip:port`, comma-separated.
   * @default those of the system
   */
  readonly dnsServer?: string
}
