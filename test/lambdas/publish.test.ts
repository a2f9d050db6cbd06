import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { Valkey } from 'iovalkey'
import { emailItem } from '../../adapters/dynamodb/email-item.ts'
import { emailOf } from '../../core/inbox/email.ts'
import { ulidSource } from '../../core/ulid.ts'
import { sampleContent } from '../contract/sample.ts'
import { eventually } from '../support/eventually.ts'
import { collectLog } from '../support/logged.ts'
import { describeOnValkey, startValkey, type ValkeyServer } from '../support/valkey.ts'
import { marshall } from './marshalled.ts'

const nextId = ulidSource(Date.now, (size) => new Uint8Array(size))

describeOnValkey('the publisher of changes', () => {
  let server: ValkeyServer
  let subscriber: Valkey
  let connections: Valkey[]
  const published: { type: string; id: string }[] = []
  let handler: (event: object) => Promise<{ batchItemFailures: { itemIdentifier: string }[] }>

  beforeAll(async () => {
    server = await startValkey()
    process.env.MAYFLY_VALKEY_URL = server.url
    // The function keeps its connection until its process ends, and this process has other suites.
    const connect = jest.spyOn(Valkey.prototype, 'connect')
    handler = (await import('../../lambdas/publish.ts')).handler as never
    connections = connect.mock.contexts as Valkey[]
    subscriber = new Valkey(server.url)
    subscriber.on('error', () => {})
    subscriber.on('message', (_, message: string) => {
      const change = JSON.parse(message)
      published.push({ type: change.type, id: change.email?.id ?? change.id })
    })
    await subscriber.subscribe('mayfly:mail:publish.example')
  })
  afterAll(async () => {
    for (const connection of connections) connection.disconnect()
    await server.kill()
  })

  /** A record as Lambda passes it: binary attributes are base64 text. */
  function record(sequence: string) {
    const email = emailOf(sampleContent(), 'bot@publish.example', nextId(), 3_600_000)
    const image = marshall(emailItem(sampleContent(), email, `m-${sequence}`))
    return {
      id: email.id,
      record: {
        eventName: 'INSERT',
        dynamodb: { SequenceNumber: sequence, Keys: { pk: image.pk, sk: image.sk }, NewImage: image },
      },
    }
  }

  test('publishes the emails of a Lambda event in order, and no expiry', async () => {
    const [one, two] = [record('1'), record('2')]
    const { NewImage: OldImage, Keys } = record('3').record.dynamodb
    const expiry = {
      eventName: 'REMOVE',
      dynamodb: { SequenceNumber: '3', Keys, OldImage },
      userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
    }
    expect(await handler({ Records: [one.record, expiry, two.record] })).toEqual({ batchItemFailures: [] })
    await eventually(
      '2 published changes',
      () => published,
      ({ length }) => length >= 2,
    )
    expect(published).toEqual([
      { type: 'email', id: one.id },
      { type: 'email', id: two.id },
    ])
  })

  test('skips a record of an unknown form, and publishes that an email was read or deleted', async () => {
    published.length = 0
    const [unknown, deleted, next] = [record('4'), record('5'), record('6')]
    const { NewImage: OldImage, ...others } = deleted.record.dynamodb
    const read = { ...others, OldImage, NewImage: { ...OldImage, read: { BOOL: true } } }
    const Records = [
      {
        ...unknown.record,
        dynamodb: { SequenceNumber: '4', Keys: { pk: { S: 'new-kind#1' }, sk: { S: '1' } } },
      },
      { eventName: 'MODIFY', dynamodb: read },
      { eventName: 'REMOVE', dynamodb: { ...others, OldImage } },
      next.record,
    ]
    const { lines, restore } = collectLog()
    expect(await handler({ Records })).toEqual({ batchItemFailures: [] })
    restore()
    const [line, ...more] = lines
    expect(line).toMatchObject({ level: 'error', message: 'a record was not understood', sequence: '4' })
    expect(more).toEqual([])
    await eventually(
      '3 published changes',
      () => published,
      ({ length }) => length >= 3,
    )
    expect(published).toEqual([
      { type: 'email-read', id: deleted.id },
      { type: 'email-deleted', id: deleted.id },
      { type: 'email', id: next.id },
    ])
  })

  test('asks for a retry from the first record that was not published, and publishes none after it', async () => {
    published.length = 0
    await server.kill()
    const records = [record('11'), record('12')].map((one) => one.record)
    const { lines, restore } = collectLog()
    expect(await handler({ Records: records })).toEqual({ batchItemFailures: [{ itemIdentifier: '11' }] })
    restore()
    expect(lines.at(-1)).toMatchObject({ level: 'error', message: 'a change was not published' })
    expect(published).toEqual([])
  })
})
