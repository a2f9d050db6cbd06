import { join } from 'node:path'
import { type Duration, RemovalPolicy } from 'aws-cdk-lib'
import type { ISecurityGroup, IVpc, SubnetSelection } from 'aws-cdk-lib/aws-ec2'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import type { Handler } from './bundling/names.ts'

/** Settings that all functions of the stack share. */
export interface HandlerSettings {
  /** Folder of the bundles: one folder for each handler (lib/bundling). */
  bundles: string
  logRetentionDays: number
  /** Encrypts tables, queues and topics; every function may use it. */
  encryptionKey?: IKey | undefined
}

export interface HandlerFunctionProps extends HandlerSettings {
  /** File in lambdas/, without `.ts`. */
  handler: Handler
  description: string
  memoryMiB: number
  timeout: Duration
  environment: Record<string, string>
  /** Executions reserved for this function, which are also its maximum. */
  reservedConcurrency?: number | undefined
  /** Whether it uses no table, queue or bucket, so that it needs no key. */
  isStoreless?: true
  /** For a function that calls a resource in a VPC. */
  network?: { vpc: IVpc; subnets: SubnetSelection; securityGroup: ISecurityGroup }
}

/** A Lambda function that runs one handler of lambdas/, with its own role and log group. */
export class HandlerFunction extends Construct {
  readonly function: LambdaFunction

  constructor(scope: Construct, id: string, props: HandlerFunctionProps) {
    super(scope, id)
    const logGroup = new LogGroup(this, 'Logs', {
      retention: props.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    // The managed policy AWSLambdaBasicExecutionRole would allow writes to every log group of the
    // account.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    logGroup.grantWrite(role)
    if (!props.isStoreless) props.encryptionKey?.grantEncryptDecrypt(role)
    if (props.network !== undefined) allowNetworkInterfaces(role)
    this.function = new LambdaFunction(this, 'Function', {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(join(props.bundles, 'lambdas', props.handler)),
      memorySize: props.memoryMiB,
      timeout: props.timeout,
      environment: props.environment,
      role,
      logGroup,
      ...(props.reservedConcurrency !== undefined && {
        reservedConcurrentExecutions: props.reservedConcurrency,
      }),
      ...(props.network && {
        vpc: props.network.vpc,
        vpcSubnets: props.network.subnets,
        securityGroups: [props.network.securityGroup],
        allowPublicSubnet: true,
      }),
    })
  }
}

/**
 * Lambda attaches the function to the network with these (docs.aws.amazon.com/lambda,
 * configuration-vpc.html).
 */
function allowNetworkInterfaces(role: Role): void {
  const actions = [
    'ec2:CreateNetworkInterface',
    'ec2:DescribeNetworkInterfaces',
    'ec2:DescribeSubnets',
    'ec2:DeleteNetworkInterface',
    'ec2:AssignPrivateIpAddresses',
    'ec2:UnassignPrivateIpAddresses',
  ]
  role.addToPolicy(new PolicyStatement({ actions, resources: ['*'] }))
}
