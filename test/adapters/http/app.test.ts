import { describe, expect, test } from '@jest/globals'
import { createApp } from '../../../adapters/http/app.ts'
import { endpointsOf } from '../../../adapters/http/endpoint.ts'
import { visitorsOf } from '../../../adapters/http/visitors.ts'

/** What all answers have in common, on endpoints of nothing but an answer. */
describe('every answer', () => {
  const endpoint = endpointsOf<object>()
  const appOf = (answer: () => Response, origins?: string[]) =>
    createApp({
      service: {} as never,
      endpoints: [
        endpoint({
          method: 'GET',
          path: '/api/x',
          name: 'x',
          summary: 'x',
          access: 'public',
          answers: {},
          handle: answer,
        }),
      ],
      clientAddress: () => '192.0.2.1',
      visitors: visitorsOf({ isLoopback: true, origins, names: [], baseUrl: undefined }),
    })

  test('says of all that it depends on, so that no cache gives it to somebody else', async () => {
    const app = appOf(() => Response.json('long enough to be packed '.repeat(1000)))
    const answer = await app.request('http://localhost/api/x', {
      headers: { Origin: 'http://localhost:3000', 'Accept-Encoding': 'gzip' },
    })
    expect(answer.headers.get('Content-Encoding')).toBe('gzip')
    const vary = answer.headers.get('Vary')!.split(/,\s*/)
    expect(vary.sort()).toEqual(['Accept-Encoding', 'Origin'])
  })

  test('to HEAD lets go of what it would have been made of', async () => {
    let cancelled = 0
    const body = () =>
      new ReadableStream({
        cancel() {
          cancelled++
        },
      })
    const answer = await appOf(() => new Response(body())).request('http://localhost/api/x', {
      method: 'HEAD',
    })
    expect(answer.status).toBe(200)
    expect(cancelled).toBe(1)
  })
})
