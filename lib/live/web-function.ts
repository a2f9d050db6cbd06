import { join } from 'node:path'
import {
  type CfnResource,
  CustomResource,
  Duration,
  Fn,
  RemovalPolicy,
  Stack,
  Validations,
} from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { CfnWebFunction, CfnWebFunctionEndpoint, CfnWebFunctionRevision } from 'aws-cdk-lib/aws-lambda'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3'
import { BucketDeployment, Source } from 'aws-cdk-lib/aws-s3-deployment'
import { Construct } from 'constructs'
import { ENV } from '../../adapters/aws/env.ts'
import { HandlerFunction, type HandlerSettings } from '../handler-function.ts'
import { accountName } from '../names.ts'
import type { Emptier } from '../operations/emptier.ts'
import { grantLive, type LiveGrants } from './grants.ts'

/** Maximum length of the name of a web function, in characters. */
const NAME_LENGTH = 64
/**
 * The maximum of Lambda; it cuts off a response that takes longer (docs.aws.amazon.com/lambda,
 * web-functions.html).
 */
const TIMEOUT = Duration.minutes(15)
/** The service ends its streams itself before that, so that clients resume without an error. */
const STREAM_MAX = Duration.minutes(14)
/** A shard of the table's stream has at most two readers; two is also the minimum of Lambda. */
const MAX_ENVIRONMENTS = 2
/** The maximum of Lambda. */
const MAX_CONCURRENCY = 128

export interface LiveWebFunctionProps extends LiveGrants {
  environment: Record<string, string>
  bundles: string
  emptier: Emptier
  logRetentionDays: number
  handlers: HandlerSettings
  /** Requests a second that the API accepts from all callers together. */
  requestsPerSecond: number
}

/**
 * Streams, waits and MCP: sse-service/ as an AWS Lambda Web Function, which costs nothing when it
 * is idle. It needs no VPC and no load balancer.
 */
export class LiveWebFunction extends Construct {
  /** Host name of the HTTPS endpoint. */
  readonly domainName: string
  readonly name: string
  /** Streams, waits and requests at a time, as far as Lambda grants the maximum. */
  readonly capacity = MAX_ENVIRONMENTS * MAX_CONCURRENCY

