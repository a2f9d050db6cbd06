/** The thread that writes, with nothing beside it. */
import { runWriter } from './thread.ts'

await runWriter(async () => ({ calls: {}, close: async () => {} }))
