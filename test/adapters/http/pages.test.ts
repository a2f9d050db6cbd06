import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { loadPages, type Pages } from '../../../adapters/http/pages.ts'

describe('the pages', () => {
  let dir: string
  let pages: Pages
  const fileOf = (path: string) => (path === '/' ? 'index.html' : path.slice(1))

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'mayfly-pages-'))
    await writeFile(join(dir, 'index.html'), '<h1>Mayfly</h1>')
    await mkdir(join(dir, 'fonts'))
    await writeFile(join(dir, 'fonts/font.bin'), 'x')
    pages = await loadPages({ dir, fileOf, headersOf: (file) => ({ 'X-File': file }) })
  })
  afterEach(() => rm(dir, { recursive: true }))

  const get = (path: string, init?: RequestInit) => pages(new Request(`http://a.test${path}`, init))

  test('are found by their path, whatever query or fragment follows', async () => {
    for (const path of ['/', '/?a=/b', '/#x', '/?#']) {
      const answer = (await get(path))!
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, '<h1>Mayfly</h1>'])
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-length': '15',
        vary: 'Accept-Encoding',
        'x-file': 'index.html',
      })
    }
    expect((await get('/fonts/font.bin'))!.headers.get('Content-Type')).toBe('application/octet-stream')
  })

  test('what is none of them is left to others', () => {
    expect([get('/none'), get('/api/'), get('/', { method: 'POST' })]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('are packed for who takes that, have nothing but headers for HEAD, and nothing for who knows them', async () => {
    const packed = (await get('/', { headers: { 'Accept-Encoding': 'br, gzip' } }))!
    expect(packed.headers.get('Content-Encoding')).toBe('gzip')
    expect(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe('<h1>Mayfly</h1>')
    const head = (await get('/', { method: 'HEAD' }))!
    expect([head.headers.get('Content-Length'), await head.text()]).toEqual(['15', ''])
    const tag = head.headers.get('ETag')!
    const known = (await get('/', { headers: { 'If-None-Match': `"other", ${tag}` } }))!
    expect([known.status, known.headers.get('ETag'), await known.text()]).toEqual([304, tag, ''])
    expect((await get('/', { headers: { 'If-None-Match': '"other"' } }))!.status).toBe(200)
  })

  test('are none where they were not built', async () => {
    const none = await loadPages({ dir: join(dir, 'none'), fileOf, headersOf: () => ({}) })
    expect(none(new Request('http://a.test/'))).toBeUndefined()
  })
})
