import { answers, json } from '../answer.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { OpenApiAnswer } from '../wire/openapi.ts'

/** Serves the document of `endpoints` and of itself; its library is loaded at the first request. */
export function openApi(endpoints: Endpoint<never>[]): Endpoint {
  let document: Promise<object> | undefined
  const self: Endpoint = endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    name: 'openApi',
    tag: 'Service',
    description:
      'Returns this OpenAPI document. It is generated from the schemas that validate the requests.',
    summary: 'This document',
    access: 'public',
    answers: answers('OpenAPI 3.1', OpenApiAnswer),
    handle: async ({ service: { info } }) => {
      document ??= import('../openapi/document.ts').then(({ openApiDocument }) =>
        openApiDocument([...endpoints, self], info),
      )
      return json(await document)
    },
  })
  return self
}
