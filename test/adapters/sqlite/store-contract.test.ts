import { blobsContract } from '../../contract/blobs.ts'
import { changeFeedContract } from '../../contract/change-feed.ts'
import { domainsContract } from '../../contract/domains.ts'
import { expiryContract } from '../../contract/expiry.ts'
import { keysContract } from '../../contract/keys.ts'
import { limitsContract } from '../../contract/limits.ts'
import { emailsContract } from '../../contract/messages.ts'
import { webhooksContract } from '../../contract/webhooks.ts'
import { openConnected, openTemporary, openWriting } from './store-temporary.ts'

changeFeedContract('SQLite', openTemporary)
blobsContract('SQLite', openTemporary)
domainsContract('SQLite', openTemporary)
emailsContract('SQLite', openTemporary)
expiryContract('SQLite', async (clock) => {
  const { ports, close } = openWriting(clock)
  return { ...ports, close }
})
keysContract('SQLite', openTemporary)
limitsContract('SQLite', openTemporary)
webhooksContract('SQLite', openTemporary)

blobsContract('SQLite by way of a connection', openConnected)
emailsContract('SQLite by way of a connection', openConnected)
