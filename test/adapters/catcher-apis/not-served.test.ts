import { expect, test } from '@jest/globals'
import { type CatcherOptions, createCatcherApis } from '../../../adapters/catcher-apis/catcher-apis.ts'

const apis = createCatcherApis({ needsKey: false } as CatcherOptions)
const ask = async (method: string, path: string) =>
  apis(new Request(`http://localhost${path}`, { method }), 'client')

/** What Mailpit and MailHog have, and this service does in another way. */
const NOT_SERVED = [
  ['POST', '/api/v1/message/x/release'],
  ['POST', '/api/v1/messages/x/release'],
  ['PUT', '/api/v1/tags'],
  ['PUT', '/api/v1/tags/x'],
  ['DELETE', '/api/v1/tags/x'],
  ['GET', '/api/v1/chaos'],
  ['PUT', '/api/v1/chaos'],
  ...['GET', 'POST', 'PUT', 'DELETE'].map((method) => [method, '/api/v2/jim']),
  ['GET', '/api/v1/message/x/html-check'],
  ['GET', '/api/v1/message/x/link-check'],
  ['GET', '/api/v1/message/x/sa-check'],
  ['GET', '/api/v1/message/x/part/0/thumb'],
  ['GET', '/api/v2/outgoing-smtp'],
  ['GET', '/api/events'],
  ['GET', '/api/v1/events'],
  ['GET', '/api/v2/websocket'],
  ['POST', '/api/v1/send'],
  ['POST', '//api//v1/send'],
  ['GET', '/api/v1/webui'],
] as [string, string][]

test.each(NOT_SERVED)('%s %s is not served, and a sentence says what is', async (method, path) => {
  const answer = await ask(method, path)
  expect([answer.status, await answer.text()]).toEqual([501, expect.stringMatching(/^[A-Z].+\.$/)])
})

test('each of them has a sentence of its own', async () => {
  const sentences = NOT_SERVED.map(async ([method, path]) => (await ask(method, path)).text())
  expect(new Set(await Promise.all(sentences)).size).toBe(11)
})

test.each([
  ['GET', '/api/v1/nothing', 404, '404 page not found'],
  ['GET', '/api/v1/message/x/y/release', 404, '404 page not found'],
  ['GET', '/api/v1/tagsx', 404, '404 page not found'],
  ['GET', '/api/v1/chaos/x', 404, '404 page not found'],
  ['GET', '/api/v1/eventsx', 404, '404 page not found'],
  ['HEAD', '/api/v1/nothing', 404, ''],
  ['POST', '/api/v1/nothing', 405, 'Method Not Allowed'],
  ['POST', '/api/v1/chaos', 405, 'Method Not Allowed'],
  ['DELETE', '/api/v1/send', 405, 'Method Not Allowed'],
  ['OPTIONS', '/api/v1/messages', 200, ''],
  ['OPTIONS', '/api/v2/messages', 405, 'Method Not Allowed'],
  ['GET', '/api/v1/tags', 200, '[]'],
  ['GET', '/livez', 200, ''],
  ['GET', '//api//v1//tags?a=b//c', 307, ''],
])('%s %s: %d', async (method, path, status, text) => {
  const answer = await ask(method, path)
  expect([answer.status, await answer.text()]).toEqual([status, text])
  if (status === 307) expect(answer.headers.get('Location')).toBe('/api/v1/tags?a=b//c')
  else expect(answer.headers.get('Content-Security-Policy')).toBe("sandbox; default-src 'none'")
})
