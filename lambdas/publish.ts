/** Publishes the changes in the mail table's stream to Valkey, to which stream tasks subscribe. */
import type { _Record } from '@aws-sdk/client-dynamodb-streams'
import { readSettings } from '../adapters/aws/settings.ts'
import { StreamRecords } from '../adapters/dynamodb/stream-records.ts'
import { ValkeyPublisher } from '../adapters/valkey/publisher.ts'
import type { Change } from '../core/events/ports.ts'
import { log } from '../service/aws-log.ts'

type Image = NonNullable<_Record['dynamodb']>['NewImage']
/** Lambda passes binary attributes as base64 text. */
type EncodedImage = Record<string, { B?: string } & Omit<NonNullable<Image>[string], 'B'>>

/**
 * The fields of a stream event that are read (docs.aws.amazon.com/lambda/latest/dg/with-ddb.html).
 */
interface StreamEvent {
  Records: (Omit<_Record, 'userIdentity' | 'dynamodb'> & {
    userIdentity?: { type?: string; principalId?: string }
    dynamodb?: Omit<NonNullable<_Record['dynamodb']>, 'NewImage' | 'OldImage'> & {
      NewImage?: EncodedImage
      OldImage?: EncodedImage
    }
  })[]
}

const settings = readSettings(process.env, ['valkeyUrl'])
const publisher = new ValkeyPublisher(settings.valkeyUrl)
const streamRecords = new StreamRecords(Date.now)

/** Publishes in order. Lambda retries from the first record that could not be published. */
export async function handler(
  event: StreamEvent,
): Promise<{ batchItemFailures: { itemIdentifier: string }[] }> {
  for (const record of event.Records) {
    try {
      const change = changeOf(record)
      if (change !== undefined) await publisher.publish(change)
    } catch (error) {
      log('error', 'a change was not published', { error })
      return { batchItemFailures: [{ itemIdentifier: record.dynamodb?.SequenceNumber ?? '' }] }
    }
  }
  return { batchItemFailures: [] }
}

/**
 * Returns undefined if the record is no change. Logs a record of an unknown format, and returns
 * undefined for it too.
 */
function changeOf({ userIdentity, dynamodb, ...record }: StreamEvent['Records'][number]): Change | undefined {
  const { NewImage, OldImage, ...others } = dynamodb ?? {}
  try {
    return streamRecords.of({
      ...record,
      dynamodb: { ...others, NewImage: decoded(NewImage), OldImage: decoded(OldImage) },
      userIdentity: { Type: userIdentity?.type, PrincipalId: userIdentity?.principalId },
    })
  } catch (error) {
    log('error', 'a record was not understood', { sequence: others.SequenceNumber, error })
    return undefined
  }
}

function decoded(image: EncodedImage | undefined): Image {
  if (image === undefined) return undefined
  const entries = Object.entries(image).map(([name, value]) => [
    name,
    value.B === undefined ? value : { B: Buffer.from(value.B, 'base64') },
  ])
  return Object.fromEntries(entries)
}
