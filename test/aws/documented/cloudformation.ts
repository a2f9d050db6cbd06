/**
 * What AWS documents of AWS CloudFormation and no emulator shows
 * (docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html).
 */

/** Resources, outputs and bytes of a template in S3. */
export const TEMPLATE_LIMITS = { resources: 500, outputs: 200, bytes: 1_000_000 }
