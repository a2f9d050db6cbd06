import { randomBytes } from 'node:crypto'
import { ApiKeyService } from '../../../core/access/api-keys.ts'
import { Usernames } from '../../../core/access/usernames.ts'
import { Mailbox } from '../../../core/inbox/mailbox.ts'
import { receive } from '../../../core/inbox/receive.ts'
import { DAY_MS } from '../../../core/limits.ts'
import { ulidSource } from '../../../core/ulid.ts'
import { readMail } from '../../../local-service/reading.ts'
import { NO_VERDICTS } from '../../../reading/message.ts'
import { countCapacity } from '../../support/capacity.ts'
import type { BenchDynamoDb } from '../../support/dynamodb.ts'
import type { Figure } from '../../support/figures.ts'
import { sampleMail } from '../../support/mails.ts'
import type { ObjectStore } from '../../support/object-store.ts'
import { DOMAIN, storeOf } from './cloud.ts'

const MAILS = 60

/** What each use case costs in DynamoDB, with mails of 2 KB. */
export async function operations(dynamo: BenchDynamoDb, s3: ObjectStore): Promise<Figure[]> {
  const capacity = countCapacity(dynamo.client)
  const store = storeOf(dynamo, s3)
  const mailbox = new Mailbox(store.emails, store.blobs)
  const apiKeyService = new ApiKeyService(store.keys, store.limits, Date.now, randomBytes)
  const usernames = new Usernames(store.limits, randomBytes)
  const nextKey = ulidSource(Date.now, randomBytes)
  const figures: Figure[] = []
  const address = `operations@${DOMAIN}`

  async function cost<T>(name: string, operation: () => Promise<T>): Promise<T> {
    capacity.take()
    const result = await operation()
    const { read, write, requests } = capacity.take()
    figures.push(
      { name: `${name}: read units`, value: read, unit: 'RCU' },
      { name: `${name}: write units`, value: write, unit: 'WCU' },
      { name: `${name}: requests to DynamoDB`, value: requests, unit: 'requests' },
    )
    return result
  }
  async function arrive(recipients: string[]): Promise<void> {
    const raw = sampleMail('2 KB')
    const key = nextKey()
    await store.blobs.put(key, 'raw', raw)
    await receive(store, { messageId: key, mailFrom: null, recipients, verdicts: NO_VERDICTS }, raw, {
      read: readMail,
      retentionMs: DAY_MS,
    })
  }

  for (let i = 1; i < MAILS; i++) await arrive([address])
  await cost('a mail for one address', () => arrive([address]))
  const two = [`first@${DOMAIN}`, `second@${DOMAIN}`]
  // An inbox without any mail costs less, at least in DynamoDB Local.
  await arrive(two)
  await cost('a mail for two addresses', () => arrive(two))
  const { key } = await apiKeyService.issue('198.51.100.7', 'benchmark')
  await apiKeyService.authenticate(key)
  await cost('checking an API key', () => apiKeyService.authenticate(key))
  await cost('looking up the domain', () => store.domains.find(DOMAIN))
  const inbox = { address, registration: (await store.domains.find(DOMAIN))! }
  const { emails } = await cost('list of 50', () => mailbox.list(inbox, { limit: 50 }))
  await cost('latest', () => mailbox.latest(inbox, {}))
  const { id } = emails[0]!
  await cost('single, the first time', () => mailbox.read(inbox, id))
  await cost('single, read before', () => mailbox.read(inbox, id))
  await cost('deleting one', () => mailbox.remove(inbox, id))
  await cost('a random username', () => usernames.take())
  return figures
}
