import { crc32 } from 'node:zlib'
import { type DynamoDBClient, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { type Item, n, s, ttl } from '../../../adapters/dynamodb/attributes.ts'
import { Table } from '../../../adapters/dynamodb/table.ts'
import { domainPart } from '../../../core/address.ts'
import { ulidSource, ulidTime } from '../../../core/ulid.ts'
import type { LocalTables } from '../../aws/dynamodb-local.ts'
import { dataOf020 } from '../../aws/older-stacks.ts'
import { HOUR_MS, unique } from '../../contract/sample.ts'

/** Heads of a domain in version 0.2.0. */
const HEADS = 8
const ADVANCE = 'SET #last_id = :id, #expires_at = :ttl'

/** A process of version 0.2.0: the requests of its transactions and of its streams over domains. */
export class Version020 {
  readonly #client: DynamoDBClient
  readonly #tables: LocalTables
  readonly #nextId: () => string

  /** @param clock Unix ms */
  constructor(client: DynamoDBClient, tables: LocalTables, clock: () => number = Date.now) {
    this.#client = client
    this.#tables = tables
    this.#nextId = ulidSource(clock, (size) => crypto.getRandomValues(new Uint8Array(size)))
  }

  /** Creates an id now, and resolves to a function that stores an email and resolves to its id. */
  async begin(address: string): Promise<() => Promise<string>> {
    const [sample] = (await dataOf020()).mail
    let id = this.#nextId()
    return async () => {
      for (;;) {
        const refusedBy = await this.#transact({ ...sample }, address, id)
        if (refusedBy === undefined) return id
        const next = this.#nextId()
        const last = refusedBy.last_id?.S ?? ''
        id =
          last < next
            ? next
            : ulidSource(
                () => ulidTime(last) + 1,
                () => new Uint8Array(10),
              )()
      }
    }
  }

  async store(address: string): Promise<string> {
    return (await this.begin(address))()
  }

  /** Returns the ids that a stream over this domain sends after `id`, having sent `id`. */
  async newer(domain: string, id: string): Promise<string[]> {
    const TableName = this.#tables.keysTable
    for (let head = 0; head < HEADS; head++) {
      const update = new UpdateItemCommand({
        TableName,
        Key: { pk: s(`head#${domain}#${head}`) },
        UpdateExpression: ADVANCE.replaceAll('#', ''),
        ConditionExpression: 'attribute_not_exists(pk) OR last_id < :id',
        ExpressionAttributeValues: { ':id': s(id), ':ttl': ttl(Date.now() + HOUR_MS) },
      })
      await this.#client.send(update).catch((error: Error) => {
        if (error.name !== 'ConditionalCheckFailedException') throw error
      })
    }
    const { Items = [] } = await this.#client.send(
      new QueryCommand({
        TableName: this.#tables.mailTable,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND sk > :id',
        ExpressionAttributeValues: { ':pk': s(`log#${domain}`), ':id': s(id) },
      }),
    )
    return Items.map(({ sk }) => sk?.S ?? '')
  }

  /** Returns the head if it refused the id. */
  async #transact(sample: Item, address: string, id: string): Promise<Item | undefined> {
    const { mailTable, keysTable } = this.#tables
    const [mail, keys] = [new Table(this.#client, mailTable), new Table(this.#client, keysTable)]
    const domain = domainPart(address)
    const messageId = unique()
    const expiresAt = ulidTime(id) + HOUR_MS
    const expiry = { expires_ms: n(expiresAt), expires_at: ttl(expiresAt) }
    const record = {
      pk: s(`delivery#${messageId}`),
      copies: { M: { [address]: s(id) } },
      left: n(1),
      retention_ms: n(HOUR_MS),
      expires_at: ttl(expiresAt),
    }
    const written = await mail.transact([
      keys.putting(record, { condition: 'attribute_not_exists(#pk)' }),
      keys.updating({ pk: s(`head#${domain}#${crc32(address) % HEADS}`) }, ADVANCE, {
        condition: 'attribute_not_exists(#pk) OR #last_id < :id',
        values: { ':id': s(id), ':ttl': ttl(expiresAt) },
      }),
      mail.putting({ ...sample, pk: s(`address#${address}`), sk: s(id), delivery: s(messageId), ...expiry }),
      mail.putting({ pk: s(`log#${domain}`), sk: s(id), address: s(address), ...expiry }),
    ])
    return written.done ? undefined : written.refused.get(1)
  }
}
