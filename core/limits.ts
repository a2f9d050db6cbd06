/**
 * The limits that users meet. Each name has the unit; the reason is given where the contract
 * does not set the value.
 */

import type { ReadingLimits } from '../reading/limits.ts'

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** docs/contract.md, "Access". */
export const API_KEY_REQUESTS_PER_MINUTE = 120
export const API_KEY_VALID_MS = 30 * DAY_MS
export const API_KEYS_PER_CLIENT_PER_DAY = 5
/**
 * Requests without an API key (endpoints 5 to 8) of one client address, which is not on this
 * machine.
 */
export const KEYLESS_REQUESTS_PER_MINUTE = 600
/**
 * All sessions of this service's own pages of one client address together: people who click, and
 * pages that refresh a list by events.
 */
export const PAGE_SESSION_REQUESTS_PER_MINUTE = 600
export const PAGE_SESSION_VALID_MS = DAY_MS
export const LIST_MAX = 100
export const LIST_DEFAULT = 50
/** A page of a list ends when its JSON reaches this size. */
export const LIST_BYTES = 1024 * 1024
/** Stored bytes that a store reads for a page before it yields the thread: about 10 ms. */
export const PAGE_READ_BYTES = 1024 * 1024
/**
 * Stored bytes that one request reads: of a list, whose texts may be left out of the answer, and of
 * a search.
 */
export const LIST_READ_BYTES = 4 * 1024 * 1024
export const SEARCH_READ_BYTES = 8 * 1024 * 1024

/** The owner chooses a domain key, which may be weak, so guessing must be slow. */
export const WRONG_DOMAIN_KEYS_PER_MINUTE = 20
/** Each asks DNS, and on AWS the mail provider, on behalf of a stranger. */
export const VERIFICATIONS_PER_MINUTE = 30
/**
 * Within this time a name causes at most this number of DNS queries. Further look-ups get the
 * newest answer.
 */
export const DNS_ANSWER_MS = 10 * SECOND_MS
export const DNS_QUESTIONS = 10
/**
 * A key record must be missing for this long before a private domain opens, so that its owner can
 * correct a mistake.
 */
export const KEY_MISSING_MS = 5 * MINUTE_MS
/** A domain is unregistered when DNS has given no definite answer for this long. */
export const DNS_UNANSWERED_MS = 3 * DAY_MS

/** New domains: each costs the mail provider an identity (Amazon SES holds 10,000 a Region). */
export const DOMAINS_PER_CLIENT_PER_DAY = 20

/**
 * The text in a summary. Small enough for a list of 100, large enough for any mail that a bot
 * reads.
 */
export const SUMMARY_TEXT_BYTES = 16 * 1024
/** Attachments that lists and events name; the single email names all of them. */
export const SUMMARY_ATTACHMENTS_MAX = 10
export const LINKS_MAX = 50
export const LINK_BYTES = 2048

/**
 * Bounds on the cost of reading a message. A header of one mail is seldom longer than 32 KB, has
 * more than 200 fields, or parts nested more than 5 deep. Converting a megabyte of HTML to text
 * takes an eighth of a second and 10 MB of memory; longer HTML is kept whole. A summary must stay
 * small: DynamoDB stores at most 400 KB in an item, and a stream event is one line. With the raw
 * message, what is derived from it takes at most 2.3 times its size and 96 KiB.
 */
export const READING_LIMITS: ReadingLimits = {
  headerBytes: 1024 * 1024,
  headerFields: 1000,
  encodedWords: 600,
  parts: 200,
  partFields: 4000,
  depth: 20,
  addressBytes: 16 * 1024,
  addresses: 100,
  subjectBytes: 4 * 1024,
  nameBytes: 512,
  htmlToTextCharacters: 4_000_000,
  derivedBytes: 96 * 1024,
  derivedFactor: 1.3,
  links: LINKS_MAX,
  linkBytes: LINK_BYTES,
}

/** How long mail is kept by default. */
export const RETENTION_MS = DAY_MS
/** Hours that an operator may keep mail; the service on one machine also accepts less than the first. */
export const RETENTION_MIN_HOURS = 1
export const RETENTION_MAX_HOURS = 8760
/**
 * The largest message by default: what Amazon SES accepts for S3
 * (docs.aws.amazon.com/ses/latest/dg/quotas.html).
 */
