/**
 * Runs one handler of lambdas/ in a process of its own, as Lambda does: `node function.ts <handler>`
 * with the environment of the function. Each message is an event, and each answer its result.
 */
import type { InvokeOptions } from './running.ts'

// Programs keep this function at their start.
const { now } = Date
let ahead = 0
Date.now = () => now() + ahead

const { handler } = await import(`../../../lambdas/${process.argv[2]}.ts`)

type Message = { id: number; event: unknown } & InvokeOptions

process.on('message', async ({ id, event, aheadMs = 0, remainingMs = 300_000 }: Message) => {
  ahead = aheadMs
  const context = { getRemainingTimeInMillis: () => remainingMs }
  try {
    process.send!({ id, result: await handler(event, context) })
  } catch (error) {
    process.send!({ id, error: String(error) })
  }
})
process.send!({ ready: true })
