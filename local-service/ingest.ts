import { openStore, type Store } from '../adapters/sqlite/store.ts'
import type { NewEnvelope } from '../core/inbox/receive.ts'
import type { RefusedMail } from '../core/inbox/refusals.ts'
import type { Config } from './config.ts'
import { type Certificate, isWildcard, listenAddresses } from './config-values.ts'
import type { IngestData } from './ingest-thread.ts'
import { selfSignedCertificate } from './self-signed.ts'

/** The store and the SMTP listener, which share the writing thread (ingest-thread.ts). */
export interface Ingest {
  store: Store
  /** Begins to listen, and returns where. Rejects if the port is not free. */
  listen(): Promise<{ host: string; port: number }>
  /**
   * Receives a message that did not arrive by SMTP, under the same rules. Returns the ids of its
   * emails.
   * @throws Problem `unavailable` if the store is full or failing
   */
  deliver(envelope: NewEnvelope, raw: Uint8Array, client: string): Promise<string[]>
  /** Numbers since the start, and the bytes that the store uses. */
  counts(): Promise<IngestCounts>
  /** The latest senders, recipients and messages that SMTP refused, newest first. */
  refusals(): Promise<RefusedMail[]>
  /** Accepts no more mail, and lets messages under way finish, for at most `graceMs`. */
  stop(graceMs: number): Promise<void>
}

export interface IngestCounts {
  /** Messages by any way in, and their bytes. */
  received: number
  receivedBytes: number
  /** Senders, recipients and messages that SMTP refused. */
  refused: number
  storedBytes: number
}

/** @throws StoreError if the store cannot be opened */
export async function openIngest(config: Config, onFailure: (error: Error) => void): Promise<Ingest> {
  const { host, smtpPort, mxHost, domains, maxMessageBytes, smtpAuth, smtpFaults, retentionMs, logLevel } =
    config
  const tls = certificateOf(config)
  const data: IngestData = {
    smtp: {
      name: mxHost,
      hosts: listenAddresses(host),
      port: smtpPort,
      maxBytes: maxMessageBytes,
      faults: smtpFaults,
      auth: smtpAuth,
      unknownDomainHint: unknownDomainHint(config),
      ...(tls && { tls }),
    },
    retentionMs,
    catchAll: config.catchAll,
    postmasterDomain: domains[0]?.name,
    log: { level: logLevel, readable: process.stdout.isTTY },
  }
  const store = await openStore({
    dir: config.dataDir,
    maxBytes: config.maxStoredBytes,
    onFailure,
    thread: { module: new URL('./ingest-thread.ts', import.meta.url), data },
  })
  return {
    store,
    listen: () => store.call('listen') as ReturnType<Ingest['listen']>,
    deliver: (envelope, raw, client) => store.call('deliver', envelope, raw, client) as Promise<string[]>,
    counts: () => store.call('counts') as Promise<IngestCounts>,
    refusals: () => store.call('refusals') as Promise<RefusedMail[]>,
    stop: (graceMs) => store.call('stop', graceMs) as Promise<void>,
  }
}

/**
 * The part of a 550 that says which mail is accepted. Names of private domains are not for
 * strangers; a reply line has at most 512 bytes (RFC 5321, section 4.5.3.1.5).
 */
function unknownDomainHint({ domains }: Config): string {
  const names = domains.filter(({ key }) => key === null).map(({ name }) => name)
  const all = names.join(', ')
  const listed = all.length <= 300 ? all : `${names.length} configured domains`
  const accepted = names.length === 0 ? '' : `It accepts mail for ${listed}. `
  return `${accepted}MAYFLY_CATCH_ALL=on accepts every domain`
}

/** The certificate for STARTTLS, with every name that a client of this machine connects to. */
function certificateOf({ tls, dataDir, mxHost, host }: Config): Certificate | undefined {
  if (tls !== 'self-signed') return tls
  const names = new Set([mxHost, 'localhost', '127.0.0.1', '::1'])
  if (!isWildcard(host)) names.add(host)
  return selfSignedCertificate(dataDir, [...names])
}
