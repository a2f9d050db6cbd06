import { announcementsContract } from '../../contract/change-feed.ts'
import { bytesContract } from '../../contract/blobs.ts'
import { domainsContract } from '../../contract/domains.ts'
import { emailsContract } from '../../contract/messages.ts'
import { keysContract } from '../../contract/keys.ts'
import { limitsContract } from '../../contract/limits.ts'
import { openConnected, openTemporary } from './store-temporary.ts'

announcementsContract('SQLite', openTemporary)
bytesContract('SQLite', openTemporary)
domainsContract('SQLite', openTemporary)
emailsContract('SQLite', openTemporary)
keysContract('SQLite', openTemporary)
limitsContract('SQLite', openTemporary)

bytesContract('SQLite by way of a connection', openConnected)
emailsContract('SQLite by way of a connection', openConnected)
