import { expect, test } from '@jest/globals'
import manifest from '../../package.json' with { type: 'json' }
import { expectProblem, type Requests } from './requests.ts'

/** Endpoints that belong to no inbox, and the headers that every answer has. */
export function generalContract(requests: Requests): void {
  test('1: a random username, which is different each time', async () => {
    const names = new Set<string>()
    for (let i = 0; i < 20; i++) {
      const { status, body } = await requests.call('/api/random-username')
      expect(status).toBe(200)
      expect(Object.keys(body)).toEqual(['username'])
      expect(body.username).toMatch(/^[a-z]+[0-9]+$/)
      names.add(body.username)
    }
    expect(names.size).toBe(20)
  })

  test('j: the information that a client needs', async () => {
    const { status, body } = await requests.call('/api/info')
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      version: manifest.version,
      base_url: expect.stringMatching(/^https?:\/\/[^/]+$/),
      smtp: requests.host.smtp,
      mx: requests.host.mxHost,
      retention_hours: 24,
      max_message_bytes: 41_943_040,
      link_check: expect.any(Boolean),
      all_mail: expect.any(Boolean),
    })
  })

  test('headers of every response, CORS, unknown paths and methods', async () => {
    for (const path of ['/api/domains', '/api/nothing', '/api/public/emails/x', '/api/openapi.json']) {
      const { headers } = await requests.call(path)
      expect(headers.get('x-request-id')).toBeTruthy()
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('access-control-allow-origin')).toBe('*')
      for (const name of ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After']) {
        expect(headers.get('access-control-expose-headers')).toContain(name)
      }
    }
    const preflight = await requests.call('/api/emails/a%40b.example', {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://app.example',
        'Access-Control-Request-Method': 'DELETE',
        'Access-Control-Request-Headers': 'x-api-key,x-domain-key',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('x-domain-key')
    expect(preflight.headers.get('access-control-allow-methods')).toContain('DELETE')
    expect(preflight.headers.get('allow')).toBe('GET, HEAD, DELETE')
    expectProblem(await requests.call('/api/nothing'), 404, 'not_found')
    expectProblem(await requests.call('/API/domains'), 404, 'not_found')
    for (const path of ['/api/public/emails/', '/api/emails//latest']) {
      const answer = await requests.call(path)
      expectProblem(answer, 404, 'not_found')
      expect(answer.body.detail).toMatch(/^A part of this path is empty; /)
    }
    const wrong = await requests.call('/api/domains', { method: 'POST' })
    expectProblem(wrong, 405, 'method_not_allowed')
    expect(wrong.headers.get('allow')).toContain('GET')
    const put = await requests.call('/api/emails/a%40b.example/x', { method: 'PUT' })
    expectProblem(put, 405, 'method_not_allowed')
    expect(put.headers.get('allow')?.split(/, */)).toEqual(expect.arrayContaining(['GET', 'DELETE']))
    // The path of another endpoint is no address and no id, whatever the method is.
    const latest = await requests.call('/api/emails/a%40b.example/latest', { method: 'DELETE' })
    expectProblem(latest, 405, 'method_not_allowed')
    expect(latest.headers.get('allow')).toBe('GET, HEAD')
  })

  test('h and i: health and the OpenAPI document', async () => {
    const health = await requests.call('/api/health')
    expect([health.status, health.body]).toEqual([200, { success: true, status: 'ok' }])
    const { status, body } = await requests.call('/api/openapi.json')
    expect(status).toBe(200)
    expect(body.openapi).toMatch(/^3\.1\./)
    // The one-machine service has additional operations: it can send itself a mail, and lists
    // rejected senders.
    const allMail = ['/api/emails', '/api/emails/latest', '/api/emails/wait', '/api/sse', '/api/refusals']
    const own = ['/metrics', '/api/test-mail', '/api/activity/{address}', ...allMail]
    const paths = Object.keys(body.paths).filter((path) => !own.includes(path))
    expect(paths.sort()).toEqual([
      '/api/domain/verify/{domain}',
      '/api/domains',
      '/api/domains/random',
      '/api/emails/{address}',
      '/api/emails/{address}/latest',
      '/api/emails/{address}/read',
      '/api/emails/{address}/wait',
      '/api/emails/{address}/{id}',
      '/api/emails/{address}/{id}/attachments/{n}',
      '/api/emails/{address}/{id}/link-check',
      '/api/emails/{address}/{id}/raw',
      '/api/health',
      '/api/info',
      '/api/keys',
      '/api/keys/current',
      '/api/openapi.json',
      '/api/public/emails/{address}',
      '/api/random-username',
      '/api/session',
      '/api/sse/{address}',
      '/api/user-dashboard/sse',
      '/api/webhooks',
      '/api/webhooks/{id}',
      '/api/webhooks/{id}/deliveries',
      '/api/webhooks/{id}/test',
      '/mcp',
    ])
  })
}