export const MESSAGE_BYTES = 40 * 1024 * 1024
export const RECIPIENTS_MAX = 100
/** A smaller answer fits into one packet uncompressed. */
export const COMPRESSED_BYTES = 1024
/**
 * SMTP connections in total and of one client address, and commands on a connection without a mail.
 */
export const SMTP_CONNECTIONS_MAX = 1000
export const SMTP_CONNECTIONS_PER_CLIENT = 20
/**
 * The last ones, which only clients with few connections get: fifty addresses must not hold every
 * place.
 */
export const SMTP_CONNECTIONS_RESERVED = 200
export const SMTP_COMMANDS_WITHOUT_MAIL = 10
/** Commands of any kind: a repeated recipient is accepted, and one above RECIPIENTS_MAX may be sent. */
export const SMTP_ALL_COMMANDS_WITHOUT_MAIL = 300
/**
 * Connections of a listener that are not accepted yet. If the backlog is full, TCP retries after a
 * second; with the default of Node (511), a thousand simultaneous clients delay others.
 */
export const LISTEN_BACKLOG = 4096
export const REQUEST_BODY_BYTES = 8 * 1024
export const PURPOSE_MAX_CHARACTERS = 100

export const WAIT_DEFAULT_SECONDS = 20
/** API Gateway gives up after 30 s. */
export const WAIT_MAX_SECONDS = 25

/** Emails that are replayed to a reconnected stream. A gap event replaces older ones. */
export const REPLAY_MAX = 1000
/** A batch of a replay: what one stream holds in memory, however many emails it missed. */
export const REPLAY_BATCH = 50
export const REPLAY_BATCH_BYTES = 256 * 1024
/** A comment is sent at least this often, so that no proxy closes an idle stream. */
export const KEEP_ALIVE_MS = 15 * SECOND_MS
/** Replays that run at once, for all streams. Each holds a batch in memory; the others wait. */
export const REPLAYS_MAX = 32
/**
 * A store publishes an email at most this long after reads see it. A later change may be sent
 * twice.
 */
export const CHANGE_FEED_LAG_MS = MINUTE_MS

/**
 * A stream is evicted when more than this waits for its reader for this long. One event is at most
 * about 120 KB.
 */
export const STREAM_BACKLOG_BYTES = 1024 * 1024
export const STREAM_BACKLOG_MS = 5 * SECOND_MS
/**
 * A stream is evicted at once above this: one mail to 100 recipients is 2 MB of events, which no
 * reader is slow for.
 */
export const STREAM_BURST_BYTES = 4 * 1024 * 1024
/**
 * A client that takes nothing of its answer or stream for this long, while something waits for it,
 * is evicted.
 */
export const STREAM_STALL_MS = 20 * SECOND_MS
/**
 * Bytes of all answers and streams that wait for their readers; above it the slowest are evicted.
 */
export const ANSWERS_WAITING_BYTES = 16 * 1024 * 1024
/** Connections of one client address without a request; above it the oldest are closed. */
export const IDLE_CONNECTIONS_PER_CLIENT = 500
/**
 * Streams and waits of one process. A client address may hold STREAMS_PER_CLIENT, as a CI machine
 * does, and more only while it leaves as many to others. The reserved ones go to clients that hold
 * few, so no group of large clients takes all.
 */
export const STREAMS_MAX = 22_000
export const STREAMS_PER_CLIENT = 5_000
export const STREAMS_RESERVED = 2_000
/** HTTP connections of one client address: its streams and some requests. */
export const HTTP_CONNECTIONS_PER_CLIENT = STREAMS_PER_CLIENT + 500
/** The last ones, which only clients with few connections get. */
export const HTTP_CONNECTIONS_RESERVED = 2_000
/**
 * Files of the process that HTTP connections leave: 100 for SMTP, the others for the store, the
 * threads and the pages.
 */
