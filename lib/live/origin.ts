import { Duration } from 'aws-cdk-lib'
import { type IOrigin, OriginProtocolPolicy, VpcOrigin, VpcOriginEndpoint } from 'aws-cdk-lib/aws-cloudfront'
import { HttpOrigin, VpcOrigin as VpcOriginSettings } from 'aws-cdk-lib/aws-cloudfront-origins'
import type { Construct } from 'constructs'
import { accountName } from '../names.ts'
import type { Network } from './network.ts'
import type { SseService } from './sse-service.ts'
import type { LiveWebFunction } from './web-function.ts'

/** The program that serves streams, waits and MCP. */
export type LiveTarget = { sseService: SseService; network: Network } | { webFunction: LiveWebFunction }

const SETTINGS = {
  // Between two packets; an idle stream sends one every 15 s.
  readTimeout: Duration.seconds(60),
  keepaliveTimeout: Duration.seconds(60),
  // A second attempt would open a second stream.
  connectionAttempts: 1,
}

/** Returns the origin of the live endpoints. */
export function liveOrigin(
  scope: Construct,
  live: LiveTarget,
  customHeaders: Record<string, string>,
): IOrigin {
  if ('webFunction' in live) {
    return new HttpOrigin(live.webFunction.domainName, {
      ...SETTINGS,
      customHeaders,
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    })
  }
  const { loadBalancer } = live.sseService
  const vpcOrigin = new VpcOrigin(scope, 'VpcOrigin', {
    vpcOriginName: accountName(scope, 64),
    endpoint: VpcOriginEndpoint.applicationLoadBalancer(loadBalancer),
    protocolPolicy: OriginProtocolPolicy.HTTP_ONLY,
    httpPort: 80,
  })
  // CloudFront accepts a VPC origin only in a VPC with an internet gateway, although no packet
  // passes through it.
  vpcOrigin.node.addDependency(...live.network.connected)
  return VpcOriginSettings.withVpcOrigin(vpcOrigin, {
    ...SETTINGS,
    customHeaders,
  })
}
