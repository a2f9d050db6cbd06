import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

export interface Capacity {
  read: number
  write: number
  requests: number
}

interface Consumed {
  CapacityUnits?: number
}

/**
 * Adds up the capacity that the requests of a client consume, as DynamoDB reports it; `take`
 * returns the sum since its last call.
 */
export function countCapacity(client: DynamoDBClient): { take(): Capacity } {
  let sum: Capacity = { read: 0, write: 0, requests: 0 }
  client.middlewareStack.add(
    (next, context) => async (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' })
      const writes = /^(Put|Update|Delete|TransactWrite|BatchWrite)/.test(context.commandName ?? '')
      sum.requests++
      const result = await next(args).catch((error: { name?: string }) => {
        // A failed condition costs a write of the existing item, which the answer does not report.
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
