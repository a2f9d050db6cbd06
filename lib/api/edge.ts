import { Annotations, Aws, Duration } from 'aws-cdk-lib'
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
  type IOrigin,
  OriginProtocolPolicy,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  PriceClass,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import { AaaaRecord, ARecord, type IHostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53'
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets'
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { EDGE_HEADERS } from '../../adapters/aws/env.ts'
import type { Config } from '../config/resolved.ts'
import { type LiveTarget, liveOrigin } from '../live/origin.ts'
import { accountName } from '../names.ts'
import { WEB_ACL_REGION } from '../regions.ts'
import { SdkCalls } from '../sdk-calls.ts'
import { AccessLogs } from './access-logs.ts'
import { Pages, type PagesProps } from './pages.ts'
import type { RestApi } from './rest-api.ts'
import { WebAcl } from './web-acl.ts'

/** Paths of the live endpoints; a test compares them with adapters/http/endpoints.ts. */
export const LIVE_PATHS = ['/api/sse/*', '/api/user-dashboard/sse', '/api/emails/*/wait']
/** The Model Context Protocol, which the stream service answers too. */
const MCP_PATH = '/mcp'

/**
 * Statuses that CloudFront caches for 10 s by default, most of them whatever Cache-Control says.
 * One 503 would then reach every client of that edge location, and an EventSource does not retry
 * after it (docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html).
 */
const ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]

/**
 * Request headers that an origin receives, at most ten in a policy. It is a list, because the
 * policy that sends all headers but Host cannot add CloudFront-Viewer-Address, and an HTTP API
 * rejects a Host that is not its own.
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

/** Request headers of the Model Context Protocol. */
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
 * Runs at the edge before each API request. An HTTP API decodes the path, and can then no longer
 * tell `%2F` from `/` or `%3F` from `?`; a header carries the original path
 * (docs/decisions/aws-path-in-a-header.md).
 */
const COPY_REQUEST = `function handler(event) {
  var request = event.request
  request.headers['${EDGE_HEADERS.path}'] = { value: request.uri }
  request.headers['${EDGE_HEADERS.host}'] = { value: request.headers.host.value }
  var copies = { authorization: '${EDGE_HEADERS.authorization}', 'accept-encoding': '${EDGE_HEADERS.acceptEncoding}' }
  for (var name in copies) {
    var sent = request.headers[name]
    if (sent) request.headers[copies[name]] = { value: sent.value }
    else delete request.headers[copies[name]]
  }
  return request
}
`

export interface EdgeProps {
  restApi: RestApi
  live: LiveTarget
  originSecret: ISecret
  config: Pick<Config, 'host' | 'webAcl' | 'accessLogs' | 'logRetentionDays'>
  /** Undefined: there are no pages. */
  pages: PagesProps | undefined
}

/** One base URL: CloudFront in front of the stream service, the REST API and the pages. */
export class Edge extends Construct {
  readonly distribution: Distribution
  readonly baseUrl: string

  constructor(scope: Construct, id: string, props: EdgeProps) {
    super(scope, id)
    const { host, webAcl, accessLogs, logRetentionDays } = props.config
    const { live, rest, mcp } = this.#behaviours(props)
    const pages = props.pages && new Pages(this, 'Pages', props.pages)
    this.distribution = new Distribution(this, 'Distribution', {
      comment: 'Mayfly',
      defaultBehavior: pages?.defaultBehavior ?? rest,
      additionalBehaviors: {
        ...Object.fromEntries(LIVE_PATHS.map((path) => [path, live])),
        '/api/*': rest,
        [MCP_PATH]: mcp,
        ...pages?.additionalBehaviors,
      },
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_ALL,
      errorResponses: ERRORS.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      ...(host && {
        domainNames: [host.name],
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
        certificate: host.certificate,
      }),
      ...(webAcl && { webAclId: this.#webAclArn(webAcl, scope) }),
    })
    this.baseUrl = `https://${host?.name ?? this.distribution.distributionDomainName}`
    if (host?.zone !== undefined) this.#hostRecords(host.name, host.zone)
    if (accessLogs) {
      const { distribution } = this
      new AccessLogs(this, 'AccessLogs', { distribution, logRetentionDays, calls: SdkCalls.of(scope) })
    }
    if (props.pages === undefined) {
      Annotations.of(this).addWarningV2(
        'mayfly:no-pages',
        'web/dist does not exist, so the service is deployed without its pages. Build them first to include them.',
      )
    }
  }

  #webAclArn({ arn, stackName, ...settings }: NonNullable<Config['webAcl']>, service: Construct): string {
    if (stackName !== undefined) return SdkCalls.of(service).outputOf(stackName, WEB_ACL_REGION)
    return arn ?? new WebAcl(this, 'WebAcl', settings).arn
  }

  #behaviours({ restApi, live, originSecret }: EdgeProps): Record<'live' | 'rest' | 'mcp', BehaviorOptions> {
    // A dynamic reference: the template contains only the name of the secret.
    const customHeaders = { [EDGE_HEADERS.secret]: originSecret.secretValue.unsafeUnwrap() }
    const forwarded = this.#forwarding('Forwarded', FORWARDED_HEADERS)
    const functionAssociations = this.#copyRequest()
    const behaviour = (origin: IOrigin, originRequestPolicy: OriginRequestPolicy): BehaviorOptions => ({
      origin,
      originRequestPolicy,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // The app answers wrong methods, in the format of its other problems.
      allowedMethods: AllowedMethods.ALLOW_ALL,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      compress: false,
      functionAssociations,
    })
    const liveService = liveOrigin(this, live, customHeaders)
    const rest = new HttpOrigin(`${restApi.api.apiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`, {
      customHeaders,
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      readTimeout: Duration.seconds(35),
    })
    return {
      live: behaviour(liveService, forwarded),
      rest: behaviour(rest, forwarded),
      mcp: behaviour(liveService, this.#forwarding('ForwardedMcp', MCP_HEADERS)),
    }
  }

  #copyRequest(): NonNullable<BehaviorOptions['functionAssociations']> {
    const copy = new EdgeFunction(this, 'SendPathAlong', {
      functionName: accountName(this, 64),
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(COPY_REQUEST),
      comment: 'Copies the path and headers of a request as the caller sent them',
    })
    return [{ eventType: FunctionEventType.VIEWER_REQUEST, function: copy }]
  }

  #forwarding(id: string, headers: string[]): OriginRequestPolicy {
    const scope = new Construct(this, id)
    return new OriginRequestPolicy(scope, 'Policy', {
      originRequestPolicyName: accountName(scope, 128),
      comment: 'Mayfly: the headers and the query that the API reads',
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
