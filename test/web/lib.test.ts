import { describe, expect, test } from '@jest/globals'
import { PROBLEMS } from '../../adapters/http/problems.ts'
import { decoded } from '../../core/decoded.ts'
import { darkSupport, isShownDark } from '../../web/inbox/dark-support.ts'
import { Answers } from '../../web/lib/answers.ts'
import { ask, send } from '../../web/lib/api.ts'
import { serviceInfo } from '../../web/lib/info.ts'
import { ApiProblem, asProblem, problemOf } from '../../web/lib/problem.ts'
import { SettingStore } from '../../web/lib/settings.ts'
import { BrowserStorage } from '../../web/lib/storage.ts'
import { inWords } from '../../web/lib/words.ts'
import { ADVICE } from '../../web/problems/advice.ts'

const saved = new Map<string, string>()
const localStorage = {
  getItem: (name: string) => saved.get(name) ?? null,
  setItem: (name: string, value: string) => void saved.set(name, value),
  removeItem: (name: string) => void saved.delete(name),
}
Object.defineProperty(globalThis, 'localStorage', { value: localStorage })
// The module takes the storage when it is loaded.
const { forget, recentAddresses, remember } = await import('../../web/lib/recent.ts')

describe('problems in words', () => {
  /** Only programs cause these, or their own detail says which part of the input is wrong. */
  const FOR_PROGRAMS = new Set(
    'invalid_query invalid_body not_found method_not_allowed body_too_large misdirected_request range_not_satisfiable'.split(
      ' ',
    ),
  )

  test('a person reads a title and a sentence without HTTP, except about requests that no page sends', () => {
    for (const code of Object.keys(PROBLEMS) as (keyof typeof PROBLEMS)[]) {
      const { title, detail } = inWords(new ApiProblem(code, 'API title', 'API detail.'))
      expect([code, title === 'API title']).toEqual([code, FOR_PROGRAMS.has(code)])
      expect([code, `${title}. ${detail}`]).toEqual([code, expect.stringMatching(/^[A-Z][^.]+\. .+\.$/)])
      expect(`${title} ${detail}`).not.toMatch(/GET|POST|X-|\/api\//)
    }
  })

  test('the page about problems says what to do about each', () => {
    expect(Object.keys(ADVICE).sort()).toEqual(Object.keys(PROBLEMS).sort())
    for (const advice of Object.values(ADVICE)) expect(advice).toMatch(/^[A-Z].+\.$/)
  })

  test('the numbers and the codes of a problem are those of its answer', async () => {
    const body = { code: 'rate_limited', title: 'Title', detail: 'Detail.', request_id: 'r-1' }
    const headers = { 'Content-Type': 'application/problem+json', 'Retry-After': '17', 'X-Request-Id': 'r-2' }
    const problem = await problemOf(Response.json(body, { status: 429, headers }))
    const facts = { status: 429, retryAfter: 17, isTransient: true }
    expect(problem).toMatchObject({ ...facts, code: 'rate_limited', requestId: 'r-1', title: 'Title' })
    expect(problem.message).toBe('rate_limited: Detail.')
    // The answer broke off.
    const broken = await problemOf(new Response('{"code"', { status: 502, headers }))
    expect(broken).toMatchObject({ code: 'unexpected', status: 502, requestId: 'r-2' })
    expect(broken.detail).toContain('502')
    const bare = await problemOf(new Response('', { status: 404 }))
    expect([bare.requestId, bare.retryAfter]).toEqual([undefined, undefined])
    const statuses = [0, 400, 404, 429, 499, 500, 503]
    expect(statuses.filter((status) => new ApiProblem('unexpected', '', '', { status }).isTransient)).toEqual(
      [0, 429, 500, 503],
    )
  })

  test('no answer, and one that breaks off, mean that the service cannot be reached', async () => {
    globalThis.fetch = async () => {
      throw new TypeError('offline')
    }
    await expect(send('/api/info')).rejects.toMatchObject({ code: 'unreachable', status: 0 })
    globalThis.fetch = async () => new Response('{"link_che')
    await expect(ask('/api/info')).rejects.toMatchObject({ code: 'unreachable', status: 0 })
  })

  test('a request has the keys, the body and the signal that it was given, and nothing else', async () => {
    const sent: unknown[] = []
    globalThis.fetch = async (path, { headers, ...init } = {}) => {
      sent.push([path, Object.fromEntries(new Headers(headers)), init])
      return new Response()
    }
    const { signal } = new AbortController()
    await send('/a')
    await send('/b', { method: 'POST', apiKey: 'k', domainKey: 'd', body: { x: 1 }, signal, keepalive: true })
    expect(sent).toEqual([
      ['/a', {}, { method: 'GET', keepalive: false, signal: null }],
      [
        '/b',
        { 'x-api-key': 'k', 'x-domain-key': 'd', 'content-type': 'application/json' },
        { method: 'POST', keepalive: true, signal, body: '{"x":1}' },
      ],
    ])
  })

  test('what the service says of itself is asked once, and again after a failure', async () => {
    const paths: unknown[] = []
    globalThis.fetch = async (path) => {
      paths.push(path)
      if (paths.length === 1) throw new TypeError('fetch failed')
      return Response.json({ link_check: true })
    }
    await expect(serviceInfo()).rejects.toMatchObject({ code: 'unreachable' })
    expect([await serviceInfo(), await serviceInfo()]).toEqual([{ link_check: true }, { link_check: true }])
    expect(paths).toEqual(['/api/info', '/api/info'])
  })

  test('a fault of the page is not shown as a problem of the service', () => {
    expect(() => asProblem(new TypeError('a fault'))).toThrow('a fault')
  })
})

describe('what a browser keeps', () => {
  const forbidden = {
    getItem: () => {
      throw new Error('forbidden')
    },
    setItem: () => {
      throw new Error('forbidden')
    },
    removeItem: () => {
      throw new Error('forbidden')
    },
  }

  test.each([
    ['that throws', { value: forbidden }],
    [
      'that cannot be reached',
      {
        get: () => {
          throw new Error('forbidden')
        },
      },
    ],
    ['that does not exist', { value: undefined }],
  ])('is in memory beside a storage %s', (_, property) => {
    Object.defineProperty(globalThis, 'sessionStorage', { ...property, configurable: true })
    const storage = new BrowserStorage('sessionStorage')
    storage.set('a', '1')
    expect(storage.get('a')).toBe('1')
    storage.remove('a')
    expect(storage.get('a')).toBeUndefined()
  })

  test('the last eight addresses, each once, the latest first', () => {
    for (const name of 'a b c d e f g h b i'.split(' ')) remember(`${name}@mayfly.test`)
    forget('e@mayfly.test')
    expect(recentAddresses().map((address) => address[0])).toEqual(['i', 'b', 'h', 'g', 'f', 'd', 'c'])
  })

  test.each(['{"a":1}', '[1', '5', '[1,"a@mayfly.test"]'])('only addresses of %s', (text) => {
    saved.set('mayfly.recent', text)
    expect(recentAddresses()).toEqual(text.includes('@') ? ['a@mayfly.test'] : [])
  })

  test('settings, whose changes are drawn', () => {
    const settings = new SettingStore()
    let drawn = 0
    const end = settings.subscribe(() => drawn++)
    expect([settings.density, settings.remoteImages]).toEqual(['comfortable', false])
    settings.density = 'compact'
    settings.remoteImages = true
    expect([settings.density, settings.remoteImages, drawn]).toEqual(['compact', true, 2])
    end()
    settings.density = 'comfortable'
    settings.remoteImages = false
    expect([settings.density, settings.remoteImages, drawn]).toEqual(['comfortable', false, 2])
  })
})

test('an answer is overtaken if that to a later request came before', () => {
  const answers = new Answers()
  const [first, second, third] = [answers.next(), answers.next(), answers.next()]
  expect([second(), first(), second(), third()]).toEqual([false, true, false, false])
})

test('percent-encoding that is broken stays as it is', () => {
  expect([decoded('a%40b'), decoded('a%4')]).toEqual(['a@b', 'a%4'])
})

test.each([
  ['<p>plain</p>', 'plain'],
  ['<p style="color:red">x</p>', 'none'],
  ['<td bgcolor=white>', 'none'],
  ['<p style="background-color: #fff">', 'none'],
  ['<font face=x>', 'none'],
  ['<img src=x>', 'none'],
  ['<P STYLE="COLOR:red">', 'none'],
  ['<TD BGCOLOR=white>', 'none'],
  ['<td background=x>', 'none'],
  ['<p style="margin:0">', 'plain'],
  ['<p title="color:red">', 'plain'],
  ['<meta name=color content=red>', 'plain'],
  ['<p style="COLOR-SCHEME: Dark">', 'declared'],
  ['<a name=color-scheme>', 'plain'],
  ['<style>@media (prefers-color-scheme: dark){p{color:red}}</style>', 'declared'],
  ['<meta name="color-scheme" content="light dark"><p style="color:red">', 'declared'],
  ['<meta name=supported-color-schemes content=dark>', 'declared'],
  ['<meta name=" color-scheme " content=dark>', 'declared'],
  ['<style>:root{color-scheme:light dark}</style>', 'declared'],
  ['<style>:root{color-scheme:darkest}</style>', 'plain'],
  ['<style>:root{color-scheme:undark}</style>', 'plain'],
  ['<style>:root{color-scheme:light}p{--x:dark}</style>', 'plain'],
  [`<style>:root{color-scheme:${' '.repeat(195)}dark}</style>`, 'declared'],
  [`<style>:root{color-scheme:${' '.repeat(196)}dark}</style>`, 'plain'],
  [`<style>:root{color-scheme${' '.repeat(20)}:dark}</style>`, 'declared'],
  [`<style>:root{color-scheme${' '.repeat(21)}:dark}</style>`, 'plain'],
])('dark colours of %s: %s', (html, support) => {
  expect(darkSupport(html)).toBe(support)
  expect([isShownDark(true, html), isShownDark(false, html)]).toEqual([support !== 'none', false])
})

test('an email that is too long to examine has no dark colours', () => {
  expect([darkSupport('<p>'.repeat(50_000)), darkSupport('<p>'.repeat(50_001))]).toEqual(['plain', 'none'])
})
