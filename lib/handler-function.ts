import { join } from 'node:path'
import { type Duration, RemovalPolicy } from 'aws-cdk-lib'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
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
    })
  }
}