  constructor(scope: Construct, id: string, props: LiveWebFunctionProps) {
    super(scope, id)
    // Unique over all Regions of the account.
    const name = accountName(this, NAME_LENGTH)
    this.name = name
    const code = this.#code(name, props)
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    const logGroup = new LogGroup(this, 'Logs', {
      retention: props.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    // Lambda writes to a companion group with this name first, and creates it without a retention if
    // there is none (docs.aws.amazon.com/lambda/latest/dg/web-functions-logging.html).
    const localLogs = new LogGroup(this, 'LocalLogs', {
      logGroupName: `${logGroup.logGroupName}.local`,
      retention: props.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    for (const group of [logGroup, localLogs]) group.grantWrite(role)
    grantLive(role, props, { readsStream: true })
    const webFunction = new CfnWebFunction(this, 'Function', { functionName: name })
    const revision = new CfnWebFunctionRevision(this, 'Revision', {
      functionName: name,
      buildConfig: {
        codeConfig: {
          s3Object: { bucket: code.deployedBucket.bucketName, key: Fn.select(0, code.objectKeys) },
        },
        runtimeConfig: { runtime: 'nodejs24.x' },
      },
      serviceConfig: {
        executionRoleArn: role.roleArn,
        environmentVariables: this.#environment(props),
        maxConcurrencyPerEnvironment: MAX_CONCURRENCY,
        timeoutSeconds: TIMEOUT.toSeconds(),
        telemetryConfig: { loggingConfig: { logGroup: logGroup.logGroupName } },
      },
    })
    revision.node.addDependency(webFunction, code, role, localLogs)
    const endpoint = this.#endpoint(name, revision, props.requestsPerSecond)
    endpoint.addResourceDependency(webFunction)
    for (const resource of [webFunction, revision, endpoint]) acknowledgeType(resource)
    this.domainName = endpoint.attrDomainName
    this.#check(endpoint, revision, props.handlers)
  }

  #endpoint(
    name: string,
    revision: CfnWebFunctionRevision,
    requestsPerSecond: number,
  ): CfnWebFunctionEndpoint {
    return new CfnWebFunctionEndpoint(this, 'Endpoint', {
      functionName: name,
      endpointName: 'live',
      endpointType: 'HomeRegion',
      // The origin secret protects it, as it protects the load balancer and the HTTP API.
      authType: 'ApplicationManaged',
      revisionWeights: [{ revisionId: revision.attrRevisionId, weight: 100 }],
      scalingConfig: { maxEnvironments: MAX_ENVIRONMENTS },
      // A client that knows the name of the endpoint can send requests past CloudFront, and each is billed.
      throttleConfig: { rateLimit: rateLimitFor(requestsPerSecond) },
    })
  }

  /**
   * Fails the deployment if the new revision does not answer. Lambda says that a revision is active
   * although its program does not start.
   */
  #check(
    endpoint: CfnWebFunctionEndpoint,
    revision: CfnWebFunctionRevision,
    handlers: HandlerSettings,
  ): void {
    const { function: check } = new HandlerFunction(this, 'Check', {
      ...handlers,
      handler: 'endpoint-check',
      isStoreless: true,
      description: 'Requests the web function at a deployment',
      memoryMiB: 256,
      timeout: Duration.minutes(2),
      environment: {},
    })
    const answers = new CustomResource(this, 'Answers', {
      serviceToken: check.functionArn,
      resourceType: 'Custom::MayflyEndpointCheck',
      // A new revision runs the function again.
      properties: { url: `https://${endpoint.attrDomainName}/healthz`, revision: revision.attrRevisionId },
    })
    answers.node.addDependency(endpoint)
  }

  #environment({ environment, storage, originSecret }: LiveWebFunctionProps): Record<string, string> {
    return {
      ...environment,
      [ENV.mailStreamArn]: storage.streamArn,
      [ENV.originSecretArn]: originSecret.secretArn,
      [ENV.streamMaxMs]: String(STREAM_MAX.toMilliseconds()),
    }
  }

  /**
   * The zip in a versioned bucket that Lambda may read; the bootstrap bucket does not grant that.
   */
  #code(name: string, { bundles, emptier, logRetentionDays }: LiveWebFunctionProps): BucketDeployment {
    const bucket = new Bucket(this, 'Code', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      versioned: true,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const revisions = Stack.of(this).formatArn({
      service: 'lambda',
      resource: 'web-function',
      resourceName: `${name}/revision/*`,
    })
    bucket.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('lambda.amazonaws.com')],
        actions: ['s3:GetObject', 's3:GetObjectVersion'],
        resources: [bucket.arnForObjects('*')],
        conditions: { ArnLike: { 'aws:SourceArn': revisions } },
      }),
    )
    const upload = new BucketDeployment(this, 'Upload', {
      sources: [Source.asset(join(bundles, 'web-function'))],
      destinationBucket: bucket,
      extract: false,
      // A revision is immutable and keeps the code that it was created from.
      prune: false,
      memoryLimit: 512,
      logGroup: new LogGroup(this, 'UploadLogs', {
        retention: logRetentionDays,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    })
    upload.node.addDependency(emptier.empties(bucket, { versioned: true }))
    return upload
  }
}

/**
 * Returns the least rate that Lambda accepts and that is not below this one: 100 to 1,000 in steps
 * of 100, and 2,000 to 10,000 in steps of 1,000 (CloudFormation, AWS::Lambda::WebFunctionEndpoint
 * ThrottleConfig).
 */
function rateLimitFor(requestsPerSecond: number): number {
  const step = requestsPerSecond > 1000 ? 1000 : 100
  return Math.ceil(requestsPerSecond / step) * step
}

/** The rules that CDK validates templates with do not know these resource types yet. */
function acknowledgeType(resource: CfnResource): void {
  Validations.of(resource).acknowledge({
    id: 'CloudFormation-Validate::F3006',
    reason: 'AWS Lambda Web Functions are newer than the rules.',
  })
}
