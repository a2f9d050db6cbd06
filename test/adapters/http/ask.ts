import { json } from '../../../adapters/http/answer.ts'
import { createApp } from '../../../adapters/http/app.ts'
import { type Call, type Endpoint, endpointsOf } from '../../../adapters/http/endpoint.ts'

export const CLIENT = '192.0.2.1'

export interface Asked {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
  body: any
}

/** Sends a request to an app that has only these endpoints, on a service with only these parts. */
export async function ask(
  service: object,
  endpoints: Endpoint<never>[],
  path: string,
  init?: RequestInit,
): Promise<Asked> {
  const app = createApp({
    service: service as never,
    endpoints: endpoints as never,
    clientAddress: () => CLIENT,
  })
  const answer = await app.request(`http://localhost${path}`, init)
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
}

/** An endpoint that answers with what `handle` returns, or as declared. */
export function endpointOf(
  declared: Partial<Endpoint<object>>,
  handle: (call: Call<object, unknown>) => object = () => ({}),
): Endpoint<never> {
  return endpointsOf<object>()({
    method: 'GET',
    path: '/api/x',
    name: 'x',
    summary: 'x',
    access: 'public',
    answers: {},
    handle: async (call: Call<object, unknown>) => json(await handle(call)),
    ...declared,
  } as never)
}
