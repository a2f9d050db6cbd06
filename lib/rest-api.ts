import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib'
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import { HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { ENV } from '../adapters/aws/env.ts'
import { grantStorage } from './grants.ts'
import { HandlerFunction, type HandlerSettings } from './handler-function.ts'
import type { Storage } from './storage.ts'
import { grantIdentities } from './verification.ts'

/**
 * A route for each endpoint that is not live, so that each has metrics of its own. A test holds this list
 * against the endpoints of adapters/http/endpoints.ts.
 */
export const ROUTES: { path: string; methods: HttpMethod[] }[] = [
  { path: '/api/random-username', methods: [HttpMethod.GET] },
  { path: '/api/domains', methods: [HttpMethod.GET] },
  { path: '/api/domains/random', methods: [HttpMethod.GET] },
  { path: '/api/domain/verify/{domain}', methods: [HttpMethod.GET] },
  { path: '/api/public/emails/{address}', methods: [HttpMethod.GET] },
  { path: '/api/emails/{address}', methods: [HttpMethod.GET, HttpMethod.DELETE] },
  { path: '/api/emails/{address}/read', methods: [HttpMethod.POST] },
  { path: '/api/emails/{address}/latest', methods: [HttpMethod.GET] },
  { path: '/api/emails/{address}/{id}', methods: [HttpMethod.GET, HttpMethod.DELETE] },
  { path: '/api/emails/{address}/{id}/raw', methods: [HttpMethod.GET] },
  { path: '/api/emails/{address}/{id}/attachments/{n}', methods: [HttpMethod.GET] },
  { path: '/api/keys', methods: [HttpMethod.GET, HttpMethod.POST] },
  { path: '/api/keys/current', methods: [HttpMethod.GET, HttpMethod.DELETE] },
  { path: '/api/session', methods: [HttpMethod.POST] },
  { path: '/api/webhooks', methods: [HttpMethod.GET, HttpMethod.POST] },
  { path: '/api/webhooks/{id}', methods: [HttpMethod.GET, HttpMethod.DELETE] },
  { path: '/api/webhooks/{id}/test', methods: [HttpMethod.POST] },
  { path: '/api/webhooks/{id}/deliveries', methods: [HttpMethod.GET] },
  { path: '/api/health', methods: [HttpMethod.GET] },
  { path: '/api/info', methods: [HttpMethod.GET] },
  { path: '/api/openapi.json', methods: [HttpMethod.GET] },
]

/** Its own function: its library is half as large again as all of REST. */
const MCP_PATH = '/mcp'

export interface RestApiProps {
  storage: Storage
  handlers: HandlerSettings
  environment: Record<string, string>
  originSecret: ISecret
  throttle: { requestsPerSecond: number; burst: number }
  /** Whether SES takes the mail. */
  usesSes: boolean
}

/** REST: HTTP API → lambdas/api.ts. It answers nobody but CloudFront, which knows the origin secret. */
export class RestApi extends Construct {
  readonly api: HttpApi
  readonly stage: HttpStage
  readonly function: LambdaFunction
  readonly mcp: LambdaFunction

  constructor(scope: Construct, id: string, props: RestApiProps) {
    super(scope, id)
    const { handlers, throttle } = props
    this.function = this.#handler('Handler', 'api', 'Answers the REST endpoints', props)
    this.mcp = this.#handler('Mcp', 'mcp', 'Answers clients of the Model Context Protocol', props)
    const integration = new HttpLambdaIntegration('Lambda', this.function)
    this.api = new HttpApi(this, 'Api', {
      description: 'Mayfly REST',
      createDefaultStage: false,
      // Wrong paths and methods are told so by the app, in the form of its other problems.
      defaultIntegration: integration,
    })
    for (const route of ROUTES) this.api.addRoutes({ ...route, integration })
    this.api.addRoutes({
      path: MCP_PATH,
      methods: [HttpMethod.POST],
      integration: new HttpLambdaIntegration('McpLambda', this.mcp),
    })
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: throttle.requestsPerSecond, burstLimit: throttle.burst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(
          new LogGroup(this, 'AccessLogs', {
            retention: handlers.logRetentionDays,
            removalPolicy: RemovalPolicy.DESTROY,
          }),
        ),
        // No path, no query and no client address: they hold mail addresses, keys, and who reads what.
        format: AccessLogFormat.custom(
          JSON.stringify({
            time: '$context.requestTimeEpoch',
            id: '$context.requestId',
            route: '$context.routeKey',
            status: '$context.status',
            ms: '$context.responseLatency',
            bytes: '$context.responseLength',
            error: '$context.integrationErrorMessage',
          }),
        ),
      },
    })
    Validations.of(this.api).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'Half of the endpoints are public; the others check X-API-Key, which a cached authorizer could not count.',
    })
  }

  #handler(id: string, handler: string, description: string, props: RestApiProps): LambdaFunction {
    const { storage, handlers, environment, originSecret, usesSes } = props
    const made = new HandlerFunction(this, id, {
      ...handlers,
      handler,
      description,
      // CPU comes with memory: at 1024 MB a cold start takes half as long as at 512.
      memoryMiB: 1024,
      // An HTTP API gives up after 30 s (docs.aws.amazon.com/apigateway, HTTP API quotas).
      timeout: Duration.seconds(29),
      environment: { ...environment, [ENV.originSecretArn]: originSecret.secretArn },
    }).function
    originSecret.grantRead(made)
    grantStorage(made, storage, {
      mailTable: 'read and write',
      keysTable: 'read and write',
      read: ['raw', 'parts', 'answers'],
      write: ['answers'],
      delete: ['raw', 'parts'],
    })
    made.node.addDependency(storage.empties)
    if (usesSes) grantIdentities(made)
    return made
  }
}
