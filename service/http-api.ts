import {
  type HttpApiEvent,
  type HttpApiResult,
  requestOf,
  resultOf,
} from '../adapters/apigateway/http-api.ts'
import { s3Client } from '../adapters/aws/clients.ts'
import { readSettings } from '../adapters/aws/settings.ts'
import { type Caller, callerOf, refusal } from '../adapters/cloudfront/edge.ts'
import { createApp } from '../adapters/http/app.ts'
import type { Endpoint } from '../adapters/http/endpoint.ts'
import { LargeAnswers } from '../adapters/s3/large-answers.ts'
import type { MailProvider } from '../core/access/ports.ts'
import {
  assembleAwsService,
  logFailed,
  OPTIONAL_SETTINGS,
  SERVICE_SETTINGS,
  type ServiceSettings,
} from './aws.ts'
import { type AwsStore, openStore } from './aws-store.ts'
import { openOperatorKeys } from './operator-keys.ts'
import { openOriginSecret } from './origin-secret.ts'

/**
 * Returns the Lambda handler of endpoints behind an HTTP API, for requests that come through
 * CloudFront.
 *
 * @param openProvider only in a program that verifies domains
 * @throws SettingsError; Error if a secret cannot be read
 */
export async function serveHttpApi(
  endpoints: Endpoint[],
  openProvider?: (settings: ServiceSettings, store: AwsStore) => MailProvider,
): Promise<(event: HttpApiEvent) => Promise<HttpApiResult>> {
  const settings = readSettings(process.env, [...SERVICE_SETTINGS, 'originSecretArn'], OPTIONAL_SETTINGS)
  const [originSecret, operatorKeys] = await Promise.all([
    openOriginSecret(settings.originSecretArn),
    openOperatorKeys(settings.operatorKeysArn),
  ])
  const s3 = s3Client()
  const store = openStore({ ...settings, s3 })
  const provider = openProvider?.(settings, store)
  const largeAnswers = new LargeAnswers(s3, settings.bucket)
  const { service } = assembleAwsService(settings, store, operatorKeys, provider)
  const app = createApp({
    service,
    endpoints,
    clientAddress: (c) => (c.env as Caller).address,
    answered: logFailed,
  })

  return async (event) => {
    const caller = callerOf((name) => event.headers[name], originSecret)
    const response =
      caller?.path === undefined
        ? refusal(event.requestContext.requestId)
        : await app.fetch(withRequestId(requestOf(event, caller.path, caller.host), event), caller)
    return resultOf(response, (body, headers) => largeAnswers.put(body, headers))
  }
}

/**
 * Gives a request without an id of its caller that of the HTTP API, so that the lines of the access
 * log and of this program can be joined.
 */
function withRequestId(request: Request, { requestContext }: HttpApiEvent): Request {
  if (!request.headers.has('x-request-id')) request.headers.set('x-request-id', requestContext.requestId)
  return request
}
