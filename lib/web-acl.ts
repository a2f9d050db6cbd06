import { Names } from 'aws-cdk-lib'
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import { Construct } from 'constructs'

/**
 * Refuses a client address that asks too often. A guard against floods, not the
 * rate limit of the API: WAF counts late and not exactly. Only a stack in us-east-1 can have it.
 */
export class WebAcl extends Construct {
  readonly arn: string

  constructor(scope: Construct, id: string, { requestsPerFiveMinutes }: { requestsPerFiveMinutes: number }) {
    super(scope, id)
    const visibilityConfig = (metricName: string) => ({
      metricName,
      cloudWatchMetricsEnabled: true,
      // Samples hold whole requests, with their keys.
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
