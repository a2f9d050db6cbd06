import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { CONSOLE_WRAPPER } from '../aws/documented/web-functions.ts'
import { eventually } from '../support/eventually.ts'
import { listening } from '../support/http-server.ts'
import { freePort, listens } from '../support/ports.ts'

/** How Lambda runs a web function, by its revision and its endpoint. */
export interface WebFunctionSettings {
  /** Folder of the unpacked zip, which holds `index.js`. */
  folder: string
  environment: Record<string, string>
  maxConcurrency: number
  maxEnvironments: number
  /** The URL of a module that Node loads before the program, for a clock of the test. */
  preload?: string
}

/**
 * Headers that Lambda does not forward
 * (docs.aws.amazon.com/lambda/latest/dg/web-functions-http.html).
 */
const REMOVED = ['connection', 'keep-alive', 'upgrade', 'expect', 'te', 'trailer', 'x-real-ip']
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'OPTIONS', 'DELETE']

interface Environment {
  /** Undefined until it is started. */
  process: ChildProcess | undefined
  /** Its port, when it listens. */
  port: Promise<number>
  agent: Agent
  responses: Set<ServerResponse>
  isRouted: boolean
}

/**
 * The endpoint of a Lambda Web Function as AWS documents it. When a request arrives it starts
 * `index.js`, with the address to listen on in a variable. It routes up to `maxConcurrency`
 * requests to each environment, and passes streamed bodies on as they come
 * (docs.aws.amazon.com/lambda/latest/dg/web-functions-env-lifecycle.html and
 * web-functions-http.html).
 */
export class WebFunctionHost {
  /** The endpoint: `http://127.0.0.1:port`. */
  url = ''
  /** How many environments were started so far. */
  started = 0
  readonly #settings: WebFunctionSettings
  readonly #environments: Environment[] = []
  #output = ''
  #stop: () => Promise<void> = async () => {}

  private constructor(settings: WebFunctionSettings) {
    this.#settings = settings
  }

  static async start(settings: WebFunctionSettings): Promise<WebFunctionHost> {
    const host = new WebFunctionHost(settings)
    const { url, close } = await listening(
      createServer((incoming, outgoing) => void host.#answer(incoming, outgoing)),
    )
    host.url = url
    host.#stop = close
    return host
  }

  /** What the environments wrote to their logs so far. */
  get output(): string {
    return this.#output
  }

  /** How many environments are running. */
  get running(): number {
    return this.#running().length
  }

  /** Ends every environment in the middle of its responses. */
  async kill(): Promise<void> {
    await Promise.all(this.#running().map((environment) => ended(environment, 'SIGKILL')))
  }

  /** Removes every environment as Lambda does: no new requests, then SIGTERM. Returns the exit codes. */
  async shutDown(): Promise<(number | null)[]> {
    const leaving = this.#running()
    for (const environment of leaving) environment.isRouted = false
    return Promise.all(leaving.map((environment) => ended(environment, 'SIGTERM')))
  }

  async close(): Promise<void> {
    await this.kill()
    await this.#stop()
  }

  #running(): Environment[] {
    return this.#environments.filter(
      ({ process: child }) => child?.exitCode === null && child.signalCode === null,
    )
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (incoming.httpVersion === '1.0') return void outgoing.writeHead(505).end()
    if (!METHODS.includes(incoming.method ?? '')) return void outgoing.writeHead(400).end()
    const environment = this.#route(outgoing)
    if (environment === undefined) return void outgoing.writeHead(429).end()
    try {
      forward(incoming, outgoing, environment, await environment.port)
    } catch (error) {
      outgoing.writeHead(502).end(String(error))
    }
  }

  #route(outgoing: ServerResponse): Environment | undefined {
    const { maxConcurrency, maxEnvironments } = this.#settings
    const routed = this.#environments.filter(({ isRouted }) => isRouted)
    const free = routed.find(({ responses }) => responses.size < maxConcurrency)
    const environment = free ?? (routed.length < maxEnvironments ? this.#start() : undefined)
    environment?.responses.add(outgoing)
    outgoing.once('close', () => environment?.responses.delete(outgoing))
    return environment
  }

  #start(): Environment {
    const environment: Environment = {
      process: undefined,
      port: freePort().then((port) => this.#run(environment, port)),
      agent: new Agent({ keepAlive: true }),
      responses: new Set(),
      isRouted: true,
    }
    this.started++
    this.#environments.push(environment)
    return environment
  }

  /** Starts the program, and resolves to its port when it listens. */
  async #run(environment: Environment, port: number): Promise<number> {
    const { folder, environment: variables, preload } = this.#settings
    const preloads = [moduleUrl(CONSOLE_WRAPPER), ...(preload ? [preload] : [])]
    const child = spawn(process.execPath, [...preloads.flatMap((url) => ['--import', url]), 'index.js'], {
      cwd: folder,
      env: { ...variables, AWS_LAMBDA_HTTP_ENDPOINT: `127.0.0.1:${port}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        this.#output += chunk
      })
    }
    child.once('exit', () => {
      environment.isRouted = false
      for (const response of environment.responses) response.destroy()
    })
    environment.process = child
    await eventually('the server of a web function', async () => {
      if (child.exitCode !== null) throw new Error(`it ended: ${this.#output}`)
      return listens(port)
    })
    return port
  }
}

/** Returns the URL of a module with this code. */
export function moduleUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`
}

async function ended(
  { process: child, agent }: Environment,
  signal: 'SIGKILL' | 'SIGTERM',
): Promise<number | null> {
  if (child === undefined) return null
  const exit = once(child, 'exit')
  child.kill(signal)
  const [code] = (await exit) as [number | null]
  agent.destroy()
  return code
}

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { agent }: Environment,
  port: number,
): void {
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).filter(
      ([name]) => !REMOVED.includes(name) && !name.startsWith('lambda-web-'),
    ),
  )
  const forwarded = request(
    {
      port,
      agent,
      host: '127.0.0.1',
      method: incoming.method,
      path: incoming.url,
      headers: { ...headers, 'x-forwarded-for': '192.0.2.7', 'lambda-web-request-id': 'an-id' },
    },
    (response) => {
      const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...kept } = response.headers
      outgoing.writeHead(response.statusCode ?? 502, kept).flushHeaders()
      response.pipe(outgoing)
      // A body that breaks off is truncated for the client too.
      response.once('error', () => outgoing.destroy())
    },
  )
  forwarded.once('error', () => outgoing.destroy())
  outgoing.once('close', () => forwarded.destroy())
  incoming.pipe(forwarded)
}
