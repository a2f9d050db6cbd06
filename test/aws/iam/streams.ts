import { EDGE_HEADERS, ENV } from '../../../adapters/aws/env.ts'
import { unique } from '../../contract/sample.ts'
import { EDGE_SECRET } from '../../support/edge-request.ts'
import { openStream } from '../../support/event-source.ts'
import { startProgram } from '../../support/program.ts'
import type { Running } from './running.ts'
import { DOMAIN, DOMAIN_KEY, type World } from './world.ts'

const EDGE = { [EDGE_HEADERS.secret]: EDGE_SECRET, [EDGE_HEADERS.viewer]: '192.0.2.1:50000' }

// biome-ignore lint/suspicious/noExplicitAny: answers have any shape
type Json = any

/** Opens streams, waits for mail, and calls every tool of MCP. */
export async function useStreams({ world, env }: Running, more: Record<string, string>): Promise<void> {
  const settings = { ...env, [ENV.port]: '0', [ENV.streamPollMs]: '50', ...more }
  const program = startProgram('sse-service/index.ts', settings)
  try {
    const { port } = await program.logged('ready')
    const url = `http://127.0.0.1:${port}`
    const address = `stream-${unique()}@${DOMAIN}`
    await world.deliver(address, 'before')
    const stream = await openStream(`${url}/api/sse/${address}`, {
      ...EDGE,
      'Last-Event-ID': '0'.repeat(26),
    })
    const ofKey = `${url}/api/user-dashboard/sse?key=`
    const domains = await openStream(ofKey + encodeURIComponent(DOMAIN_KEY), EDGE)
    // A domain whose key is shown for the first time joins the streams of the key.
    const joining = `d${unique()}.example`
    await world.addPrivate(joining, false)
    const joined = `${url}/api/sse/bot@${joining}?key=${encodeURIComponent(DOMAIN_KEY)}`
    ;(await openStream(joined, EDGE)).close()
    // A wrong key is counted.
    await fetch(`${ofKey}wrong`, { headers: EDGE })
    await fetch(`${url}/healthz`)
    await stream.until(1)
    const feed = env[ENV.valkeyUrl] === undefined ? undefined : await world.publishChanges()
    await world.deliver(address, 'after')
    await stream.until(2)
    await feed?.stop()
    stream.close()
    domains.close()
    await callTools(url, world, address)
  } finally {
    program.process.kill('SIGTERM')
    await program.ended
  }
}

async function callTools(url: string, world: World, address: string): Promise<void> {
  const key = await world.newKey()
  const tool = async (name: string, input: object) => {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        ...EDGE,
        [EDGE_HEADERS.path]: '/mcp',
        [EDGE_HEADERS.authorization]: `Bearer ${key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: input },
      }),
    })
    const text = await response.text()
    const { result }: Json = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
    if (!response.ok || result?.isError) throw new Error(`${name}: ${text}`)
    return result
  }
  await tool('create_inbox', {})
  await tool('wait_for_email', { address })
  const { structuredContent } = await tool('list_emails', { address })
  for (const { id } of structuredContent.emails) {
    await tool('read_email', { address, id })
    await tool('delete_email', { address, id })
  }
}
