import { StreamHub } from './hub.ts'
import type { ToHub } from './messages.ts'

/** A shared worker: the hub of all pages of this browser. */
const hub = new StreamHub(location.origin)

addEventListener('connect', (event) => {
  const port = (event as MessageEvent).ports[0]!
  const said = hub.serve((message) => port.postMessage(message))
  port.onmessage = ({ data }: MessageEvent<ToHub | { type: 'lock'; name: string }>) => {
    if (data.type !== 'lock') said(data)
    // A page holds the lock as long as it lives, also one that ends without a word.
    else navigator.locks?.request(data.name, () => said({ type: 'leave' }))
  }
})
