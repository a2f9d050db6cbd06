import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createApp } from '../../adapters/http/app.ts'
import { LIVE_ENDPOINTS, REST_ENDPOINTS } from '../../adapters/http/endpoints.ts'
import type { LiveService } from '../../adapters/http/service.ts'
import { ApiKeyService, hashKey, mintApiKey } from '../../core/access/api-keys.ts'
import { ClientRate } from '../../core/access/client-rate.ts'
import { DomainService } from '../../core/access/domain-service.ts'
import { PageSessions } from '../../core/access/page-sessions.ts'
import type { Dns, Domain, Keys, MxRecord } from '../../core/access/ports.ts'
import type { Usernames } from '../../core/access/usernames.ts'
import { DomainVerifier } from '../../core/access/verifier.ts'
import { WrongKeys } from '../../core/access/wrong-keys.ts'
import { Problem } from '../../core/errors.ts'
import { Live } from '../../core/events/live.ts'
import { Mailbox } from '../../core/inbox/mailbox.ts'
import { receive } from '../../core/inbox/receive.ts'
import { KEYLESS_REQUESTS_PER_MINUTE } from '../../core/limits.ts'
import { readMail } from '../../local-service/reading.ts'
import { NO_VERDICTS } from '../../reading/message.ts'
import { describeOnDynamoDb } from '../aws/on-dynamodb.ts'
import { FIRST_ID, unique, uniqueMessageId } from '../contract/sample.ts'
import { FakeLimits } from '../core/access/fakes.ts'
import { LONG } from '../faults/rounds.ts'
import { type Host, onDynamoDb, onSqlite } from './private-mail-hosts.ts'

/**
 * The number of scenarios at once, each with its own domain in one store, and the number of
 * repetitions.
 */
const AT_ONCE = 20
const RUNS = { SQLite: LONG ? 80 : 10, DynamoDB: LONG ? 10 : 3 }
const RETENTION_MS = 1e11
const MX_HOST = 'mx.here.example'
const API_KEY = mintApiKey((size) => new Uint8Array(size).fill(7))

type Key = 'first' | 'second' | 'wrong' | undefined

/** One action; it gives up the event loop `turns` times, where other actions may run. */
type Step = { turns: number; waits: boolean } & (
  | { do: 'dns'; mx: 'ours' | 'other' | 'none' | 'fail'; txt: 'first' | 'second' | 'typo' | 'none' | 'fail' }
  | { do: 'verify'; by: 'service' | Key }
  | { do: 'mail' }
  | { do: 'read'; path: string; key: Key; method?: 'DELETE' }
  | { do: 'follow'; key: Key; replays: boolean }
  | { do: 'later'; minutes: number }
  /**
   * The key record disappears, and its absence is seen twice; the domain leaves, and another owner
   * registers it.
   */
  | { do: 'open' | 'begin anew' }
)

const turns = fc.integer({ min: 0, max: 6 })
const waits = fc.boolean()
const key = fc.constantFrom<Key>(undefined, undefined, 'first', 'second', 'wrong')
const dns = fc.record({
  do: fc.constant('dns' as const),
  turns,
  waits,
  mx: fc.constantFrom(
    'ours' as const,
    'ours' as const,
    'ours' as const,
    'other' as const,
    'none' as const,
    'fail' as const,
  ),
  txt: fc.constantFrom(
    'first' as const,
    'first' as const,
    'second' as const,
    'typo' as const,
    'none' as const,
    'fail' as const,
  ),
})
const other = fc.oneof(
  fc.record({
    do: fc.constant('verify' as const),
    turns,
    waits,
    by: fc.constantFrom<Key | 'service'>('service', undefined, 'first'),
  }),
  fc.record({ do: fc.constant('mail' as const), turns, waits }),
  fc.record({ do: fc.constant('mail' as const), turns, waits }),
  fc.record({
    do: fc.constant('read' as const),
    turns,
    waits,
    key,
    path: fc.constantFrom('list', 'list', 'latest', 'wait', 'whole', 'raw', 'attachment'),
  }),
  fc.record({ do: fc.constant('follow' as const), turns, waits, key, replays: fc.boolean() }),
  fc.record({ do: fc.constantFrom('open' as const, 'begin anew' as const), turns, waits }),
  fc.record({ do: fc.constant('later' as const), turns, waits, minutes: fc.integer({ min: 1, max: 6 }) }),
)
const scenario = fc.record({
  /** False for a process that ends before it removes mail that is no longer shown. */
  purges: fc.boolean(),
  steps: fc.array(fc.oneof({ weight: 1, arbitrary: dns }, { weight: 3, arbitrary: other }), {
    minLength: 4,
    maxLength: 24,
  }),
})

describe('no private mail is shown without its key, on SQLite', () => scenariosOn('SQLite', onSqlite))

describeOnDynamoDb('no private mail is shown without its key, on DynamoDB', () =>
  scenariosOn('DynamoDB', onDynamoDb),
)

