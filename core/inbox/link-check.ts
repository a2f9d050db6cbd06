/** What the service found when it requested a link. */
export interface CheckedLink {
  url: string
  /** Of the last answer; null if no request was answered. */
  status: number | null
  /** Where the link was redirected to, in order. */
  redirects: string[]
  /** Why there is no final answer, as a sentence; null if there is one. */
  error: string | null
  ms: number
}

/** Requests links that senders chose. Usually only the operator of the service may ask for that. */
export interface LinkChecker {
  /** Whether every caller may ask, because only programs of this machine can call. */
  readonly isForEveryone: boolean

  /**
   * Requests each link and returns the results in the same order. Takes at most LINK_CHECK_MS.
   * @param client the caller's network (core/access/client.ts)
   * @throws Problem `rate_limited` if as many checks run as may run at once
   */
  check(links: readonly string[], client: string): Promise<CheckedLink[]>
}
