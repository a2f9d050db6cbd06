import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

export interface Capacity {
  read: number
  write: number
  requests: number
}

interface Consumed {
  CapacityUnits?: number
}

/** Counts what the requests of a client cost, as DynamoDB says it; `take` gives the sum since the last time. */
export function countCapacity(client: DynamoDBClient): { take(): Capacity } {
  let sum: Capacity = { read: 0, write: 0, requests: 0 }
  client.middlewareStack.add(
    (next, context) => async (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' })
      const writes = /^(Put|Update|Delete|TransactWrite|BatchWrite)/.test(context.commandName ?? '')
      sum.requests++
      const result = await next(args).catch((error: { name?: string }) => {
        // A condition that is not met costs a write of the item that is there; the answer does not say how much.
        if (error.name === 'ConditionalCheckFailedException') sum.write++
        throw error
      })
      const { ConsumedCapacity = [] } = result.output as { ConsumedCapacity?: Consumed | Consumed[] }
      for (const { CapacityUnits = 0 } of [ConsumedCapacity].flat())
        sum[writes ? 'write' : 'read'] += CapacityUnits
      return result
    },
    { step: 'initialize', name: 'countCapacity' },
  )
  return {
    take() {
      const taken = sum
      sum = { read: 0, write: 0, requests: 0 }
      return taken
    },
  }
}