export const FILES_RESERVED = 100 + 300
/** Addresses that one stream follows. */
export const STREAM_ADDRESSES_MAX = 20
/**
 * Clients whose streams end together reconnect within this time, and at most this many each second.
 * This is for one machine; sse-service/service.ts has its own number.
 */
export const RECONNECT_MIN_MS = 2 * SECOND_MS
export const RECONNECTS_PER_SECOND = 1000
/** Pipelined requests that wait on one connection, and on all connections. */
export const PIPELINED_MAX = 64
export const PIPELINED_IN_ALL_MAX = 10_000
/**
 * A connection that pipelines more requests is closed, and its client address is refused for this
 * long.
 */
export const REFUSED_MS = 10 * SECOND_MS

/** Refused recipients and messages that are kept for the operator, of SMTP and of the send APIs each. */
export const REFUSALS_KEPT = 200
/** Characters of an address or a reply of a refusal that are kept: a reply line has at most 512 bytes. */
export const REFUSAL_CHARACTERS = 512

/** Each webhook is compared with every mail of its address or domain. */
export const WEBHOOKS_PER_KEY = 20
export const WEBHOOK_ATTEMPTS_KEPT = 100
/**
 * Text of an email in a webhook, and the whole body (Standard Webhooks: receivers accept 20 KB).
 */
export const WEBHOOK_TEXT_BYTES = 4 * 1024
export const WEBHOOK_BODY_BYTES = 18 * 1024
export const WEBHOOK_TIMEOUT_MS = 15 * SECOND_MS
/**
 * Requests at once: of one API key and to one host, which is enough for 10,000 emails a minute if
 * each takes 100 ms; and of all together.
 */
export const WEBHOOK_REQUESTS_PER_KEY = 32
/**
 * Of one webhook: fewer than its key may have to one host, so that one that hangs leaves some to
 * the others.
 */
export const WEBHOOK_REQUESTS_PER_WEBHOOK = 12
export const WEBHOOK_REQUESTS_MAX = 512

/**
 * A link check, as a person waits for it: in all, and for one link with its redirects. One request
 * of the service may take 29 s on AWS.
 */
export const LINK_CHECK_MS = 20 * SECOND_MS
export const LINK_MS = 5 * SECOND_MS
export const LINK_REDIRECTS_MAX = 5
/** Hosts that one check asks at the same time, and checks of one process. */
export const LINK_HOSTS_AT_ONCE = 6
export const LINK_CHECKS_AT_ONCE = 8

/**
 * Templates of the send APIs, of all providers together. Amazon SES allows 20,000 of 500 KB each.
 */
export const TEMPLATES_MAX = 5000
export const TEMPLATES_BYTES = 64 * 1024 * 1024
export const TEMPLATE_BYTES = 500 * 1024
/** The CPU time of all renderings of one request together. A template that takes longer is refused. */
export const TEMPLATE_RENDER_MS = SECOND_MS
/** Data of one template. Amazon SES: docs.aws.amazon.com/ses/latest/APIReference-V2/API_Template.html */
export const TEMPLATE_DATA_BYTES = 256 * 1024
/**
 * Bytes of all request bodies that the send APIs read or process at once. Further bytes are read
 * when there is room; one client address holds at most half.
 */
export const SEND_BODIES_BYTES = 128 * 1024 * 1024
/** A body up to this size does not wait for room. */
export const SEND_SMALL_BODY_BYTES = 64 * 1024
/** Bytes that the beginnings of all bodies hold at once. */
export const SEND_BODY_STARTS_BYTES = 64 * 1024 * 1024
/** Requests that may wait. Further ones get the provider's throttling error. */
export const SEND_REQUESTS_WAITING = 1000
/** A client that sends its body more slowly loses its place. */
export const SEND_BODY_MS = MINUTE_MS
/** Header fields of one message of a send API, with its subject. */
export const SEND_HEADERS_BYTES = 1024 * 1024
/**
 * Bytes of all messages that one request makes of one content, such as a mail for each of 1,000
 * recipients.
 */
export const SEND_COPIES_BYTES = 512 * 1024 * 1024
/** Messages of one batch or bulk request. */
export const SEND_BATCH_MAX = 500
