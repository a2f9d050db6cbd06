import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { WEB_ACL_REGION } from '../regions.ts'
import { WebAcl } from './web-acl.ts'

interface WebAclStackProps extends StackProps {
  /** The stack that reads the ARN of the web ACL, and is deployed after this one. */
  reader: Stack
  requestsPerFiveMinutes?: number | undefined
}

/** The web ACL of a deployment in another Region. Its only output is the ARN. */
export class WebAclStack extends Stack {
  constructor(scope: Construct, name: string, props: WebAclStackProps) {
    const { reader, requestsPerFiveMinutes, ...others } = props
    super(scope, name, { ...others, env: { region: WEB_ACL_REGION } })
    const { arn } = new WebAcl(this, 'WebAcl', { requestsPerFiveMinutes })
    new CfnOutput(this, 'Arn', { value: arn, description: 'ARN of the web ACL' })
    reader.addDependency(this)
  }
}
