import { json } from '../answer.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'

// i
/** Serves the document of `endpoints` and of itself; its library is loaded at the first request. */
export function openApi(endpoints: Endpoint<never>[]): Endpoint {
  let document: Promise<object> | undefined
  const self: Endpoint = endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    name: 'openApi',
    summary: 'This document',
    access: 'public',
    answers: { 200: { description: 'OpenAPI 3.1', type: 'application/json' } },
    handle: async () => {
      document ??= import('../openapi.ts').then((module) => module.openApiDocument([...endpoints, self]))
      return json(await document)
    },
  })
  return self
}