/** For each mail, the registration for which it was accepted, whatever happens in between. */
function scenariosOn(name: keyof typeof RUNS, open: () => Promise<Host>): void {
  const numRuns = RUNS[name]
  let store: Host
  let live: Live
  const zones = new Map<string, { mx: string; txt: string; turns: number }>()

  beforeAll(async () => {
    store = await open()
    live = new Live(store.changeFeed, store.emails, store.clock)
  })
  afterAll(async () => {
    live.stop()
    await store.close()
  })

  async function pass(count: number): Promise<void> {
    for (let n = 0; n < count; n++) await store.turn()
  }

  /** DNS that responds some turns later with the records of the moment of the query. */
  const dnsOf: Dns = {
    async mx(name): Promise<MxRecord[]> {
      const { mx, turns } = { ...zones.get(name)! }
      await pass(turns)
      if (mx === 'fail') throw new Problem('dns_unavailable', 'No answer.')
      if (mx === 'none') return []
      return [{ preference: 10, exchange: mx === 'ours' ? MX_HOST : 'mx.other.example' }]
    },
    async txt(name): Promise<string[]> {
      const { txt, turns } = { ...zones.get(name.replace('_mayfly.', ''))! }
      await pass((turns * 3) % 7)
      if (txt === 'fail') throw new Problem('dns_unavailable', 'No answer.')
      if (txt === 'none') return []
      return [
        txt === 'typo' ? 'Key=first' : txt === 'second' ? `key-sha256=${hashKey('second')}` : `key=${txt}`,
      ]
    },
    cname: async () => [],
  }

  const keys: Keys = {
    add: async () => {},
    admit: async (hash) => ({
      outcome: 'admitted',
      key: { hash, purpose: '', createdAt: 0, expiresAt: 1e15 },
      remaining: 1,
    }),
    revoke: async () => true,
    find: async () => undefined,
  }

  /** Runs one scenario; returns the mail that was shown although it must not be. */
  async function run(
    { purges, steps }: { purges: boolean; steps: Step[] },
    texts: (txt: string) => string,
  ): Promise<string[]> {
    const name = `d${unique()}.example`
    const address = `bot@${name}`
    const { domains, emails, blobs, clock } = store
    const limits = new FakeLimits()
    const mailbox = new Mailbox(emails, blobs)
    const domainService = new DomainService({ domains, wrongKeys: new WrongKeys(limits, clock), clock })
    const verifier = new DomainVerifier({
      domains,
      limits,
      dns: dnsOf,
      provider: { claim: async () => ({ confirmed: true, records: [] }), release: async () => {} },
      mxHost: MX_HOST,
      clock,
      purge: async (domain, upTo) => (purges ? mailbox.purge(domain, upTo) : undefined),
    })
    const service: LiveService = {
      mailbox,
      domainService,
      verifier,
      keylessRate: new ClientRate(KEYLESS_REQUESTS_PER_MINUTE, clock),
      linkChecker: { isForEveryone: false, check: async () => [] },
      isForThisMachine: false,
      pageSessions: new PageSessions(keys, limits, clock, (size) => new Uint8Array(size)),
      apiKeyService: new ApiKeyService(keys, limits, clock, (size) => new Uint8Array(size)),
      usernames: undefined as unknown as Usernames,
      webhooks: undefined as unknown as LiveService['webhooks'],
      info: undefined as unknown as LiveService['info'],
      live,
      check: async () => {},
    }
    const app = createApp({
      service,
      endpoints: [...LIVE_ENDPOINTS, ...REST_ENDPOINTS],
      clientAddress: () => '127.0.0.1',
    })
    zones.set(name, { mx: 'ours', txt: 'first', turns: 0 })
    await verify(undefined)

    /**
     * The keys of the registrations for which mails were accepted, by subject; public ones are not
     * included.
     */
    const secrets = new Map<string, string>()
    const ids: string[] = []
    const wrong: string[] = []
    const closes: (() => void)[] = []

    function shown(text: string, key: Key, how: string): void {
      // A reader with one of the keys of the owner is not a stranger.
      if (key === 'first' || key === 'second') return
      for (const [subject, of] of secrets) {
        if (text.includes(`${subject}.`)) wrong.push(`${how} with ${key ?? 'no key'}: ${subject} of ${of}`)
      }
    }

    async function mail(turns: number): Promise<void> {
      const subject = `m${secrets.size}x${unique()}`
      const known = await domains.find(name)
      if (known === undefined) return
      if (known.keyHash !== null) secrets.set(subject, known.keyHash)
      await pass(turns)
      const raw = Buffer.from(
        `From: a@b.example\r\nSubject: ${subject}.\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\n${subject}.\r\n` +
          `--x\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\n${subject}.\r\n--x--\r\n`,
      )
      const envelope = {
        messageId: uniqueMessageId(),
        mailFrom: null,
        recipients: [address],
        visibleAfter: { [name]: known.visibleAfter },
        verdicts: NO_VERDICTS,
      }
      await blobs.put(envelope.messageId, 'raw', raw)
      const stored = () => receive(store, envelope, raw, { read: readMail, retentionMs: RETENTION_MS })
      for (const { id } of await repeated(stored)) ids.push(id)
    }

    async function read(what: string, key: Key): Promise<void> {
      const id = ids.at(-1) ?? FIRST_ID
      const path =
        what === 'list'
          ? `/api/public/emails/${address}`
          : `/api/emails/${address}/${{ latest: 'latest', wait: 'wait?timeout=1&since=2020-01-01T00:00:00Z', whole: id, raw: `${id}/raw`, attachment: `${id}/attachments/0` }[what]}`
      const headers = { 'X-API-Key': API_KEY, ...(key && { 'X-Domain-Key': key }) }
      const aborted = new AbortController()
      const asked = app.fetch(new Request(`http://here.example${path}`, { headers, signal: aborted.signal }))
      if (what === 'wait') setTimeout(() => aborted.abort(), 5)
      const first = await asked
      const link = first.headers.get('Location')
      const answer = link === null ? first : await fetch(link)
      // An aborted response has already shown its beginning.
      shown(await answer.text().catch(() => ''), key, what)
    }

    /** Like adapters/http/endpoints/streams.ts, which needs a socket. */
    async function follow(key: Key, replays: boolean): Promise<void> {
      let domain: Domain
      try {
        domain = await domainService.open(name, key, 'c')
      } catch {
        return
      }
      const checkStillOpen = () => domainService.checkStillOpen(domain)
      const close = live.follow(
        {
          topic: { addresses: [address], domains: [domain] },
          after: replays ? FIRST_ID : undefined,
          client: 'c',
          checkStillOpen,
        },
        {
          email: ({ email }) => shown(`${email.subject}`, key, replays ? 'replay' : 'stream'),
          gap: () => {},
          ready: () => undefined,
          end: () => {},
        },
      )
      closes.push(close)
      await checkStillOpen().catch(close)
    }

    async function take(step: Step): Promise<void> {
      const zone = zones.get(name)!
      if (step.do === 'dns') Object.assign(zone, { mx: step.mx, txt: texts(step.txt), turns: step.turns })
      else if (step.do === 'later') store.advance(step.minutes * 60_000)
      else if (step.do === 'mail') await mail(step.turns)
      else if (step.do === 'read') await read(step.path, step.key)
      else if (step.do === 'follow') await follow(step.key, step.replays)
      else if (step.do === 'verify') await verify(step.by)
      else if (step.do === 'open') {
        Object.assign(zone, { mx: 'ours', txt: texts('none') })
        await verify('service')
        store.advance(6 * 60_000)
        await verify('service')
      } else {
        Object.assign(zone, { mx: 'none', txt: texts('none') })
        await verify('service')
        zone.mx = 'ours'
        await pass(step.turns)
        await verify('wrong')
      }
    }

    async function verify(by: Key | 'service'): Promise<void> {
      const caller = by === 'service' ? undefined : { client: 'c', key: by }
      await verifier.verify(name, caller).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error
      })
    }

    const unfinished: Promise<void>[] = []
    for (const step of steps) {
      await pass(step.turns)
      const taken = take(step)
      if (step.waits) await taken
      else unfinished.push(taken)
      if (texts('none') !== 'none' && (await domains.find(name))?.keyHash === null) wrong.push('opened')
    }
    await Promise.all(unfinished)
    for (const what of ['list', 'latest', 'whole', 'raw', 'attachment']) await read(what, undefined)
    await follow(undefined, true)
    await pass(3)
    await store.published()
    for (const close of closes) close()
    zones.delete(name)
    return wrong
  }

  test('in any order of DNS answers, verifications, mails and readers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(scenario, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (scenarios) => {
        const found = await Promise.all(
          scenarios.map((one) => run(one as { purges: boolean; steps: Step[] }, (txt) => txt)),
        )
        expect(found.flat()).toEqual([])
      }),
      { numRuns, endOnFailure: name === 'DynamoDB' },
    )
  }, 900_000)

  test('a domain whose key record is never definitely missing never becomes public', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(scenario, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (scenarios) => {
        const texts = (txt: string) => (txt === 'none' ? 'first' : txt)
        const found = await Promise.all(
          scenarios.map((one) => run(one as { purges: boolean; steps: Step[] }, texts)),
        )
        expect(found.flat()).toEqual([])
      }),
      { numRuns, endOnFailure: name === 'DynamoDB' },
    )
  }, 900_000)
}

/** Does this again as a queue does, until the store accepts mail for the domain again. */
async function repeated<T>(action: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await action()
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'unavailable')) throw error
      await sleep(5)
    }
  }
}
