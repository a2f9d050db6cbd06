import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { loadPages, type Pages } from '../../../adapters/http/pages.ts'

const BROWSER = { headers: { Accept: 'text/html,*/*;q=0.8' } }

describe('the pages', () => {
  let dir: string
  let pages: Pages
  const fileOf = (path: string) => (path === '/' ? 'index.html' : path.slice(1))

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'mayfly-pages-'))
    await writeFile(join(dir, 'index.html'), '<h1>Mayfly</h1>')
    await mkdir(join(dir, 'fonts'))
    await writeFile(join(dir, 'fonts/font.bin'), 'x')
    await writeFile(join(dir, '404.html'), '<h1>Not found</h1>')
    pages = await loadPages({
      dir,
      fileOf,
      headersOf: (file) => ({ 'X-File': file }),
      notFoundFile: '404.html',
    })
  })
  afterEach(() => rm(dir, { recursive: true }))

  const get = (path: string, init?: RequestInit) => pages.serve(new Request(`http://a.test${path}`, init))

  test('are found by their path, with any query or fragment', async () => {
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

  test('have their links and files below the base path, and those of other sites where they are', async () => {
    const html = '<a href="/docs">a</a><script src="/assets/a.js"></script><a href="//other.example/">b</a>'
    await writeFile(join(dir, 'index.html'), html)
    await writeFile(join(dir, 'a.js'), 'const html = \'<a href="/">\'')
    const site = { basePath: '/mail', dir, fileOf, headersOf: () => ({}), notFoundFile: '404.html' }
    const served = await loadPages(site)
    const textOf = async (path: string) => (await served.serve(new Request(`http://a.test${path}`)))?.text()
    expect(await textOf('/')).toBe(
      '<a href="/mail/docs">a</a><script src="/mail/assets/a.js"></script><a href="//other.example/">b</a>',
    )
    expect(await textOf('/a.js')).toBe('const html = \'<a href="/">\'')
    const redirect = await served.serve(new Request('http://a.test/fonts/font.bin/'))
    expect([redirect?.status, redirect?.headers.get('Location')]).toEqual([308, '/mail/fonts/font.bin'])
  })

  test.each([
    ['a.css', 'text/css; charset=utf-8'],
    ['a.ico', 'image/x-icon'],
    ['a.js', 'text/javascript; charset=utf-8'],
    ['a.md', 'text/markdown; charset=utf-8'],
    ['a.png', 'image/png'],
    ['a.svg', 'image/svg+xml'],
    ['a.txt', 'text/plain; charset=utf-8'],
    ['a.webmanifest', 'application/manifest+json'],
  ])('have the type of their name: %s', async (name, type) => {
    await writeFile(join(dir, name), 'x')
    const site = { dir, fileOf, headersOf: () => ({}), notFoundFile: '404.html' }
    const answer = await (await loadPages(site)).serve(new Request(`http://a.test/${name}`))
    expect(answer?.headers.get('Content-Type')).toBe(type)
  })

  test('other paths and methods are left to the API', () => {
    expect([get('/none'), get('/api/'), get('/', { method: 'POST' })]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('OPTIONS of a page names its methods', async () => {
    const options = (path: string) => get(path, { method: 'OPTIONS' })
    const answer = (await options('/'))!
    expect([answer.status, answer.headers.get('Allow'), await answer.text()]).toEqual([204, 'GET, HEAD', ''])
    expect([options('/none'), options('/api/')]).toEqual([undefined, undefined])
  })

  test('are compressed on request, without a body for HEAD, and 304 for a known ETag', async () => {
    const packed = (await get('/', { headers: { 'Accept-Encoding': 'br, gzip' } }))!
    expect(packed.headers.get('Content-Encoding')).toBe('gzip')
    expect(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe('<h1>Mayfly</h1>')
    const head = (await get('/', { method: 'HEAD' }))!
    expect([head.headers.get('Content-Length'), await head.text()]).toEqual(['15', ''])
    const tag = head.headers.get('ETag')!
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/)
    const known = (await get('/', { headers: { 'If-None-Match': `"other", ${tag}` } }))!
    expect([known.status, known.headers.get('ETag'), await known.text()]).toEqual([304, tag, ''])
    expect((await get('/', { headers: { 'If-None-Match': '"other"' } }))!.status).toBe(200)
    const refused = (await get('/', { headers: { 'Accept-Encoding': 'gzip;q=0' } }))!
    expect(refused.headers.get('Content-Encoding')).toBeNull()
  })

  test('are absent if they were not built', async () => {
    const site = { dir: join(dir, 'none'), fileOf, headersOf: () => ({}), notFoundFile: '404.html' }
    const none = await loadPages(site)
    expect(none.serve(new Request('http://a.test/'))).toBeUndefined()
    const refused = new Response('{}', { status: 404 })
    expect(none.explain(new Request('http://a.test/x', BROWSER), refused)).toBe(refused)
  })

  test('a browser gets a page for a path that does not exist, with the same status', async () => {
    const refused = new Response('{}', { status: 404 })
    const explain = (path: string, init: RequestInit) =>
      pages.explain(new Request(`http://a.test${path}`, init), refused)
    const page = await explain('/nope', BROWSER)
    expect([page.status, await page.text()]).toEqual([404, '<h1>Not found</h1>'])
    const headers = { ...BROWSER.headers, 'If-None-Match': page.headers.get('ETag')! }
    expect((await explain('/nope', { headers })).status).toBe(404)
    const bad = await pages.explain(
      new Request('http://a.test/nope', BROWSER),
      new Response('{}', { status: 400 }),
    )
    expect([bad.status, await bad.text()]).toEqual([400, '<h1>Not found</h1>'])
    expect(await explain('/nope', {})).toBe(refused)
    expect(await explain('/nope', { headers: { Accept: 'application/json' } })).toBe(refused)
    expect(await explain('/api/nope', BROWSER)).toBe(refused)
    expect(await explain('/nope', { ...BROWSER, method: 'POST' })).toBe(refused)
    const fine = new Response('x')
    expect(await pages.explain(new Request('http://a.test/nope', BROWSER), fine)).toBe(fine)
  })

  test('a slash at the end of a path leads to the page', async () => {
    const answer = await get('/fonts/font.bin/')
    expect([answer?.status, answer?.headers.get('Location')]).toEqual([308, '/fonts/font.bin'])
    expect((await get('/fonts/font.bin//?a=/'))?.headers.get('Location')).toBe('/fonts/font.bin')
    for (const path of ['/none/', '/none', '//']) expect(get(path)).toBeUndefined()
  })
})
