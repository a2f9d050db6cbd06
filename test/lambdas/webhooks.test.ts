import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ENV } from '../../adapters/aws/env.ts'
import { hashKey } from '../../core/access/api-keys.ts'
import type { WebhookJob } from '../../core/events/webhooks/ports.ts'
import type { AwsStore } from '../../service/aws-store.ts'
import { type LocalDeployment, openLocalDeployment } from '../aws/local-deployment.ts'
import { describeOnDynamoDb } from '../aws/on-dynamodb.ts'
import { putDomain, sampleDomain, sampleWebhook, uniqueHash } from '../contract/sample.ts'
import { listening } from '../support/http-server.ts'
import { collectLog } from '../support/logged.ts'
import { startSecrets, type TestSecrets } from '../support/secrets.ts'
import { type SentMessage, startSqs, type TestSqs } from '../support/sqs.ts'

const SECRET_ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:operator-a1B2c3'
const OPERATOR = 'operator-key-0123456789'

/** The handler with DynamoDB Local, an SQS that notes what it gets, and a target that it must not call. */
describeOnDynamoDb('the sender of webhooks', () => {
  let deployment: LocalDeployment
  let secrets: TestSecrets
  let sqs: TestSqs
  let target: Awaited<ReturnType<typeof listening>>
  let store: AwsStore
  let domain: string
  let handler: (event: object) => Promise<{ batchItemFailures: object[] }>
  let calls = 0

  beforeAll(async () => {
    deployment = await openLocalDeployment()
    secrets = await startSecrets({ [SECRET_ARN]: [OPERATOR] })
    sqs = await startSqs()
    target = await listening(
      createServer((_, response) => {
        calls++
        response.end()
      }),
    )
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      AWS_ENDPOINT_URL_SQS: sqs.url,
      [ENV.operatorKeysArn]: SECRET_ARN,
      [ENV.webhookQueueUrl]: `${sqs.url}/123456789012/webhooks`,
    })
    ;({ handler } = (await import('../../lambdas/webhooks.ts')) as never)
    store = deployment.store
    domain = (await putDomain(store.domains, sampleDomain())).name
  })
  afterAll(async () => {
    await target?.close()
    await sqs?.close()
    await secrets?.close()
    await deployment?.close()
  })

  const addWebhook = async (keyHash: string) => {
    const webhook = sampleWebhook(Date.now(), {
      keyHash,
      url: target.url,
      status: 'pending',
      target: { domain },
    })
    await store.webhooks.add(webhook, 20)
    return webhook.id
  }

  const ping = (webhook: string) => ({
    messageId: webhook,
    body: JSON.stringify({ webhook, address: '', email: '', attempts: 0, due: 0 } satisfies WebhookJob),
  })

  test('makes an attempt for a key of the operator, never to a private address, and queues the next one', async () => {
    const id = await addWebhook(hashKey(OPERATOR))
    expect(await handler({ Records: [ping(id)] })).toEqual({ batchItemFailures: [] })
    const [attempt] = await store.webhooks.attempts(id)
    expect(attempt).toMatchObject({ type: 'ping', status: null, error: expect.any(String) })
    const [{ QueueUrl, MessageBody }] = sqs.sent as [SentMessage]
    expect(QueueUrl).toBe(process.env[ENV.webhookQueueUrl])
    expect(JSON.parse(MessageBody)).toMatchObject({ webhook: id, attempts: 1, due: attempt!.nextAt })
    expect(calls).toBe(0)
  })

  test('removes the webhook of a key that does not exist', async () => {
    const id = await addWebhook(uniqueHash())
    await handler({ Records: [ping(id)] })
    expect(await store.webhooks.find(id)).toBeUndefined()
  })

  test('returns only the messages to the queue that it could not handle', async () => {
    const id = await addWebhook(hashKey(OPERATOR))
    const Records = [{ messageId: 'broken', body: 'not JSON' }, ping(id)]
    const { lines, restore } = collectLog()
    expect(await handler({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: 'broken' }] })
    restore()
    expect(lines).toContainEqual({
      level: 'error',
      message: 'a webhook attempt was not handled',
      messageId: 'broken',
      error: expect.stringContaining('SyntaxError'),
    })
    expect(await store.webhooks.attempts(id)).toHaveLength(1)
  })
})
