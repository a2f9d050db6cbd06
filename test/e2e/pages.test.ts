import { readdir, readFile } from 'node:fs/promises'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { PROBLEMS } from '../../adapters/http/problems.ts'
import { type RunningService, startService } from '../support/service.ts'
import { PATIENCE_MS } from './browser.ts'

const DIST = new URL('../../web/dist/', import.meta.url)
const ALL_THREE_BYTES = 40_000

describe('the pages as they are served', () => {
  let service: RunningService
  beforeAll(async () => {
    service = await startService()
  }, PATIENCE_MS)
  afterAll(() => service?.stop())

  const get = (path: string, headers: Record<string, string> = {}) => fetch(service.http + path, { headers })
  const assetsOf = (html: string) =>
    [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, path]) => path!)

  test('each page has a strict policy of its own, and no script or style inside', async () => {
    for (const path of ['/', '/keys', '/domains', '/docs', '/problems/rate_limited']) {
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

  test('a page is asked for again each time, what it loads never', async () => {
    const page = await get('/')
    expect(page.headers.get('cache-control')).toBe('no-cache')
    const again = await get('/', { 'If-None-Match': page.headers.get('etag')! })
    expect(again.status).toBe(304)
    for (const asset of assetsOf(await page.text())) {
      const answer = await get(`/${asset}`)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
  })

  test('compressed for whoever takes that, and the same', async () => {
    const plain = await get('/keys', { 'Accept-Encoding': 'identity' })
    const compressed = await get('/keys', { 'Accept-Encoding': 'gzip' })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(compressed.headers.get('content-encoding')).toBe('gzip')
    expect(await compressed.text()).toBe(await plain.text())
  })

  test('what is no page is the API’s to answer', async () => {
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

  test('the type of every problem leads to its explanation', async () => {
    const refused = (await (await get('/api/emails/x@mayfly.test')).json()) as { type: string; code: string }
    const html = await (await get(refused.type)).text()
    for (const code of Object.keys(PROBLEMS)) expect(html).toContain(`id="${code}"`)
    expect(html).toContain(PROBLEMS.api_key_missing.title)
  })

  test(`inbox, keys and domains are together under ${ALL_THREE_BYTES} bytes`, async () => {
    const files = new Set(['index.html', 'keys.html', 'domains.html', 'frame.html'])
    for (const page of [...files]) {
      for (const asset of assetsOf(await readFile(new URL(page, DIST), 'utf8'))) files.add(asset)
    }
    // Whatever those import is preloaded, so that it is among them.
    for (const asset of await readdir(new URL('assets/', DIST))) {
      if (asset.startsWith('chunk-')) files.add(`assets/${asset}`)
    }
    let total = 0
    for (const file of files) total += brotliCompressSync(await readFile(new URL(file, DIST))).length
    process.stderr.write(`inbox, keys and domains: ${files.size} files, ${total} bytes as brotli\n`)
    expect(total).toBeLessThan(ALL_THREE_BYTES)
  })
})
