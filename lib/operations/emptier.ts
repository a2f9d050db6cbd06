import { CustomResource, Duration } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Bucket } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { HandlerFunction, type HandlerSettings } from '../handler-function.ts'

/**
 * Empties buckets before CloudFormation deletes them: lambdas/empty.ts. CDK's `autoDeleteObjects`
 * does the same, but the log group of its function stays after the stack is deleted.
 */
export class Emptier extends Construct {
  readonly #function: LambdaFunction

  constructor(scope: Construct, id: string, handlers: HandlerSettings) {
    super(scope, id)
    this.#function = new HandlerFunction(this, 'Empty', {
      ...handlers,
      handler: 'empty',
      isStoreless: true,
      description: 'Empties the buckets before they are deleted',
      memoryMiB: 512,
      timeout: Duration.minutes(15),
      environment: {},
    }).function
  }

  /**
   * Empties this bucket when the stack is deleted.
   * @returns a construct that every writer to the bucket must depend on, so that deletion removes
   *   the writer first
   */
  empties(bucket: Bucket, { versioned } = { versioned: false }): Construct {
    const allow = (action: string, resource: string) =>
      new PolicyStatement({ actions: [action], resources: [resource] })
    const [list, remove] = versioned
      ? (['s3:ListBucketVersions', 's3:DeleteObjectVersion'] as const)
      : (['s3:ListBucket', 's3:DeleteObject'] as const)
    this.#function.addToRolePolicy(allow(list, bucket.bucketArn))
    this.#function.addToRolePolicy(allow(remove, bucket.arnForObjects('*')))
    return new CustomResource(bucket, 'Empties', {
      serviceToken: this.#function.functionArn,
      resourceType: 'Custom::MayflyObjects',
      properties: { bucket: bucket.bucketName, ...(versioned && { versioned: 'true' }) },
    })
  }
}
