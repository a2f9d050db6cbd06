import { Annotations, Aws, Duration, Validations } from 'aws-cdk-lib'
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  PriceClass,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
  VpcOrigin,
  VpcOriginEndpoint,
} from 'aws-cdk-lib/aws-cloudfront'
import { HttpOrigin, VpcOrigin as VpcOriginSettings } from 'aws-cdk-lib/aws-cloudfront-origins'
import { AaaaRecord, ARecord, type IHostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53'
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets'
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { EDGE_HEADERS } from '../adapters/aws/env.ts'
import { accountName } from './names.ts'
import type { Network } from './network.ts'
import { Pages, type PagesProps } from './pages.ts'
import type { MayflyHost, Settled } from './props.ts'
import type { RestApi } from './rest-api.ts'
import type { SseService } from './sse-service.ts'
import { WebAcl } from './web-acl.ts'

/** Paths of the live endpoints (adapters/http/endpoints/streams.ts; a test holds them against each other). */
export const LIVE_PATHS = ['/api/sse/*', '/api/user-dashboard/sse', '/api/emails/*/wait']

/**
 * The statuses of origins that CloudFront keeps for 10 s, most of them whatever Cache-Control says: one 503 would
 * be everybody's at that edge, and an EventSource never tries again after it
 * (docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html).
 */
const ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]

/**
 * What an origin is sent of a caller's headers. A list, since the policy that sends all but Host cannot send
 * CloudFront-Viewer-Address, and an HTTP API refuses a Host that is not its own. A policy holds ten at most.
 */
const FORWARDED_HEADERS = [
  'X-API-Key',
  'X-Domain-Key',
  'X-Request-Id',
  'Last-Event-ID',
  'Content-Type',
  'Sec-Fetch-Site',
  EDGE_HEADERS.viewer,
  EDGE_HEADERS.path,
  EDGE_HEADERS.host,
  EDGE_HEADERS.acceptEncoding,
]

/** Those of a client of the Model Context Protocol. */
const MCP_HEADERS = [
  'X-Domain-Key',
  'Content-Type',
  'Accept',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  EDGE_HEADERS.viewer,
  EDGE_HEADERS.path,
  EDGE_HEADERS.host,
  EDGE_HEADERS.authorization,
]

/**
 * Runs at the edge before anything else. An HTTP API decodes the path, and with it tells `%2F` from `/` and
 * `%3F` from `?` no more; the path as it was sent goes along in a header (docs/decisions).
 */
const SEND_PATH_ALONG = `function handler(event) {
  var request = event.request
  request.headers['${EDGE_HEADERS.path}'] = { value: request.uri }
  request.headers['${EDGE_HEADERS.host}'] = { value: request.headers.host.value }
  var again = { authorization: '${EDGE_HEADERS.authorization}', 'accept-encoding': '${EDGE_HEADERS.acceptEncoding}' }
  for (var name in again) {
    var sent = request.headers[name]
    if (sent) request.headers[again[name]] = { value: sent.value }
    else delete request.headers[again[name]]
  }
  return request
}
`

export interface EdgeProps {
  restApi: RestApi
  sseService: SseService
  network: Network
  originSecret: ISecret
  host: MayflyHost | undefined
  webAcl: Settled['webAcl']
  /** Undefined for none. */
  pages: PagesProps | undefined
}

/** One base URL: CloudFront in front of the stream service, the REST API and the pages. */
export class Edge extends Construct {
  readonly distribution: Distribution
  readonly baseUrl: string

