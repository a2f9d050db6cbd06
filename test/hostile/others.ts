/** A thread that does continuously, during an attack, what honest clients do. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { keepAliveAgent } from '../support/keep-alive-agent.ts'
import { freshAddress } from '../support/mail.ts'
import { SmtpClient } from '../support/smtp-client.ts'

export interface Others {
  http: string
  smtp: { host: string; port: number }
  /** A private domain and its key, which its owner reads. */
  owned: { domain: string; key: string }
}

/** By action: the number of calls, their durations, and the failures. */
export type Served = Record<string, { ms: number[]; failures: string[] }>

/** An action takes this long only if it hangs. */
const HANGS_MS = 10_000
const PAUSE_MS = 20
const OWN_ADDRESS = '127.0.9.9'

const { http, smtp, owned } = workerData as Others
const agent = keepAliveAgent(OWN_ADDRESS)
const served: Served = {}
let over = false

async function get(path: string, headers: Record<string, string> = {}): Promise<string> {
  const sent = request(http + path, { agent, headers, localAddress: OWN_ADDRESS }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += chunk
  if (answer.statusCode !== 200) throw new Error(`GET ${path} was answered ${answer.statusCode}: ${text}`)
  return text
}

async function mail(address: string): Promise<string> {
  const client = await SmtpClient.open({ ...smtp, localAddress: OWN_ADDRESS } as typeof smtp)
  try {
    const reply = await client.send('other@example.org', [address], 'Subject: s\r\n\r\nYour code is 739105')
    const [, id] = /^250 2\.0\.0 Ok: ([0-9A-Z]{26})$/.exec(reply) ?? []
    if (id === undefined) throw new Error(`a mail was answered ${reply}`)
    return id
  } finally {
    client.close()
  }
}

const work: Record<string, () => Promise<void>> = {
  async 'mails taken and listed'() {
    const address = freshAddress()
    const id = await mail(address)
    if (!(await get(`/api/public/emails/${address}`)).includes(id))
      throw new Error(`${id} is not in the list`)
  },
  async 'mails seen on a stream'() {
    const address = freshAddress()
    const sent = request(`${http}/api/sse/${address}`, { agent: false, localAddress: OWN_ADDRESS }).end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    try {
      if (answer.statusCode !== 200) throw new Error(`the stream was answered ${answer.statusCode}`)
      const id = await mail(address)
      let text = ''
      for await (const chunk of answer.setEncoding('utf8')) {
        text += chunk
        if (text.includes(`id: ${id}\n`)) return
      }
      throw new Error(`the stream ended without ${id}`)
    } finally {
      sent.destroy()
    }
  },
  async 'private inboxes read by their owner'() {
    await get(`/api/public/emails/inbox@${owned.domain}`, { 'X-Domain-Key': owned.key })
  },
}

async function repeat(name: string, once: () => Promise<void>): Promise<void> {
  const ms: number[] = []
  const failures: string[] = []
  served[name] = { ms, failures }
  while (!over) {
    const began = performance.now()
    try {
      await within(once())
      ms.push(performance.now() - began)
    } catch (error) {
      failures.push(String(error))
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

async function within(done: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const hung = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it hung')), HANGS_MS)
  })
  try {
    await Promise.race([done, hung])
  } finally {
    clearTimeout(timer)
  }
}

parentPort!.once('message', () => {
  over = true
})
await Promise.all(Object.entries(work).map(([name, once]) => repeat(name, once)))
agent.destroy()
parentPort!.postMessage(served)
parentPort!.close()
