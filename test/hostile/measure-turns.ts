/** Prints as JSON how long one request without an API key holds the main thread at a time. */
import { turns } from '../../bench/groups/turns.ts'

const { figures } = await turns.measure({ quick: true, progress: () => {} })
process.stdout.write(JSON.stringify(figures))
