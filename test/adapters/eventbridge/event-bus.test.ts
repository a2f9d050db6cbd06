import { createServer } from 'node:http'
import { EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { EventBus } from '../../../adapters/eventbridge/event-bus.ts'
import { openCloud } from '../../aws/cloud.ts'
import { describeOnEmulator, EMULATED, type Emulator, startEmulator } from '../../aws/emulator.ts'
import { listening } from '../../support/http-server.ts'

test('the entry of an event has its bus, source, type, time and detail', async () => {
  let sent = ''
  const service = await listening(
    createServer(async (request, response) => {
      for await (const chunk of request) sent += chunk
      response.end('{"FailedEntryCount":0,"Entries":[{"EventId":"1"}]}')
    }),
  )
  const client = new EventBridgeClient({ ...EMULATED, endpoint: service.url })
  await new EventBus('ours', client).put([
    { type: 'email.received', time: '2026-01-02T03:04:05.000Z', detail: { n: 1 } },
  ])
  client.destroy()
  await service.close()
  expect(JSON.parse(sent).Entries).toEqual([
    {
      EventBusName: 'ours',
      Source: 'mayfly',
      DetailType: 'email.received',
      Time: Date.parse('2026-01-02T03:04:05Z') / 1000,
      Detail: '{"n":1}',
    },
  ])
})

describeOnEmulator('An event bus', () => {
  let emulator: Emulator
  let client: EventBridgeClient
  let sqs: SQSClient
  let queueUrl: string

  beforeAll(async () => {
    emulator = await startEmulator()
    client = new EventBridgeClient({ ...EMULATED, endpoint: emulator.endpoint })
    sqs = new SQSClient({ ...EMULATED, endpoint: emulator.endpoint })
    queueUrl = (await sqs.send(new CreateQueueCommand({ QueueName: 'told' }))).QueueUrl!
    const cloud = openCloud(emulator.endpoint)
    const events = (action: string, body: object) => cloud.json('events', `AWSEvents.${action}`, body)
    await events('CreateEventBus', { Name: 'ours' })
    const EventPattern = JSON.stringify({ source: ['mayfly'], 'detail-type': ['email.received'] })
    await events('PutRule', { Name: 'all', EventBusName: 'ours', EventPattern })
    const Targets = [{ Id: 'queue', Arn: 'arn:aws:sqs:us-east-1:000000000000:told' }]
    await events('PutTargets', { Rule: 'all', EventBusName: 'ours', Targets })
  })
  afterAll(async () => {
    client.destroy()
    sqs.destroy()
    await emulator.stop()
  })

  const event = (n: number) => ({
    type: 'email.received',
    time: '2026-01-02T03:04:05.678Z',
    detail: { n },
  })

  test('receives every event, even more than one request can hold', async () => {
    await new EventBus('ours', client).put(Array.from({ length: 23 }, (_, n) => event(n)))
    const told = new Set<number>()
    while (told.size < 23) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10 }),
      )
      for (const { Body } of Messages) told.add(JSON.parse(Body!).detail.n)
    }
    expect([...told].sort((a, b) => a - b)).toEqual(Array.from({ length: 23 }, (_, n) => n))
  })

  test('rejects if a response with status 200 reports a failed event', async () => {
    // The emulator has no bus of another account, and no permissions on buses.
    const theirs = new EventBus('arn:aws:events:us-east-1:111122223333:event-bus/theirs', client)
    await expect(theirs.put([event(0)])).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('rejects when EventBridge fails', async () => {
    const failing = await listening(createServer((_, response) => response.writeHead(500).end('{}')))
    const there = new EventBridgeClient({ ...EMULATED, endpoint: failing.url, maxAttempts: 1 })
    await expect(new EventBus('ours', there).put([event(0)])).rejects.toMatchObject({ code: 'unavailable' })
    there.destroy()
    await failing.close()
  })
})
