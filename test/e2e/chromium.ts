import { existsSync } from 'node:fs'

/** Where distributions install Chromium; MAYFLY_CHROMIUM names another place. */
export const CHROMIUM = [process.env.MAYFLY_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path !== undefined && existsSync(path),
)

export const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
