import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { SESv2Client } from '@aws-sdk/client-sesv2'
import { SQSClient } from '@aws-sdk/client-sqs'
import { expect, jest, test } from '@jest/globals'
import { dynamoClient, s3Client } from '../../../adapters/aws/clients.ts'
import { EventBus } from '../../../adapters/eventbridge/event-bus.ts'
import { StoredSecret } from '../../../adapters/secretsmanager/secret.ts'
import { openProvider } from '../../../adapters/ses/client.ts'
import { Queue } from '../../../adapters/sqs/queue.ts'
import { openLiveStore } from '../../../sse-service/live-store.ts'
import { AWS_VARIABLES } from '../../support/aws-variables.ts'

Object.assign(process.env, AWS_VARIABLES, {
  MAYFLY_BASE_URL: 'http://127.0.0.1:1',
  MAYFLY_CANARY_DOMAIN: 'x.test',
})

interface Client {
  config: {
    requestHandler: object
    maxAttempts(): Promise<number>
    retryMode: string | (() => Promise<string>)
  }
}

/** Returns the client with which a program calls a service; the call itself is not made. */
async function clientOf(type: { prototype: object }, call: () => Promise<unknown>): Promise<Client> {
  const clients: Client[] = []
  const sending = jest.spyOn(type.prototype as { send(): Promise<object> }, 'send')
  sending.mockImplementation(async function (this: unknown) {
    clients.push(this as Client)
    return { SecretString: 'x' }
  })
  await call()
  sending.mockRestore()
  return clients[0]!
}

const provider = () => openProvider({ owner: 'o', isConfigured: async () => true }).claim('x.test')
const canary = async () => {
  const context = { getRemainingTimeInMillis: () => 0 }
  await (await import('../../../lambdas/canary.ts')).handler({}, context).catch(() => {})
}
const stream = async () => {
  const tables = { mailTable: 'm', keysTable: 'k', bucket: 'b', mailStreamArn: 'arn' }
  const { changeFeed } = openLiveStore({ ...tables, report: () => {} })
  const started = changeFeed.start()
  await changeFeed.stop()
  await started.catch(() => {})
}
const event = { type: 't', time: '2026-01-02T03:04:05Z', detail: {} }

const DEFAULTS = { attempts: 3, mode: 'standard' }
/** Milliseconds; a function or a task must not wait longer than its own caller does. */
const CLIENTS: [string, () => Client | Promise<Client>, object, object][] = [
  ['DynamoDB', dynamoClient as never, { connectionTimeout: 1000, requestTimeout: 3000 }, { attempts: 4 }],
  [
    'the stream of the table',
    () => clientOf(DynamoDBStreamsClient, stream),
    { connectionTimeout: 1000, requestTimeout: 5000 },
    // Its reader retries by itself.
    { attempts: 1 },
  ],
  ['S3', s3Client as never, { connectionTimeout: 2000, socketTimeout: 20_000 }, {}],
  [
    'EventBridge',
    () => clientOf(EventBridgeClient, () => new EventBus('ours').put([event])),
    { connectionTimeout: 1000, requestTimeout: 5000 },
    { attempts: 4 },
  ],
  [
    'SQS',
    () => clientOf(SQSClient, () => new Queue('https://sqs.us-east-1.amazonaws.com/1/q').send('x')),
    { connectionTimeout: 1000, requestTimeout: 5000 },
    { attempts: 4 },
  ],
  [
    'Secrets Manager',
    () => clientOf(SecretsManagerClient, () => new StoredSecret('arn').current()),
    { connectionTimeout: 1000, requestTimeout: 2000 },
    {},
  ],
  [
    'SES for identities',
    () => clientOf(SESv2Client, provider),
    { connectionTimeout: 2000, requestTimeout: 5000 },
    { attempts: 5, mode: 'adaptive' },
  ],
  [
    'SES for the canary',
    () => clientOf(SESv2Client, canary),
    { connectionTimeout: 2000, requestTimeout: 5000 },
    {},
  ],
]

test.each(CLIENTS)('the client of %s gives up in time', async (_, open, timeouts, retries) => {
  const { config } = await open()
  // The handler reads its settings before its first request.
  const { configProvider: handler } = config.requestHandler as { configProvider: Promise<object> }
  const throwing = 'requestTimeout' in timeouts ? { throwOnRequestTimeout: true } : {}
  expect(await handler).toMatchObject({ ...timeouts, ...throwing })
  const mode = typeof config.retryMode === 'function' ? await config.retryMode() : config.retryMode
  expect({ attempts: await config.maxAttempts(), mode }).toEqual({ ...DEFAULTS, ...retries })
})
