import { Names } from 'aws-cdk-lib'
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import { Construct } from 'constructs'

/**
 * Refuses client addresses that send too many requests. It protects against floods and does not
 * replace the API's rate limit, because WAF counts late and inexactly. Only a stack in us-east-1
 * can have it: another deployment has a WebAclStack.
 */
export class WebAcl extends Construct {
  readonly arn: string

  constructor(
    scope: Construct,
    id: string,
    { requestsPerFiveMinutes = 3000 }: { requestsPerFiveMinutes?: number | undefined },
  ) {
    super(scope, id)
    const visibilityConfig = (metricName: string) => ({
      metricName,
      cloudWatchMetricsEnabled: true,
      // Samples would hold whole requests, with their keys.
      sampledRequestsEnabled: false,
    })
    const acl = new CfnWebACL(this, 'Acl', {
      name: Names.uniqueResourceName(this, { maxLength: 100, allowedSpecialCharacters: '-' }),
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visibilityConfig('MayflyWebAcl'),
      rules: [
        {
          name: 'PerAddress',
          priority: 0,
          action: { block: { customResponse: { responseCode: 429 } } },
          statement: {
            rateBasedStatement: {
              aggregateKeyType: 'IP',
              limit: requestsPerFiveMinutes,
              evaluationWindowSec: 300,
            },
          },
          visibilityConfig: visibilityConfig('MayflyPerAddress'),
        },
      ],
    })
    this.arn = acl.attrArn
  }
}
