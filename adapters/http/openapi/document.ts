import type { Endpoint } from '../endpoint.ts'
import { componentsOf, type Json } from './components.ts'
import { operationOf } from './operation.ts'
import { TAGS } from './tags.ts'

/** What the document says about the service that serves it. */
interface About {
  version: string
  /** The public URL; undefined for the host of the request. */
  baseUrl: string | undefined
}

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key, which `newKey` issues, or an operator’s key',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The API key' },
  domainKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Domain-Key',
    description: 'The key of a private domain',
  },
  domainKeyInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'key',
    description: 'The key of a private domain, for clients that cannot send headers',
  },
}

/**
 * Returns the OpenAPI 3.1 document of these endpoints, made from the schemas that validate their
 * requests.
 */
export function openApiDocument(endpoints: Endpoint<never>[], { version, baseUrl }: About): Json {
  const known = new Set(endpoints.map(({ name }) => name))
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint, known) }
  }
  const used = new Set(endpoints.map(({ tag }) => tag))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mayfly',
      version,
      description:
        'Disposable mailboxes for bots, CI pipelines and backend tests. Any address on a registered domain ' +
        'receives mail; nothing needs to be created first.',
      contact: {
        name: 'Mayfly contributors',
        url: 'https://github.com/mayfly/mayfly',
        email: 'mayfly@users.noreply.github.com',
      },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: baseUrl ?? '/', description: 'This service' }],
    tags: Object.entries(TAGS).flatMap(([name, description]) =>
      used.has(name as keyof typeof TAGS) ? [{ name, description }] : [],
    ),
    paths,
    components: { ...componentsOf(paths), securitySchemes: usedSchemes(paths) },
  }
}

function usedSchemes(paths: Record<string, Json>): Json {
  const security = JSON.stringify(
    Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((operation) => (operation as Json).security),
    ),
  )
  return Object.fromEntries(
    Object.entries(SECURITY_SCHEMES).filter(([name]) => security.includes(`"${name}"`)),
  )
}
