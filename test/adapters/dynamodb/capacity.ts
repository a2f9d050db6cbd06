import type { ConsumedCapacity, DynamoDBClient } from '@aws-sdk/client-dynamodb'

/**
 * The capacity units that an operation consumed (docs.aws.amazon.com,
 * HowItWorks.ReadWriteCapacityMode).
 */
export interface Consumed {
  requests: string[]
  reads: number
  /** Units of the tables and of the index. */
  writes: number
  indexWrites: number
}

/** Adds up the capacity that DynamoDB reports for each request of a client. */
export function meter(client: DynamoDBClient): (work: () => Promise<unknown>) => Promise<Consumed> {
  let consumed = nothing()
  client.middlewareStack.add(
    (next, context) => async (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: 'INDEXES' })
      const name = (context.commandName ?? '').replace('Command', '')
      consumed.requests.push(name)
      const result = await next(args)
      const { ConsumedCapacity: told } = result.output as {
        ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[]
      }
      for (const one of [told ?? []].flat()) add(name, one)
      return result
    },
    { step: 'initialize', name: 'meter' },
  )

  function add(name: string, told: ConsumedCapacity): void {
    const table = told.Table?.CapacityUnits ?? 0
    const index = Object.values(told.GlobalSecondaryIndexes ?? {}).reduce(
      (sum, { CapacityUnits = 0 }) => sum + CapacityUnits,
      0,
    )
    if (['TransactWriteItems', 'PutItem', 'UpdateItem', 'DeleteItem'].includes(name)) {
      consumed.writes += table
      consumed.indexWrites += index
    } else {
      consumed.reads += table + index
    }
  }

  return async (work) => {
    const own = nothing()
    consumed = own
    await work()
    consumed = nothing()
    return own
  }
}

function nothing(): Consumed {
  return { requests: [], reads: 0, writes: 0, indexWrites: 0 }
}
