import { join } from 'node:path'
import { type Duration, RemovalPolicy, Validations } from 'aws-cdk-lib'
import type { ISecurityGroup, IVpc, SubnetSelection } from 'aws-cdk-lib/aws-ec2'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'

/** What every function of the stack has in common. */
export interface HandlerSettings {
  /** Folder of the bundles: one folder for each handler (lib/bundling). */
  bundles: string
  logRetentionDays: number
}

export interface HandlerFunctionProps extends HandlerSettings {
  /** File in lambdas/, without `.ts`. */
  handler: string
  description: string
  memoryMiB: number
  timeout: Duration
  environment: Record<string, string>
  /** Where it runs, for one that must reach something inside of a VPC. */
  network?: { vpc: IVpc; subnets: SubnetSelection; securityGroup: ISecurityGroup }
}

/** A Lambda function that runs one handler of lambdas/, with a log group that forgets. */
export class HandlerFunction extends Construct {
  readonly function: LambdaFunction

  constructor(scope: Construct, id: string, props: HandlerFunctionProps) {
    super(scope, id)
    const logGroup = new LogGroup(this, 'Logs', {
      retention: props.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    // A role of our own: the managed AWSLambdaBasicExecutionRole may write to every log group of the account.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    logGroup.grantWrite(role)
    if (props.network !== undefined) mayHaveInterfaces(role)
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
      ...(props.network && {
        vpc: props.network.vpc,
        vpcSubnets: props.network.subnets,
        securityGroups: [props.network.securityGroup],
        allowPublicSubnet: true,
      }),
    })
  }
}

/** docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html: Lambda attaches it to the network by these. */
function mayHaveInterfaces(role: Role): void {
  const actions = [
    'ec2:CreateNetworkInterface',
    'ec2:DescribeNetworkInterfaces',
    'ec2:DescribeSubnets',
    'ec2:DeleteNetworkInterface',
    'ec2:AssignPrivateIpAddresses',
    'ec2:UnassignPrivateIpAddresses',
  ]
  role.addToPolicy(new PolicyStatement({ actions, resources: ['*'] }))
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'Network interfaces that are yet to be made have no name (AWSLambdaVPCAccessExecutionRole).',
  })
}
