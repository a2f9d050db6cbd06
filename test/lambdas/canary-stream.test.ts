import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from '@jest/globals'
import { listening } from '../support/http-server.ts'

const STREAM = new URL('../../lambdas/canary-stream.ts', import.meta.url).href

test('once the mail has arrived and the stream is closed, nothing keeps the process running', async () => {
  const events = ['another', 'ours'].map((subject) => `data: ${JSON.stringify({ email: { subject } })}\n\n`)
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(events.join(''))
  })
  const { url, close } = await listening(server)
  const program = `
    import { CanaryStream } from '${STREAM}'
    const stream = new CanaryStream('${url}', 'ours')
    await stream.arrivedWithin(600_000)
    stream.close()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' })
  try {
    expect(await once(child, 'exit')).toEqual([0, null])
  } finally {
    child.kill()
    await close()
  }
})
