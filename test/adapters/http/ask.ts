import { json } from '../../../adapters/http/answer.ts'
import { createApp } from '../../../adapters/http/app.ts'
import { type Call, type Endpoint, endpointsOf } from '../../../adapters/http/endpoint.ts'
import type { TestMailService } from '../../../adapters/http/endpoints/test-mail.ts'
import type { LiveService } from '../../../adapters/http/service.ts'
import { type Address, canonicalAddress } from '../../../core/address.ts'
import { Problem } from '../../../core/errors.ts'

export const CLIENT = '192.0.2.1'

export interface Asked {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
  body: any
}

/** The parts of a service that a test needs, with their members; one that does not exist is a type error. */
export type ServiceParts = {
  [Part in keyof Whole]?: { [Member in keyof Whole[Part]]?: unknown }
}

type Whole = Required<LiveService> & TestMailService

/** As `DomainService.address`, for a service with only some of its parts. */
async function addressOf(text: string): Promise<Address> {
  const address = canonicalAddress(text)
  if (address === undefined) throw new Problem('invalid_address', 'This is no address.')
  return address
}

/** Sends a request to an app that has only these endpoints, on a service with only these parts. */
export async function ask(
  service: ServiceParts,
  endpoints: Endpoint<never>[],
  path: string,
  init?: RequestInit,
): Promise<Asked> {
  const app = createApp({
    service: {
      ...service,
      domainService: {
        address: addressOf,
        ...('domainService' in service ? (service.domainService as object) : {}),
      },
    } as never,
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
    tag: 'Service',
    description: 'x',
    access: 'public',
    answers: {},
    handle: async (call: Call<object, unknown>) => json(await handle(call)),
    ...declared,
  } as never)
}
