/**
 * Preloaded into the service by a test: a thread that reads JSON with FILL_THREAD in it needs 400 MB more, which no
 * request can cause from outside.
 */
import { env } from 'node:process'
import { isMainThread } from 'node:worker_threads'

if (!isMainThread) {
  const { parse } = JSON
  const held = []
  JSON.parse = (text, ...more) => {
    if (text.includes(env.FILL_THREAD))
      for (let n = 0; n < 8; n++) held.push(new Array((50 * 1024 * 1024) / 8).fill(null))
    return parse(text, ...more)
  }
}