  constructor(scope: Construct, id: string, props: EdgeProps) {
    super(scope, id)
    const { host, webAcl } = props
    const { live, rest, mcp } = this.#behaviours(props)
    const pages = props.pages && new Pages(this, 'Pages', props.pages)
    this.distribution = new Distribution(this, 'Distribution', {
      comment: 'Mayfly',
      defaultBehavior: pages?.defaultBehavior ?? rest,
      additionalBehaviors: {
        ...Object.fromEntries(LIVE_PATHS.map((path) => [path, live])),
        '/api/*': rest,
        '/mcp': mcp,
        ...pages?.additionalBehaviors,
      },
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_ALL,
      errorResponses: ERRORS.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      ...(host === undefined
        ? {}
        : {
            domainNames: [host.name],
            minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
            certificate: host.certificate,
          }),
      ...(webAcl === undefined ? {} : { webAclId: new WebAcl(this, 'WebAcl', webAcl).arn }),
    })
    this.baseUrl = `https://${host?.name ?? this.distribution.distributionDomainName}`
    if (host?.zone !== undefined) this.#hostRecords(host.name, host.zone)
    if (props.pages === undefined) {
      Annotations.of(this).addWarningV2(
        'mayfly:no-pages',
        'There is no web/dist: the service is deployed without its pages. Build them first to have them.',
      )
    }
    Validations.of(this.distribution).acknowledge(
      { id: 'AwsSolutions-CFR1', reason: 'The service is for callers everywhere.' },
      {
        id: 'AwsSolutions-CFR2',
        reason:
          'A web ACL costs 6 dollars a month, so it is made when the configuration asks for it; keys have limits of their own.',
      },
      {
        id: 'AwsSolutions-CFR3',
        reason: 'Access logs would hold the query, in which streams carry the domain key.',
      },
      {
        id: 'AwsSolutions-CFR4',
        reason:
          'CloudFront’s own certificate allows no minimum; with a certificate of the configuration it is TLS 1.2.',
      },
      {
        id: 'AwsSolutions-CFR5',
        reason:
          'The VPC origin is plain HTTP inside of AWS: an internal load balancer has no name to get a certificate for.',
      },
    )
  }

  #behaviours({ restApi, sseService, network, originSecret }: EdgeProps): {
    live: BehaviorOptions
    rest: BehaviorOptions
    mcp: BehaviorOptions
  } {
    // A dynamic reference: the template holds the secret's name only.
    const customHeaders = { [EDGE_HEADERS.secret]: originSecret.secretValue.unsafeUnwrap() }
    const common = {
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: this.#forwarding('Forwarded', FORWARDED_HEADERS),
      // Wrong methods are refused by the app, in the form of its other problems.
      allowedMethods: AllowedMethods.ALLOW_ALL,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      compress: false,
    }
    const vpcOrigin = new VpcOrigin(this, 'VpcOrigin', {
      vpcOriginName: accountName(this, 64),
      endpoint: VpcOriginEndpoint.applicationLoadBalancer(sseService.loadBalancer),
      protocolPolicy: OriginProtocolPolicy.HTTP_ONLY,
      httpPort: 80,
    })
    // CloudFront takes a VPC origin only where an internet gateway is attached, though no packet passes it.
    vpcOrigin.node.addDependency(...network.connected)
    const rest: BehaviorOptions = {
      ...common,
      origin: new HttpOrigin(`${restApi.api.apiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`, {
        customHeaders,
        protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
        readTimeout: Duration.seconds(35),
      }),
      functionAssociations: [
        {
          eventType: FunctionEventType.VIEWER_REQUEST,
          function: new EdgeFunction(this, 'SendPathAlong', {
            functionName: accountName(this, 64),
            runtime: FunctionRuntime.JS_2_0,
            code: FunctionCode.fromInline(SEND_PATH_ALONG),
            comment: 'Sends the path along as the caller wrote it',
          }),
        },
      ],
    }
    return {
      live: {
        ...common,
        origin: VpcOriginSettings.withVpcOrigin(vpcOrigin, {
          domainName: sseService.loadBalancer.loadBalancerDnsName,
          customHeaders,
          // Between two packets; an idle stream has one every 15 s.
          readTimeout: Duration.seconds(60),
          keepaliveTimeout: Duration.seconds(60),
          // A second attempt would open a second stream.
          connectionAttempts: 1,
        }),
      },
      rest,
      mcp: { ...rest, originRequestPolicy: this.#forwarding('ForwardedMcp', MCP_HEADERS) },
    }
  }

  #forwarding(id: string, headers: string[]): OriginRequestPolicy {
    const scope = new Construct(this, id)
    return new OriginRequestPolicy(scope, 'Policy', {
      originRequestPolicyName: accountName(scope, 128),
      comment: 'Mayfly: what the API reads of a request',
      headerBehavior: OriginRequestHeaderBehavior.allowList(...headers),
      cookieBehavior: OriginRequestCookieBehavior.allowList('mayfly_session'),
      queryStringBehavior: OriginRequestQueryStringBehavior.all(),
    })
  }

  #hostRecords(name: string, zone: IHostedZone): void {
    const target = RecordTarget.fromAlias(new CloudFrontTarget(this.distribution))
    new ARecord(this, 'HostA', { zone, recordName: `${name}.`, target })
    new AaaaRecord(this, 'HostAaaa', { zone, recordName: `${name}.`, target })
  }
}
