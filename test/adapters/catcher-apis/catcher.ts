import { startService } from '../../support/service.ts'

/** A running catcher: Mayfly, or the one that CATCHER_URL and CATCHER_SMTP name. */
export interface Catcher {
  url: string
  smtp: { host: string; port: number }
  stop(): Promise<unknown>
}

/**
 * Returns the catcher that the tests run against. The same files run against Mailpit:
 * CATCHER_URL=http://127.0.0.1:8025 CATCHER_SMTP=1025 npm test -- test/adapters/catcher-apis/mailpit
 */
export async function startCatcher(): Promise<Catcher> {
  const { CATCHER_URL: url, CATCHER_SMTP: port } = process.env
  if (url !== undefined) {
    return { url, smtp: { host: '127.0.0.1', port: Number(port) }, stop: async () => {} }
  }
  const { http, smtp, stop } = await startService({ MAYFLY_CATCH_ALL: 'on' })
  return { url: http, smtp, stop }
}
