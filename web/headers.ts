/**
 * How the pages are to be served, for every host of them: the one-machine service and CloudFront. Imports
 * nothing, so that infrastructure code can use it too.
 */

/** The file in web/dist of each path; `/assets/*` and `/frame.html` are files of that name. */
export const PAGE_FILES: Readonly<Record<string, string>> = {
  '/': 'index.html',
  '/keys': 'keys.html',
  '/domains': 'domains.html',
  '/docs': 'docs.html',
  // For agents.
  '/llms.txt': 'llms.txt',
  '/SKILL.md': 'SKILL.md',
}

/** `/problems/<code>`, the `type` of every problem that the API answers, is one page for all codes. */
export const PROBLEMS_PREFIX = '/problems/'
export const PROBLEMS_FILE = 'problems.html'

/** Files here have a hash of their content in their name. */
export const ASSETS_PREFIX = 'assets/'
export const ASSET_CACHE = 'public, max-age=31536000, immutable'
/** Kept by browsers, but asked for at each visit. */
export const PAGE_CACHE = 'no-cache'

export interface Hosting {
  /**
   * Where the API's redirects to attachments and raw messages lead (`https://bucket.s3.region.amazonaws.com`),
   * if it is another origin: a page fetches them, and may fetch from nowhere else.
   */
  downloads?: string
}

/** The response headers of a file in web/dist, beside those of its type and of caching. */
export function pageHeaders(file: string, { downloads }: Hosting = {}): Record<string, string> {
  return {
    'Content-Security-Policy': policyOf(file, downloads),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    // The address of a page names an inbox; no site that a mail links to is to learn it.
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
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  // No page may make markup or a script out of text; the inbox names the one worker that it starts.
  const types = file === 'index.html' ? 'mayfly-worker' : "'none'"
  policy.push("require-trusted-types-for 'script'", `trusted-types ${types}`)
  return policy.join('; ')
}

/**
 * The frame holds one mail in a second frame, where no script can run but the one that measures it. A mail's styles are inline, hence
 * 'unsafe-inline' here, where nothing but that mail is styled; its images load only once they are asked for,
 * which the inner document's own policy sees to. `frame-src 'none'` keeps a mail from leading its frame
 * anywhere else, and `sandbox` gives the whole an origin of its own, even if it is opened by itself.
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
