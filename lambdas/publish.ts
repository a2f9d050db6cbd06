/** Publishes what the mail table's stream tells to Valkey, for stream tasks that subscribe there. */
import type { _Record } from '@aws-sdk/client-dynamodb-streams'
import { readSettings } from '../adapters/aws/settings.ts'
import { Announcements } from '../adapters/dynamodb/stream-records.ts'
import { ValkeyPublisher } from '../adapters/valkey/publisher.ts'
import type { Change } from '../core/events/ports.ts'
import { log } from '../service/aws-log.ts'

/** What is read of an event of a stream (docs.aws.amazon.com/lambda/latest/dg/with-ddb.html). */
interface StreamEvent {
  Records: (Omit<_Record, 'userIdentity'> & {
    userIdentity?: { type?: string; principalId?: string }
  })[]
}

const settings = readSettings(process.env, ['valkeyUrl'])
const publisher = new ValkeyPublisher(settings.valkeyUrl)
const announcements = new Announcements(Date.now)

/** In their order; from the first that cannot be published on they come again. */
export async function handler(
  event: StreamEvent,
): Promise<{ batchItemFailures: { itemIdentifier: string }[] }> {
  for (const record of event.Records) {
    try {
      const change = understood(record)
      if (change !== undefined) await publisher.publish(change)
    } catch (error) {
      log('error', 'a change was not published', { error })
      return { batchItemFailures: [{ itemIdentifier: record.dynamodb!.SequenceNumber! }] }
    }
  }
  return { batchItemFailures: [] }
}

/** Undefined for what announces nothing, and for a shape that this version does not know, which is logged. */
function understood({
  userIdentity,
  dynamodb,
  ...record
}: StreamEvent['Records'][number]): Change | undefined {
  try {
    return announcements.of({
      ...record,
      dynamodb: { ...dynamodb, NewImage: decoded(dynamodb?.NewImage), OldImage: decoded(dynamodb?.OldImage) },
      userIdentity: { Type: userIdentity?.type, PrincipalId: userIdentity?.principalId },
    })
  } catch (error) {
    log('error', 'a record was not understood', { sequence: dynamodb?.SequenceNumber, error })
    return undefined
  }
}

type Image = NonNullable<_Record['dynamodb']>['NewImage']

/** Lambda gives binary attributes as base64, where the API of streams gives their bytes. */
function decoded(image: Image): Image {
  if (image === undefined) return undefined
  const entries = Object.entries(image).map(([name, value]) =>
    typeof (value.B as unknown) === 'string'
      ? [name, { B: Buffer.from(value.B as unknown as string, 'base64') }]
      : [name, value],
  )
  return Object.fromEntries(entries)
}
