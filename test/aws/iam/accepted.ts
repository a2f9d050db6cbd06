/**
 * Permissions that no recorded or documented request needs, as `<role>: <action> on <resource>`, and
 * why they stay.
 */
export const ACCEPTED: [permission: RegExp, reason: string][] = [
  [
    /^CustomCDKBucketDeployment\w+: s3:/,
    'CDK’s function that copies the pages and the code; its grants are CDK’s.',
  ],
  [
    /: secretsmanager:DescribeSecret on /,
    'CDK’s grant to read a secret; it shows names and dates, and not the value.',
  ],
  [
    /^(InboundIngest|WebhooksSender): sqs:(ChangeMessageVisibility|GetQueueUrl) on /,
    'CDK’s grant of an event source: on the queue whose messages the function receives.',
  ],
  [/: s3:AbortMultipartUpload on /, 'An upload in parts that fails is aborted.'],
  [
    /^InboundIngest: s3:DeleteObject on \S+\/parts\/\*$/,
    'Parts of a message whose last email was deleted while the message was stored again.',
  ],
  [
    /^Calls: logs:DeleteDelivery on \S+:delivery-(source|destination):/,
    'One statement for creating a delivery, which needs all three resources, and for deleting it.',
  ],
  [
    /^Calls: logs:DeleteDeliverySource on \S+:delivery-source:/,
    'IAM’s reference names a destination for this action, and the API a source: both are allowed.',
  ],
  [/^ValkeyPublish: kms:DescribeKey on /, 'CDK’s grant of an event source, with the key of its table.'],
  [
    /^Verification\w+: ses:(Create|Delete)EmailIdentity on |^Verification\w+: ses:TagResource on /,
    'In a rule set of others, the stack creates the identities: one that failed or that is missing is made again.',
  ],
]
