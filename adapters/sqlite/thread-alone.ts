/** The writing thread, without anything beside the writer. */
import { runWriter } from './thread.ts'

await runWriter(async () => ({ calls: {}, close: async () => {} }))
