import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import { HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { ENV } from '../../adapters/aws/env.ts'
import type { FunctionsProps } from '../common.ts'
import { grantStorage } from '../grants.ts'
import { HandlerFunction } from '../handler-function.ts'
import { localName, vendedLogsName } from '../names.ts'

/**
 * A route for each endpoint that is not live, so that each has its own metrics. A test compares
 * this list with the endpoints of adapters/http/endpoints.ts.
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
  { path: '/api/emails/{address}/{id}/link-check', methods: [HttpMethod.POST] },
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

/** Maximum length of the name of an HTTP API, in characters. */
const API_NAME_LENGTH = 128

/** The route of the verification function, the only one that creates SES identities for callers. */
const VERIFY_PATH = '/api/domain/verify/{domain}'

export interface RestApiProps extends FunctionsProps {
  originSecret: ISecret
  operatorKeys: ISecret | undefined
  throttle: { requestsPerSecond: number; burst: number }
  reservedConcurrency: number | undefined
  /** Answers VERIFY_PATH. */
  verification: LambdaFunction
}

/** REST: HTTP API → lambdas/api.ts. It answers only CloudFront, which knows the origin secret. */
export class RestApi extends Construct {
  readonly api: HttpApi
  readonly stage: HttpStage
  readonly function: LambdaFunction

  constructor(scope: Construct, id: string, props: RestApiProps) {
    super(scope, id)
    this.function = this.#handler(props)
    const integration = new HttpLambdaIntegration('Lambda', this.function)
    const verification = new HttpLambdaIntegration('VerificationLambda', props.verification)
    this.api = new HttpApi(this, 'Api', {
      apiName: localName(this, API_NAME_LENGTH),
      description: 'Mayfly REST',
      createDefaultStage: false,
      // The app answers wrong paths and methods too, in the format of its other problems.
      defaultIntegration: integration,
    })
    for (const { path, methods } of ROUTES)
      this.api.addRoutes({ path, methods, integration: path === VERIFY_PATH ? verification : integration })
    this.stage = this.#stage(props)
  }

  #stage({ throttle, handlers }: RestApiProps): HttpStage {
    const logGroup = new LogGroup(this, 'AccessLogs', {
      logGroupName: vendedLogsName(this),
      retention: handlers.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    return new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: throttle.requestsPerSecond, burstLimit: throttle.burst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(logGroup),
        // No path, query or client address: they hold mail addresses and keys, and show who reads
        // which mail.
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
  }

  #handler(props: RestApiProps) {
    const { storage, handlers, environment, originSecret, operatorKeys, reservedConcurrency } = props
    const { function: handler } = new HandlerFunction(this, 'Handler', {
      ...handlers,
      handler: 'api',
      description: 'Answers the REST endpoints',
      // CPU grows with memory: a cold start takes half as long at 1024 MB as at 512.
      memoryMiB: 1024,
      // An HTTP API gives up after 30 s (docs.aws.amazon.com/apigateway, HTTP API quotas).
      timeout: Duration.seconds(29),
      environment: { ...environment, [ENV.originSecretArn]: originSecret.secretArn },
      reservedConcurrency,
    })
    originSecret.grantRead(handler)
    operatorKeys?.grantRead(handler)
    grantStorage(handler, storage, {
      mailTable: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
      keysTable: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
      read: ['raw', 'parts', 'answers'],
      write: ['answers'],
      delete: ['raw', 'parts'],
    })
    handler.node.addDependency(storage.empties)
    return handler
  }
}
