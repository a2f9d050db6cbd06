import { baseUrl } from '../lib/base.ts'
import { StreamHub } from './hub.ts'
import type { ToHub } from './messages.ts'

/** A shared worker: the stream hub of every page of this browser. */
const hub = new StreamHub(baseUrl())

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports
  if (port === undefined) return
  const receive = hub.connect((message) => port.postMessage(message))
  port.onmessage = ({ data }: MessageEvent<ToHub | { type: 'lock'; name: string }>) => {
    if (data.type !== 'lock') receive(data)
    // A page holds its lock until it ends, also if it crashes. The worker gets the lock then.
    else navigator.locks?.request(data.name, () => receive({ type: 'leave' }))
  }
})
