import { isLoopback } from '../../core/access/client.ts'
import { Problem } from '../../core/errors.ts'
import type { CheckedLink, LinkChecker } from '../../core/inbox/link-check.ts'
import {
  LINK_BYTES,
  LINK_CHECK_MS,
  LINK_CHECKS_AT_ONCE,
  LINK_HOSTS_AT_ONCE,
  LINK_MS,
  LINK_REDIRECTS_MAX,
  SECOND_MS,
} from '../../core/limits.ts'
import { inParallel, KeyedMutex } from '../../core/parallel.ts'
import { Quota } from '../../core/quota.ts'
import { isPrivateNetwork } from './addresses.ts'
import { orTimeout, requestTarget, wordsFor } from './request.ts'
import { type Lookup, resolveTarget, systemLookup, type TargetRules } from './target.ts'

const REDIRECTS = [301, 302, 303, 307, 308]
/** Answers of a server that has no HEAD (RFC 9110, sections 15.5.6 and 15.6.2). */
const NO_HEAD = [405, 501]

export interface LinkCheckerOptions {
  /**
   * Whether only programs of this machine can call the service. Then everyone may ask.
   */
  isForEveryone: boolean
  /**
   * Hosts, with or without a port, that are requested although they are on this machine or in a
   * private network. A sender chooses the links of a mail, so no other one is. @default []
   */
  privateHosts?: readonly string[]
  version: string
  /** Resolves the names of links. @default the system's resolver */
  lookup?: Lookup
  /** @default LINK_CHECK_MS, LINK_MS */
  times?: { checkMs: number; linkMs: number }
  /** Sends one request to a checked target. @default requestTarget */
  send?: typeof requestTarget
}

/** One run of `check`. */
interface Check {
  signal: AbortSignal
  /** Hosts that did not answer in time. Their other links are not requested. */
  silent: Set<string>
}

/** An answer to one request of a link. */
interface Answer {
  status: number
  location: string | undefined
  /** Whether the server has a public address. */
  isPublic: boolean
}

/**
 * Requests links by HEAD, and by GET where the server has no HEAD, because a GET may act. No
 * body is read. Each name is resolved once per request, every address of it is checked, and the
 * checked address is used, also for each redirect. A server on the internet cannot redirect into
 * the private network.
 */
export class HttpLinkChecker implements LinkChecker {
  readonly isForEveryone: boolean
  readonly #privateHosts: ReadonlySet<string>
  readonly #headers: Record<string, string>
  readonly #lookup: Lookup
  readonly #times: { checkMs: number; linkMs: number }
  readonly #requestTarget: typeof requestTarget
  readonly #running = new Quota(LINK_CHECKS_AT_ONCE)
  /** One request at a time per host, of all checks together. */
  readonly #hosts = new KeyedMutex()

  constructor({
    isForEveryone,
    privateHosts = [],
    version,
    lookup = systemLookup,
    times = { checkMs: LINK_CHECK_MS, linkMs: LINK_MS },
    send = requestTarget,
  }: LinkCheckerOptions) {
    this.isForEveryone = isForEveryone
    this.#privateHosts = new Set(privateHosts)
    this.#headers = { 'User-Agent': `Mayfly/${version} (link check)`, Accept: '*/*' }
    this.#lookup = lookup
    this.#times = times
    this.#requestTarget = send
  }

  async check(links: readonly string[], client: string): Promise<CheckedLink[]> {
    if (!this.#running.has(client)) {
      throw new Problem('rate_limited', 'Other link checks are running. Try again when they have ended.', {
        retryAfter: Math.ceil(this.#times.checkMs / SECOND_MS),
      })
    }
    this.#running.enter(client)
    try {
      const check = { signal: AbortSignal.timeout(this.#times.checkMs), silent: new Set<string>() }
      const results = new Map<string, CheckedLink>()
      const byHost = Map.groupBy(new Set(links), hostOf)
      await inParallel([...byHost.values()], LINK_HOSTS_AT_ONCE, async (same) => {
        for (const url of same) results.set(url, await this.#link(url, check))
      })
      return links.map((url) => results.get(url)!)
    } finally {
      this.#running.leave(client)
    }
  }

  async #link(url: string, check: Check): Promise<CheckedLink> {
    const result: CheckedLink = { url, status: null, redirects: [], error: null, ms: 0 }
    const host = hostOf(url)
    if (check.signal.aborted) return { ...result, error: 'Not requested, because the check took too long.' }
    if (check.silent.has(host)) {
      return { ...result, error: 'Not requested, because this host did not answer before.' }
    }
    const started = performance.now()
    const signal = AbortSignal.any([check.signal, AbortSignal.timeout(this.#times.linkMs)])
    try {
      await this.#follow(result, signal)
    } catch (error) {
      if (signal.aborted) check.silent.add(host)
      result.error = signal.aborted ? 'The target did not answer in time.' : wordsFor(error)
    }
    return { ...result, ms: Math.round(performance.now() - started) }
  }

  /** Requests the link and what it redirects to, and writes each step into the result. */
  async #follow(result: CheckedLink, signal: AbortSignal): Promise<void> {
    let isFromInternet = false
    for (let url = result.url; ; ) {
      const rules = this.#rulesFor(url, isFromInternet)
      const { status, location, isPublic } = await this.#request(url, rules, signal)
      result.status = status
      if (!REDIRECTS.includes(status) || location === undefined) return
      if (!URL.canParse(location, url)) {
        result.error = 'It redirects to something that is not a URL.'
        return
      }
      url = new URL(location, url).href
      if (result.redirects.length === LINK_REDIRECTS_MAX) {
        result.error = `It redirects more than ${LINK_REDIRECTS_MAX} times.`
        return
      }
      result.redirects.push(url.slice(0, LINK_BYTES))
      isFromInternet ||= isPublic
    }
  }

  /** @param isFromInternet whether a server on the internet redirected there */
  #rulesFor(url: string, isFromInternet: boolean): TargetRules {
    const target = URL.parse(url)
    const isNamed = [target?.host, target?.hostname].some((name) => this.#privateHosts.has(name ?? ''))
    const isAllowed = isNamed && !isFromInternet
    return { loopback: isAllowed, privateNetwork: isAllowed, http: true }
  }

  #request(url: string, rules: TargetRules, signal: AbortSignal): Promise<Answer> {
    const work = async () => {
      const head = await this.#send('HEAD', url, rules, signal).catch((error: NodeJS.ErrnoException) => {
        // Some servers end the connection on HEAD.
        if (error.code === 'ECONNRESET') return undefined
        throw error
      })
      return head !== undefined && !NO_HEAD.includes(head.status)
        ? head
        : this.#send('GET', url, rules, signal)
    }
    return orTimeout(this.#hosts.run([hostOf(url)], work), signal)
  }

  async #send(method: 'HEAD' | 'GET', url: string, rules: TargetRules, signal: AbortSignal): Promise<Answer> {
    const target = await orTimeout(resolveTarget(url, rules, this.#lookup), signal)
    const { request, answer } = await this.#requestTarget(target, { method, headers: this.#headers }, signal)
    // The body of a GET may have any size. Only the head matters.
    request.destroy()
    const { statusCode = 0, headers } = answer
    const { address } = target
    return {
      status: statusCode,
      location: headers.location,
      isPublic: !isLoopback(address) && !isPrivateNetwork(address),
    }
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
