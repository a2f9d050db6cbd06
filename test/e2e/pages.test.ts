import { execFile } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { PROBLEMS } from '../../adapters/http/problems.ts'
import { type RunningService, startService } from '../support/service.ts'
import { PATIENCE_MS } from './browser.ts'

const DIST = new URL('../../web/dist/', import.meta.url)
/**
 * Compressed size of everything that the browser loads to show an inbox: HTML, styles, scripts and
 * the icon.
 */
const FIRST_LOAD_BYTES = 60_000

describe('the pages as they are served', () => {
  let service: RunningService
  beforeAll(async () => {
    service = await startService()
  }, PATIENCE_MS)
  afterAll(() => service?.stop())

  const get = (path: string, headers: Record<string, string> = {}) => fetch(service.http + path, { headers })
  const assetsOf = (html: string) =>
    [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, path]) => path!)

  test('each page has a strict policy, and no inline script or style', async () => {
    for (const path of ['/', '/keys', '/domains', '/webhooks', '/docs', '/problems/rate_limited']) {
      const answer = await get(path)
      const policy = answer.headers.get('content-security-policy')!
      expect(answer.status).toBe(200)
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|\*|https?:/)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
      const html = await answer.text()
      expect(html).not.toMatch(/<style|style=|<script(?![^>]* src=)|\son[a-z]+=/)
      expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
    }
  })

  test('each page has its title, its description and its place in the navigation', async () => {
    const titles = await Promise.all(
      ['/', '/domains', '/webhooks', '/keys', '/docs', '/problems/', '/nope'].map(async (path) => {
        const html = await (await get(path, { Accept: 'text/html' })).text()
        const named = (pattern: RegExp) => pattern.exec(html)?.[1] ?? 'none'
        expect([path, named(/<meta name="description" content="([^"]+)">/)]).toEqual([
          path,
          expect.stringMatching(/^[A-Z].{20,}\.$/),
        ])
        const current = named(/<a href="[^"]*" aria-current="page">([^<]+)</)
        return `${path}: ${named(/<title>([^<]+)</)}, ${current}`
      }),
    )
    expect(titles).toEqual([
      '/: Inbox · Mayfly, Inbox',
      '/domains: Domains · Mayfly, Domains',
      '/webhooks: Webhooks · Mayfly, Webhooks',
      '/keys: API keys · Mayfly, API keys',
      '/docs: API documentation · Mayfly, Docs',
      '/problems/: Problems · Mayfly, none',
      '/nope: Page not found · Mayfly, none',
    ])
  })

  test('a page may do what it needs, and the frame of an email less', async () => {
    const policies = await Promise.all(
      ['/', '/keys', '/frame.html'].map(async (path) => {
        const { headers } = await get(path)
        expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
        expect(headers.get('x-dns-prefetch-control')).toBe('off')
        expect(headers.get('permissions-policy')).toContain('camera=()')
        return headers.get('content-security-policy')
      }),
    )
    const page =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
      "connect-src 'self'; frame-src 'self' blob:; manifest-src 'self'; base-uri 'none'; " +
      "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types "
    expect(policies).toEqual([
      `${page}mayfly-worker`,
      `${page}'none'`,
      "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data: https: http:; " +
        "frame-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; " +
        'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
    ])
  })

  test('browsers validate a page at each visit, and cache its assets forever', async () => {
    const page = await get('/')
    expect(page.headers.get('cache-control')).toBe('no-cache')
    const again = await get('/', { 'If-None-Match': page.headers.get('etag')! })
    expect(again.status).toBe(304)
    for (const asset of assetsOf(await page.text())) {
      // The name changes with the content.
      expect(asset).toMatch(/-[0-9A-Z]{8}\.(?:js|css|svg)$/)
      const answer = await get(`/${asset}`)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
  })

  test('a page names the scripts that its own script needs at once, and no others', async () => {
    for (const path of ['/', '/domains', '/webhooks', '/keys', '/docs', '/problems/']) {
      const html = await (await get(path)).text()
      const [script = ''] = assetsOf(html).filter((asset) =>
        html.includes(`<script type="module" src="/${asset}"`),
      )
      const preloaded = [...html.matchAll(/rel="modulepreload" href="\/(assets\/[^"]+)"/g)].map(
        ([, name]) => name,
      )
      const code = await (await get(`/${script}`)).text()
      const needed = [...code.matchAll(/(?:from|import)"\.\/([^"]+)"/g)].map(([, name]) => `assets/${name}`)
      expect([path, preloaded.sort()]).toEqual([path, needed.sort()])
      // Without scripts, a page that has nothing else says so.
      const isEmpty = !/docs|problems/.test(path)
      expect([path, /<noscript>.*openapi/.test(html)]).toEqual([path, isEmpty])
      expect([path, html.includes('<html lang="en" class="app">')]).toEqual([path, path === '/'])
    }
  })

  test('pages are compressed on request', async () => {
    const plain = await get('/keys', { 'Accept-Encoding': 'identity' })
    const compressed = await get('/keys', { 'Accept-Encoding': 'gzip' })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(compressed.headers.get('content-encoding')).toBe('gzip')
    expect(await compressed.text()).toBe(await plain.text())
  })

  test('other paths are answered by the API', async () => {
    for (const [path, init] of [
      ['/nothing-here'],
      ['/assets/../../package.json'],
      ['/assets/%2e%2e/headers.ts'],
      ['/keys', { method: 'POST' }],
    ] as [string, RequestInit?][]) {
      const answer = await fetch(service.http + path, init)
      expect({ path, status: answer.status }).toEqual({ path, status: 404 })
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
    }
    const head = await fetch(`${service.http}/`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect((await get('/api/domains')).headers.get('cache-control')).toBe('no-store')
  })

  test('the type of every problem links to its explanation', async () => {
    const refused = (await (await get('/api/emails/x@mayfly.test')).json()) as { type: string; code: string }
    const html = await (await get(refused.type)).text()
    for (const code of Object.keys(PROBLEMS)) expect(html).toContain(`id="${code}"`)
    expect(html).toContain(PROBLEMS.api_key_missing.title)
  })

  test('a browser gets a page for a path that does not exist, and a redirect for a trailing slash', async () => {
    const missing = await get('/nope', { Accept: 'text/html' })
    expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(await missing.text()).toContain('<h1>Page not found</h1>')
    expect((await get('/api/nope', { Accept: 'text/html' })).headers.get('content-type')).toMatch(/problem/)
    expect((await get('/docs/')).url).toBe(`${service.http}/docs`)
  })

  test('the files that browsers and crawlers ask for by name exist', async () => {
    const [icon, touch, robots, manifest, inbox] = await Promise.all(
      ['/favicon.ico', '/apple-touch-icon.png', '/robots.txt', '/manifest.webmanifest', '/inbox'].map(
        async (path) => {
          const answer = await get(path)
          const bytes = Buffer.from(await answer.arrayBuffer())
          return { status: answer.status, type: answer.headers.get('content-type'), bytes }
        },
      ),
    )
    const png = Buffer.from('\x89PNG\r\n', 'latin1')
    expect([icon?.status, icon?.type]).toEqual([200, 'image/x-icon'])
    // An icon with one image, which begins where the header says.
    expect([icon?.bytes.readUInt16LE(2), icon?.bytes.readUInt16LE(4)]).toEqual([1, 1])
    expect(icon?.bytes.subarray(icon.bytes.readUInt32LE(18)).indexOf(png)).toBe(0)
    expect(icon?.bytes.length).toBe(22 + (icon?.bytes.readUInt32LE(14) ?? 0))
    expect([touch?.status, touch?.type, touch?.bytes.indexOf(png)]).toEqual([200, 'image/png', 0])
    expect([robots?.status, robots?.type]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(robots?.bytes.toString()).toBe('User-agent: *\nAllow: /\nDisallow: /api/\n')
    expect([manifest?.status, manifest?.type]).toEqual([200, 'application/manifest+json'])
    const { icons } = JSON.parse(manifest?.bytes.toString() ?? '') as {
      icons: Record<'src' | 'sizes', string>[]
    }
    const widthOf = (bytes: Buffer) => bytes.readUInt32BE(16)
    expect([widthOf(touch?.bytes ?? png), icons.map(({ sizes }) => sizes)]).toEqual([
      180,
      ['192x192', '512x512'],
    ])
    for (const { src, sizes } of icons) {
      const answer = await get(new URL(src, `${service.http}/`).pathname)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
      expect(widthOf(Buffer.from(await answer.arrayBuffer()))).toBe(Number.parseInt(sizes, 10))
    }
    expect(inbox?.bytes.toString()).toBe(await (await get('/')).text())
  })

  test('the API documentation lists every operation of the OpenAPI document', async () => {
    const html = await (await get('/docs')).text()
    const document = (await (await get('/api/openapi.json')).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const onlyHere = ['sendTestMail', 'inboxActivity', 'openApi', 'mcp', 'metrics']
    for (const path of Object.values(document.paths)) {
      for (const { operationId } of Object.values(path)) {
        if (!onlyHere.includes(operationId)) expect(html).toContain(`id="${operationId}"`)
      }
    }
  })

  test('a build removes the files of earlier builds, and none of a build at the same time', async () => {
    const old = new URL('assets/old-AAAAAAAA.js', DIST)
    const part = new URL(`assets/other.js.0.part`, DIST)
    for (const file of [old, part]) await writeFile(file, 'x')
    const before = (await readdir(DIST, { recursive: true })).sort()
    await promisify(execFile)(process.execPath, [fileURLToPath(new URL('../build.ts', DIST))])
    const after = new Set(await readdir(DIST, { recursive: true }))
    await rm(part)
    expect(before.filter((file) => !after.has(file))).toEqual(['assets/old-AAAAAAAA.js'])
  })

  test(`the inbox loads at most ${FIRST_LOAD_BYTES} bytes`, async () => {
    const html = await readFile(new URL('index.html', DIST), 'utf8')
    let total = gzipSync(html).length
    for (const asset of assetsOf(html)) total += gzipSync(await readFile(new URL(asset, DIST))).length
    process.stderr.write(`first load of the inbox: ${total} bytes as gzip\n`)
    expect(total).toBeLessThan(FIRST_LOAD_BYTES)
  })
})
