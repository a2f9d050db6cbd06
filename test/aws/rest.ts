import { expect } from '@jest/globals'
import type { TestDns } from '../support/dns-server.ts'
import { eventually } from '../support/eventually.ts'
import type { Account } from './account.ts'
import type { Deployed } from './deploy.ts'
import { apiUpstream, startEdge } from './edge.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests read JSON of any shape
type Json = any

/** A deployed stack whose REST API answers by way of the edge; its streams are not reachable. */
export interface RestStack extends Deployed {
  url: string
  get(path: string, headers?: Record<string, string>): Promise<{ status: number; body: Json }>
  /** Waits for the newest email of an inbox that has this subject. */
  arrival(address: string, subject: string): Promise<Json>
  /** Makes SES confirm the identity of a domain, which the emulator does at once. */
  verify(domain: string): Promise<void>
  close(): Promise<void>
}

/** Starts the edge in front of the HTTP API of a deployed stack. */
export async function openRest(account: Account, dns: TestDns, deployed: Deployed): Promise<RestStack> {
  const { cloud } = account
  const edge = await startEdge(deployed.template, (id) => {
    if (id === deployed.template.the('AWS::ApiGatewayV2::Api').id)
      return apiUpstream(cloud, deployed.template)
    throw new Error(`${id} is not needed here`)
  })
  const get: RestStack['get'] = async (path, headers = {}) => {
    const answer = await fetch(edge.url + path, { headers })
    const text = await answer.text()
    return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text }
  }
  return {
    ...deployed,
    url: edge.url,
    get,
    arrival: (address, subject) =>
      eventually(`"${subject}" in the inbox of ${address}`, async () => {
        const { body } = await get(`/api/public/emails/${address}`)
        return body.emails.find((email: Json) => email.subject === subject)
      }),
    async verify(domain) {
      dns.set('MX', domain, ['10 inbound-smtp.us-east-1.amazonaws.com'])
      expect((await get(`/api/domain/verify/${domain}`)).body).toMatchObject({ status: 'verified' })
    },
    close: edge.close,
  }
}
