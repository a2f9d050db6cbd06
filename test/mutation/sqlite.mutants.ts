import { openConnected } from '../adapters/sqlite/store-temporary.ts'
import { blobsContract } from '../contract/blobs.ts'
import { changeFeedContract } from '../contract/change-feed.ts'
import { domainsContract } from '../contract/domains.ts'
import { keysContract } from '../contract/keys.ts'
import { limitsContract } from '../contract/limits.ts'
import { emailsContract } from '../contract/messages.ts'
import { webhooksContract } from '../contract/webhooks.ts'

/**
 * The writer in the thread of the tests: a mutant in this thread would not exist in another one.
 */
changeFeedContract('SQLite', openConnected)
blobsContract('SQLite', openConnected)
domainsContract('SQLite', openConnected)
emailsContract('SQLite', openConnected)
keysContract('SQLite', openConnected)
limitsContract('SQLite', openConnected)
webhooksContract('SQLite', openConnected)
