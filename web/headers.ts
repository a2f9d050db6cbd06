/**
 * How the pages are served, by the one-machine service and by CloudFront. Imports nothing, so that infrastructure
 * code can use it.
 */

/** The file in web/dist of each path; `/assets/*` and `/frame.html` are files of that name. */
export const PAGE_FILES: Readonly<Record<string, string>> = {
  '/': 'index.html',
  '/inbox': 'index.html',
  '/domains': 'domains.html',
  '/webhooks': 'webhooks.html',
  '/keys': 'keys.html',
  '/docs': 'docs.html',
  '/problems': 'problems.html',
  // For AI agents.
  '/llms.txt': 'llms.txt',
  '/SKILL.md': 'SKILL.md',
  // Requested by browsers and crawlers without a link.
  '/favicon.ico': 'favicon.ico',
  '/apple-touch-icon.png': 'apple-touch-icon.png',
  '/manifest.webmanifest': 'manifest.webmanifest',
  '/robots.txt': 'robots.txt',
}

/** For a browser that asks for a page that does not exist. */
export const NOT_FOUND_FILE = '404.html'

/** `/problems/<code>`, the `type` of every problem of the API, is one page for all codes. */
export const PROBLEMS_PREFIX = '/problems/'
export const PROBLEMS_FILE = 'problems.html'

/** Files with a hash of their content in their name. */
export const ASSETS_PREFIX = 'assets/'
export const ASSET_CACHE = 'public, max-age=31536000, immutable'
/** Cached by browsers, but validated at each visit. */
export const PAGE_CACHE = 'no-cache'

export interface Hosting {
  /**
   * The origin that the API redirects to for attachments and raw messages
   * (`https://bucket.s3.region.amazonaws.com`), if it is another one: a page may fetch from no other.
   */
  downloads?: string
}

/** The response headers of a file in web/dist, except those for its type and its caching. */
export function pageHeaders(file: string, { downloads }: Hosting = {}): Record<string, string> {
  return {
    'Content-Security-Policy': policyOf(file, downloads),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    // The URL of a page names an inbox, which the sites that an email links to must not learn.
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-DNS-Prefetch-Control': 'off',
  }
}

function policyOf(file: string, downloads: string | undefined): string {
  if (file === 'frame.html') return FRAME_POLICY
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    ["connect-src 'self'", downloads].filter(Boolean).join(' '),
    "frame-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  // No page may turn text into markup or a script. The inbox may start one worker.
  const types = file === 'index.html' ? 'mayfly-worker' : "'none'"
  policy.push("require-trusted-types-for 'script'", `trusted-types ${types}`)
  return policy.join('; ')
}

/**
 * frame.html holds one email in an inner frame, in which only the measuring script can run. The styles of an email are
 * inline, hence 'unsafe-inline', which affects nothing but that email. Its images load only when the reader asks for
 * them; the policy of the inner document controls that. `frame-src 'none'` keeps an email from navigating its frame, and
 * `sandbox` gives the document an opaque origin even if it is opened by itself.
 */
const FRAME_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  'img-src data: https: http:',
  "frame-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
].join('; ')
