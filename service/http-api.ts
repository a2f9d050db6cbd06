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
import { joinService, logFailed, OPTIONAL_SETTINGS, parsed, SERVICE_SETTINGS } from './aws.ts'
import { openStore } from './aws-store.ts'
import { openOriginSecret } from './origin-secret.ts'

/**
 * The handler of endpoints behind an HTTP API, for requests that come through CloudFront.
 * @throws SettingsError; Error when the origin secret cannot be read
 */
export async function serveHttpApi(
  endpoints: Endpoint[],
): Promise<(event: HttpApiEvent) => Promise<HttpApiResult>> {
  const settings = readSettings(process.env, [...SERVICE_SETTINGS, 'originSecretArn'], OPTIONAL_SETTINGS)
  const originSecret = await openOriginSecret(settings.originSecretArn)
  const s3 = s3Client()
  const store = openStore({ ...settings, configured: parsed(settings).configured, s3 })
  const largeAnswers = new LargeAnswers(s3, settings.bucket)
  const app = createApp({
    service: joinService(settings, store),
    endpoints,
    clientAddress: (c) => (c.env as Caller).address,
    answered: logFailed,
  })

  return async (event) => {
    const caller = await callerOf((name) => event.headers[name], originSecret)
    const response =
      caller?.path === undefined
        ? refusal(event.requestContext.requestId)
        : await app.fetch(requestOf(event, caller.path, caller.host), caller)
    return resultOf(response, (body, headers) => largeAnswers.put(body, headers))
  }
}
