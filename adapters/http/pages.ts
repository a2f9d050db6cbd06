import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

export interface Site {
  /** The folder that the pages were built into. */
  dir: string
  /** The file that a path stands for, relative to `dir`; undefined for a path that is no page's. */
  fileOf(path: string): string | undefined
  /** What else a file is answered with. */
  headersOf(file: string): Record<string, string>
}

interface Page {
  bytes: Buffer
  headers: Record<string, string>
  gzipped?: Promise<Buffer>
}

export type Pages = (request: Request) => Promise<Response> | undefined

/**
 * The pages, served from memory: they are small, and what is in memory cannot be led out of its folder by a
 * path. Answers undefined for whatever is not theirs; all of it, where they have not been built.
 */
export async function loadPages(site: Site): Promise<Pages> {
  const pages = new Map<string, Page>()
  for (const file of existsSync(site.dir) ? await filesIn(site.dir) : []) {
    pages.set(file, pageOf(await readFile(join(site.dir, file)), file, site))
  }
  return (request) => {
    const path = pathOf(request.url)
    if (path.startsWith('/api/') || (request.method !== 'GET' && request.method !== 'HEAD')) return undefined
    const page = pages.get(site.fileOf(path) ?? '')
    return page && answer(request, page)
  }
}

function pageOf(bytes: Buffer, file: string, site: Site): Page {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return {
    bytes,
    headers: {
      ...site.headersOf(file),
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
      // Weak, because the compressed form has the same one.
      ETag: `W/"${hash}"`,
      Vary: 'Accept-Encoding',
    },
  }
}

async function answer(request: Request, page: Page): Promise<Response> {
  const known = request.headers.get('If-None-Match')?.split(',') ?? []
  if (known.some((tag) => tag.trim() === page.headers.ETag)) {
    return new Response(null, { status: 304, headers: page.headers })
  }
  const headers = new Headers(page.headers)
  let { bytes } = page
  if (/\bgzip\b/.test(request.headers.get('Accept-Encoding') ?? '')) {
    page.gzipped ??= compress(page.bytes)
    bytes = await page.gzipped
    headers.set('Content-Encoding', 'gzip')
  }
  headers.set('Content-Length', String(bytes.length))
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(bytes), { headers })
}

/** Every request comes by here, and parsing a URL costs more than finding its path. */
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
