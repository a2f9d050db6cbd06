import { ask } from '../lib/api.ts'
import { credentials } from '../lib/credentials.ts'
import { keepMended } from './mend.ts'

/** What of Swagger UI is used here; it comes as a script of its own and is a global. */
interface SwaggerSystem {
  getComponent(name: string, connected?: boolean): unknown
  React: { createElement(type: unknown, props: object | null, ...children: unknown[]): unknown }
}

declare const SwaggerUIBundle: (options: object) => { preauthorizeApiKey(name: string, key: string): void }

interface Operation {
  tags?: string[]
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  tags?: { name: string }[]
}

/** The first that a path begins with names its group. */
const GROUPS: [string, string][] = [
  ['/api/sse', 'Streams'],
  ['/api/user-dashboard', 'Streams'],
  ['/api/public/emails', 'Mail'],
  ['/api/emails', 'Mail'],
  ['/api/keys', 'Keys'],
  ['/api/random-username', 'Addresses and domains'],
  ['/api/domain', 'Addresses and domains'],
  ['/api', 'The service'],
]

const GROUP_ORDER = ['Addresses and domains', 'Mail', 'Streams', 'Keys', 'The service']

/** Shows the service's own OpenAPI document. @throws ApiProblem */
export async function showReference(place: HTMLElement): Promise<void> {
  keepMended(place)
  const viewer = SwaggerUIBundle({
    spec: grouped(await ask<Document>('/api/openapi.json')),
    domNode: place,
    layout: 'OperationsOnly',
    plugins: [operationsOnly],
    // Badges and validators of other hosts have no place here.
    validatorUrl: null,
    deepLinking: false,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    docExpansion: 'list',
  })
  if (credentials.apiKey !== undefined) viewer.preauthorizeApiKey('apiKey', credentials.apiKey)
}

function grouped(document: Document): Document {
  for (const [path, operations] of Object.entries(document.paths)) {
    const [, name] = GROUPS.find(([prefix]) => path.startsWith(prefix)) ?? ['', 'The service']
    for (const operation of Object.values(operations)) operation.tags ??= [name]
  }
  return { ...document, tags: GROUP_ORDER.map((name) => ({ name })) }
}

/** The viewer without its title and its landmarks: the page around it has those. */
function operationsOnly({ React: { createElement } }: SwaggerSystem) {
  const OperationsOnly = ({ getComponent }: Pick<SwaggerSystem, 'getComponent'>) =>
    createElement(
      'div',
      { className: 'swagger-ui' },
      createElement(getComponent('SvgAssets'), null),
      createElement(getComponent('AuthorizeBtnContainer', true), null),
      createElement(getComponent('operations', true), null),
      createElement(getComponent('Models', true), null),
    )
  return { components: { OperationsOnly } }
}
