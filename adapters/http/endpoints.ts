import type { Endpoint } from './endpoint.ts'
import { listDomains, randomDomain, verifyDomain } from './endpoints/domains.ts'
import { attachment, deleteEmail, rawMessage, readEmail } from './endpoints/emails.ts'
import { health } from './endpoints/health.ts'
import { clearInbox, inbox, latest, publicInbox, readInbox } from './endpoints/inboxes.ts'
import { info } from './endpoints/info.ts'
import { currentKey, keyQuota, newKey, revokeKey } from './endpoints/keys.ts'
import { checkLinks } from './endpoints/link-check.ts'
import { openSession } from './endpoints/session.ts'
import { addressStream, domainsStream } from './endpoints/streams.ts'
import { randomUsername } from './endpoints/usernames.ts'
import { wait } from './endpoints/wait.ts'
import {
  deleteWebhook,
  getWebhook,
  listWebhooks,
  newWebhook,
  testWebhook,
  webhookDeliveries,
} from './endpoints/webhooks.ts'
import type { LiveService } from './service.ts'

/**
 * The endpoints that answer at once. Order matters where two paths match: `latest` and `current`
 * are not ids.
 */
export const REST_ENDPOINTS: Endpoint[] = [
  randomUsername,
  listDomains,
  randomDomain,
  verifyDomain,
  publicInbox,
  inbox,
  clearInbox,
  readInbox,
  latest,
  readEmail,
  deleteEmail,
  rawMessage,
  attachment,
  checkLinks,
  keyQuota,
  newKey,
  currentKey,
  revokeKey,
  openSession,
  newWebhook,
  listWebhooks,
  getWebhook,
  deleteWebhook,
  testWebhook,
  webhookDeliveries,
  health,
  info,
]

/** The streams. */
export const STREAM_ENDPOINTS: Endpoint<LiveService>[] = [addressStream, domainsStream]

/**
 * The endpoints that answer later or for long: they need a Node server and the change feed of the
 * store. They come before the REST endpoints, because `wait` is not an id.
 */
export const LIVE_ENDPOINTS: Endpoint<LiveService>[] = [...STREAM_ENDPOINTS, wait]
