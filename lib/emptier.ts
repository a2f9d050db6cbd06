import { type CfnElement, CustomResource, Duration, Stack, Validations } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Bucket } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { HandlerFunction, type HandlerSettings } from './handler-function.ts'

/**
 * Empties buckets before they are deleted: lambdas/empty.ts. CDK's autoDeleteObjects does the same, with a
 * function whose log group stays when the stack is gone.
 */
export class Emptier extends Construct {
  readonly #function: LambdaFunction

  constructor(scope: Construct, id: string, handlers: HandlerSettings) {
    super(scope, id)
    this.#function = new HandlerFunction(this, 'Empty', {
      ...handlers,
      handler: 'empty',
      description: 'Empties the buckets before they are deleted',
      memoryMiB: 512,
      timeout: Duration.minutes(15),
      environment: {},
    }).function
  }

  /** What writes to the bucket must depend on what this returns, so that it is gone before the bucket is emptied. */
  empties(bucket: Bucket): Construct {
    const allow = (action: string, resource: string) =>
      new PolicyStatement({ actions: [action], resources: [resource] })
    this.#function.addToRolePolicy(allow('s3:ListBucket', bucket.bucketArn))
    this.#function.addToRolePolicy(allow('s3:DeleteObject', bucket.arnForObjects('*')))
    const id = Stack.of(this).getLogicalId(bucket.node.defaultChild as CfnElement)
    Validations.of(this.#function.role!).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${id}.Arn>/*]`,
      reason: 'It deletes whatever is in the bucket.',
    })
    const resource = new CustomResource(bucket, 'Empties', {
      serviceToken: this.#function.functionArn,
      resourceType: 'Custom::MayflyObjects',
      properties: { bucket: bucket.bucketName },
    })
    // Without its rights it could not empty anything.
    resource.node.addDependency(this.#function.role!)
    return resource
  }
}
