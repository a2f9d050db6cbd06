import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createContext, runInContext } from 'node:vm'
import type { Cloud } from './cloud.ts'
import type { DeployedTemplate } from './template.ts'

/** The header of the tests that sets the address of the client; no origin receives it. */
export const TEST_CLIENT = 'x-test-client'

/**
 * The number of concurrent requests to the gateway of the emulator: it starts a process for each of
 * them, and 200 at once would delay each other by many seconds.
 */
const GATEWAY_REQUESTS = 8

interface Behaviour {
  pattern: RegExp
  methods: string[]
  headers: string[]
  cookies: string[]
  customHeaders: Record<string, string>
  /** Rewrites the URI and the headers of a request, as the function at the edge does. */
  edge: ((event: EdgeEvent) => EdgeEvent['request']) | undefined
  isVpcOrigin: boolean
  /** Logical id of the resource behind the origin. */
  target: string
}

interface EdgeEvent {
  request: { uri: string; headers: Record<string, { value: string }> }
}

export interface Upstream {
  hostname: string
  port: string
  /** The Host header. */
  host: string
}

/**
 * Simulates CloudFront as the synthesised distribution configures it: which path is routed to which
 * origin, with which headers. The CloudFront of the emulator buffers whole responses, so it cannot
 * deliver a stream.
 */
export async function startEdge(
  template: DeployedTemplate,
  upstreamOf: (logicalId: string, isVpcOrigin: boolean) => Upstream,
): Promise<{ url: string; close(): Promise<void> }> {
  const behaviours = await readBehaviours(template)
  const turnstile = new Turnstile(GATEWAY_REQUESTS)
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url!.split('?')[0]!
    const behaviour = behaviours.find(({ pattern }) => pattern.test(path))!
    const pass = () =>
      forward(incoming, outgoing, behaviour, upstreamOf(behaviour.target, behaviour.isVpcOrigin))
    if (behaviour.isVpcOrigin) pass()
    else void turnstile.pass(pass, outgoing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The HTTP API of a stack in the emulator. */
export function apiUpstream({ endpoint }: Cloud, template: DeployedTemplate): Upstream {
  const { hostname, port } = new URL(endpoint)
  const api = template.physical(template.the('AWS::ApiGatewayV2::Api').id)
  return { hostname, port, host: `${api}.execute-api.localhost:${port}` }
}

/** Limits the number of concurrent requests; further ones wait. */
class Turnstile {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(places: number) {
    this.#free = places
  }

  async pass(begin: () => void, outgoing: ServerResponse): Promise<void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    outgoing.once('close', () => {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    })
    begin()
  }
}

/** The behaviours in the order in which CloudFront tries them. */
async function readBehaviours(template: DeployedTemplate): Promise<Behaviour[]> {
  const { DistributionConfig: config } = template.the('AWS::CloudFront::Distribution').Properties
  const edgeFunction = template.the('AWS::CloudFront::Function')
  const behaviours: Behaviour[] = []
  for (const behaviour of [...config.CacheBehaviors, { ...config.DefaultCacheBehavior, PathPattern: '*' }]) {
    const origin = config.Origins.find(({ Id }: { Id: string }) => Id === behaviour.TargetOriginId)
    const policy = template.resource(template.refersTo(behaviour.OriginRequestPolicyId))
    const { HeadersConfig, CookiesConfig } = policy.Properties.OriginRequestPolicyConfig
    const customHeaders: Record<string, string> = {}
    for (const { HeaderName, HeaderValue } of origin.OriginCustomHeaders ?? []) {
      customHeaders[HeaderName] = await template.text(HeaderValue)
    }
    behaviours.push({
      pattern: new RegExp(`^${behaviour.PathPattern.replace(/[.+?^$]/g, '\\$&').replaceAll('*', '.*')}$`),
      methods: behaviour.AllowedMethods,
      headers: HeadersConfig.Headers.map((name: string) => name.toLowerCase()),
      cookies: CookiesConfig.Cookies ?? [],
      customHeaders,
      edge: behaviour.FunctionAssociations && compile(edgeFunction.Properties.FunctionCode),
      isVpcOrigin: origin.VpcOriginConfig !== undefined,
      target: template.refersTo(origin.DomainName),
    })
  }
  return behaviours
}

function compile(code: string): Behaviour['edge'] {
  return runInContext(`${code}\nhandler`, createContext({}))
}

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { methods, headers: forwarded, cookies, customHeaders, edge }: Behaviour,
  upstream: Upstream,
): void {
  if (!methods.includes(incoming.method!)) {
    outgoing.writeHead(403).end('CloudFront does not allow the method')
    return
  }
  const [uri = '', ...query] = incoming.url!.split('?')
  const client = (incoming.headers[TEST_CLIENT] as string | undefined) ?? '192.0.2.1'
  const viewer: Record<string, { value: string }> = {}
  for (const [name, value] of Object.entries(incoming.headers)) viewer[name] = { value: String(value) }
  const rewritten = edge?.({ request: { uri, headers: viewer } }) ?? { uri, headers: viewer }
  const headers: Record<string, string> = {}
  for (const name of forwarded) {
    const sent = rewritten.headers[name]?.value
    if (sent !== undefined) headers[name] = sent
  }
  const cookie = allowedCookies(viewer.cookie?.value ?? '', cookies)
  if (cookie !== '') headers.cookie = cookie
  // CloudFront adds these headers itself if the policy asks for them.
  if (forwarded.includes('cloudfront-viewer-address'))
    headers['cloudfront-viewer-address'] = `${client}:46532`
  for (const name of ['content-length', 'transfer-encoding']) {
    if (viewer[name]) headers[name] = viewer[name].value
  }
  const { hostname, port, host } = upstream
  const path = [rewritten.uri, ...query].join('?')
  const onward = request(
    { hostname, port, method: incoming.method, path, headers: { ...headers, ...customHeaders, host } },
    (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
    },
  )
  onward.on('error', () => outgoing.destroy())
  outgoing.on('close', () => onward.destroy())
  incoming.pipe(onward)
}

/**
 * The cookies that the policy of the behaviour names. CloudFront has the default port; here the service puts the port of
 * the test into the name of its cookie.
 */
function allowedCookies(sent: string, names: string[]): string {
  const isAllowed = (cookie: string) => names.includes(cookie.split('=')[0]!.replace(/_\d+$/, ''))
  return sent
    .split(';')
    .map((cookie) => cookie.trim())
    .filter(isAllowed)
    .join('; ')
}
