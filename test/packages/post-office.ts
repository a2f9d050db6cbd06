import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listening } from '../support/http-server.ts'
import { sendMail } from '../support/mail.ts'

export interface PostOffice {
  url: string
  close(): Promise<void>
}

/**
 * A server for runtimes without SMTP: it sends the mails that are posted to /post, creates an API
 * key for each GET /key, and serves the files of `folder` and the scenarios, so that a browser can
 * import them.
 */
export async function openPostOffice(
  { smtp, newKey }: { smtp: { host: string; port: number }; newKey: () => Promise<string> },
  folder: string,
): Promise<PostOffice> {
  const server = createServer(async (request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.setHeader('Access-Control-Allow-Headers', '*')
    const path = request.url!
    if (request.method === 'POST') {
      const chunks = await request.toArray()
      await sendMail(smtp, JSON.parse(Buffer.concat(chunks).toString()))
      response.end()
    } else if (path === '/key') {
      response.end(await newKey())
    } else if (path.endsWith('js')) {
      const scenarios = fileURLToPath(new URL('./sdk-scenarios.mjs', import.meta.url))
      response.setHeader('Content-Type', 'text/javascript')
      response.end(await readFile(path === '/sdk-scenarios.mjs' ? scenarios : join(folder, path)))
    } else {
      response.setHeader('Content-Type', 'text/html')
      response.end('<!doctype html>')
    }
  })
  return listening(server)
}
