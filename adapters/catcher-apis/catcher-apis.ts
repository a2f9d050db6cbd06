import { Hono } from 'hono'
import { FairQueue } from '../../core/fair-queue.ts'
import { CatcherError, NOT_FOUND } from './catcher-error.ts'
import { mailhog } from './mailhog.ts'
import { type MailpitParts, mailpit } from './mailpit.ts'

export interface CatcherOptions extends MailpitParts {
  /** Whether a request must have an operator's key. */
  needsKey: boolean
  isOperatorKey: (key: string) => boolean
  /** Reports a fault of the service. */
  failed: (error: unknown) => void
}

/** @param client the client's network (core/access/client.ts) */
export type CatcherApis = (request: Request, client: string) => Promise<Response>

/** Searches and lists at once; one may read every message. */
const AT_ONCE = 4

/** What this service does in another way, by pattern of method and path. */
const NOT_SERVED: [methods: string, path: RegExp, sentence: string][] = [
  ['POST', /^\/api\/v1\/messages?\/[^/]+\/release$/, 'This service never sends mail, so it releases none.'],
  ['PUT DELETE', /^\/api\/v1\/tags(?:\/|$)/, 'There are no tags: give each test an address of its own.'],
  [
    'GET PUT',
    /^\/api\/v1\/chaos$/,
    'Faults belong to addresses here: bot+smtp.451x2@<domain> is refused twice (docs/configuration.md).',
  ],
  [
    'GET POST PUT DELETE',
    /^\/api\/v2\/jim$/,
    'Faults belong to addresses here: bot+smtp.451@<domain> is refused.',
  ],
  ['GET', /^\/api\/v1\/message\/[^/]+\/(?:html|link)-check$/, 'The page of the email has this check.'],
  ['GET', /^\/api\/v1\/message\/[^/]+\/sa-check$/, 'There is no check for spam.'],
  ['GET', /^\/api\/v1\/message\/[^/]+\/part\/[^/]+\/thumb$/, 'There are no thumbnails: GET the part itself.'],
  ['GET', /^\/api\/v2\/outgoing-smtp$/, 'This service never sends mail.'],
  ['GET', /^\/api(?:\/v1)?\/events$|^\/api\/v2\/websocket$/, 'GET /api/sse streams new emails.'],
  ['POST', /^\/api\/v1\/send$/, 'Send by SMTP, or by the API of a mail provider (docs/send-apis.md).'],
  ['GET', /^\/api\/v1\/webui$/, 'Its settings are those of pages that are not here.'],
]

/** The read APIs of Mailpit and MailHog (contract: Catcher APIs). */
export function createCatcherApis(options: CatcherOptions): CatcherApis {
  const app = new Hono({ strict: false })
  app.use(async (c, next) => {
    await next()
    c.res.headers.set('Content-Security-Policy', c.req.path.startsWith('/view/') ? VIEW_POLICY : POLICY)
  })
  // MailHog answers GET /api/v1/messages in another form; Mailpit's has precedence.
  app.route('/', mailpit(options))
  app.route('/', mailhog(options))
  app.all('*', (c) => {
    const { method, path } = c.req
    const sentence = NOT_SERVED.find(
      ([methods, pattern]) => methods.includes(method) && pattern.test(path),
    )?.[2]
    if (sentence !== undefined) return c.text(sentence, 501)
    if (method === 'OPTIONS' && path.startsWith('/api/v1/')) return c.text('')
    return /^(?:GET|HEAD)$/.test(method) ? c.text(NOT_FOUND, 404) : c.text('Method Not Allowed', 405)
  })
  app.onError((error, c) => {
    if (error instanceof CatcherError) return c.text(error.message, error.status)
    options.failed(error)
    return c.text('The service failed. Its log has the reason.', 500)
  })
  const places = new FairQueue(AT_ONCE)
  return async (request, client) => {
    const clean = cleanPath(request)
    if (clean !== undefined && request.method === 'GET') {
      return new Response(null, { status: 307, headers: { Location: clean } })
    }
    if (options.needsKey && !isOpen(request) && !hasKey(request, options.isOperatorKey)) return unauthorised()
    return places.run(client, async () =>
      app.fetch(clean === undefined ? request : new Request(new URL(clean, request.url), request)),
    )
  }
}

/** No script of a mail runs; links of a mail that is shown open. */
const POLICY = "sandbox; default-src 'none'"
const VIEW_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src * data:; media-src *; " +
  "font-src * data:; style-src * 'unsafe-inline'"

/** The path and query with single slashes; undefined if the path has them. */
function cleanPath({ url }: Request): string | undefined {
  const { pathname, search } = new URL(url)
  return pathname.includes('//') ? pathname.replaceAll(/\/{2,}/g, '/') + search : undefined
}

function isOpen({ url }: Request): boolean {
  return /^\/+(?:livez|readyz)$/.test(new URL(url).pathname)
}

function hasKey({ headers }: Request, isOperatorKey: (key: string) => boolean): boolean {
  const [, basic = ''] = /^Basic +(\S+) *$/i.exec(headers.get('Authorization') ?? '') ?? []
  const password = Buffer.from(basic, 'base64')
    .toString()
    .replace(/^[^:]*:/, '')
  return [headers.get('X-API-Key') ?? '', password].some(isOperatorKey)
}

function unauthorised(): Response {
  const headers = { 'WWW-Authenticate': 'Basic realm="Login"', 'Content-Type': 'text/plain; charset=utf-8' }
  return new Response('An operator’s key is needed, as the password or as X-API-Key.\n', {
    status: 401,
    headers,
  })
}
