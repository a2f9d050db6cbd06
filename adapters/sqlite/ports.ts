import type { Domains, Keys, Limits } from '../../core/access/ports.ts'
import type { Clock } from '../../core/clock.ts'
import type { WebhookOutbox, WebhookStore } from '../../core/events/webhooks/ports.ts'
import type { AllMail, BlobStore, MessageStore } from '../../core/inbox/ports.ts'
import type { EmailTemplates } from '../../core/inbox/templates.ts'
import { SqliteAllMail } from './all-mail.ts'
import { SqliteBlobs } from './blobs.ts'
import type { Commands } from './commands.ts'
import type { Database } from './database.ts'
import { SqliteDomains } from './domains.ts'
import type { Search } from './findings.ts'
import { SqliteKeys } from './keys.ts'
import { SqliteLimits } from './limits.ts'
import { type LatestId, SqliteMessages } from './messages.ts'
import { SqliteTemplates } from './templates.ts'
import type { Committed } from './transaction.ts'
import { SqliteWebhooks } from './webhooks.ts'

/** The ports of a store. */
export interface StorePorts {
  clock: Clock
  emails: MessageStore
  allMail: AllMail
  blobs: BlobStore
  domains: Domains
  keys: Keys
  limits: Limits
  webhooks: WebhookStore & WebhookOutbox
  templates: EmailTemplates
}

/**
 * Returns the ports, which read from a connection and write with the commands.
 * @param search of the writing thread
 * @param latestId of the writing thread, which spares reads
 */
export function portsOn(
  db: Database,
  commands: Committed<Commands>,
  clock: Clock,
  search: Search,
  latestId?: LatestId,
): StorePorts {
  return {
    clock,
    emails: new SqliteMessages(db, commands, clock, search, latestId),
    allMail: new SqliteAllMail(db, commands, clock, search),
    blobs: new SqliteBlobs(db, commands),
    domains: new SqliteDomains(db, commands),
    keys: new SqliteKeys(db, commands),
    limits: new SqliteLimits(db, commands),
    webhooks: new SqliteWebhooks(db, commands, clock),
    templates: new SqliteTemplates(db, commands),
  }
}
