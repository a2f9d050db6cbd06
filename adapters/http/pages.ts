import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { acceptsGzip } from './answer.ts'

const compress = promisify(gzip)

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

export interface Site {
  /** The path below which a proxy serves the pages, without a slash at its end. */
  basePath?: string
  /** The folder of the built pages. */
  dir: string
  /** The file of a path, relative to `dir`; undefined if the path has none. */
  fileOf(path: string): string | undefined
  /** The headers of a file, except those for its type and its caching. */
  headersOf(file: string): Record<string, string>
  /** The file for a browser that asks for a page that does not exist. */
  notFoundFile: string
}

interface Page {
  bytes: Buffer
  headers: Record<string, string>
  gzipped?: Promise<Buffer>
}

export interface Pages {
  /** The page of a path; undefined for a path of the API, or if the pages have not been built. */
  serve(request: Request): Promise<Response> | undefined
  /**
   * Replaces an error by a page with the same status, if a browser asked for HTML outside of /api.
   */
  explain(request: Request, answer: Response | Promise<Response>): Response | Promise<Response>
}

/**
 * Loads the pages into memory: they are small, and no path can leave a folder that is not read for
 * a request.
 */
export async function loadPages(site: Site): Promise<Pages> {
  const pages = new Map<string, Page>()
  for (const file of existsSync(site.dir) ? await filesIn(site.dir) : []) {
    const bytes = await readFile(join(site.dir, file))
    pages.set(file, pageOf(file.endsWith('.html') ? below(site.basePath, bytes) : bytes, file, site))
  }
  const isForPages = (request: Request, path: string) =>
    (request.method === 'GET' || request.method === 'HEAD') && !path.startsWith('/api/')
  return {
    serve(request) {
      const path = pathOf(request.url)
      // HAProxy checks the health of a server by OPTIONS for `/` unless its configuration says otherwise.
      const isOptions = request.method === 'OPTIONS'
      if (!isOptions && !isForPages(request, path)) return undefined
      const page = pages.get(site.fileOf(path) ?? '')
      if (page !== undefined) return isOptions ? Promise.resolve(optionsOf()) : answer(request, page)
      const canonical = withoutLastSlashes(path)
      return pages.has(site.fileOf(canonical) ?? '')
        ? Promise.resolve(redirectTo(`${site.basePath ?? ''}${canonical}`))
        : undefined
    },
    explain(request, answered) {
      const page = pages.get(site.notFoundFile)
      const isBrowser = request.headers.get('Accept')?.includes('text/html')
      if (page === undefined || !isBrowser || !isForPages(request, pathOf(request.url))) return answered
      return Promise.resolve(answered).then((response) =>
        response.status < 400 ? response : answer(request, page, response.status),
      )
    },
  }
}

/** The page with its links and files below the base path. Scripts know it from their own URL. */
function below(basePath: string | undefined, html: Buffer): Buffer {
  return basePath ? Buffer.from(html.toString().replace(/ (href|src)="\/(?!\/)/g, ` $1="${basePath}/`)) : html
}

function optionsOf(): Response {
  return new Response(null, { status: 204, headers: { Allow: 'GET, HEAD' } })
}

function redirectTo(path: string): Response {
  return new Response(null, { status: 308, headers: { Location: path } })
}

function pageOf(bytes: Buffer, file: string, site: Site): Page {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return {
    bytes,
    headers: {
      ...site.headersOf(file),
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
      // Weak, because the compressed form has the same tag.
      ETag: `W/"${hash}"`,
      Vary: 'Accept-Encoding',
    },
  }
}

async function answer(request: Request, page: Page, status = 200): Promise<Response> {
  const known = request.headers.get('If-None-Match')?.split(',') ?? []
  if (status === 200 && known.some((tag) => tag.trim() === page.headers.ETag)) {
    return new Response(null, { status: 304, headers: page.headers })
  }
  const headers = new Headers(page.headers)
  let { bytes } = page
  if (acceptsGzip(request.headers.get('Accept-Encoding'))) {
    page.gzipped ??= compress(page.bytes)
    bytes = await page.gzipped
    headers.set('Content-Encoding', 'gzip')
  }
  headers.set('Content-Length', String(bytes.length))
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(bytes), { status, headers })
}

/** The path of a URL. Every request needs it, and parsing the whole URL costs more. */
function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const end = url.slice(start).search(/[?#]/)
  return end === -1 ? url.slice(start) : url.slice(start, start + end)
}

async function filesIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(dir.length + 1)
        .replaceAll(sep, '/'),
    )
}

/** An expression would begin again at each of the slashes of a hostile path. */
function withoutLastSlashes(path: string): string {
  let end = path.length
  while (path.charAt(end - 1) === '/') end--
  return path.slice(0, end)
}
