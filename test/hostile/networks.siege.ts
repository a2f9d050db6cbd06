import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

const PROGRAM = fileURLToPath(new URL('networks-program.ts', import.meta.url))
/** All addresses of two prefixes are local in the new namespace. */
const SETUP =
  'ip link set lo up && ip -6 route add local fd00:1::/32 dev lo && ip -6 route add local fd00:2::/32 dev lo && echo 1 > /proc/sys/net/ipv6/ip_nonlocal_bind'

test.each([
  [1000, 1],
  [2000, 1],
  [2000, 40],
])(
  '%i networks of %i sites hold connections, and an honest address is served',
  async (networks, sites) => {
    const run = `${SETUP} && exec "${process.execPath}" --disable-warning=ExperimentalWarning "${PROGRAM}" ${networks} ${sites}`
    const { stdout } = await promisify(execFile)('unshare', [
      '--user',
      '--map-root-user',
      '--net',
      'sh',
      '-c',
      run,
    ])
    const { tried, mails, requests, attackers } = JSON.parse(stdout) as Record<string, number>
    process.stderr.write(
      `${networks} networks, ${attackers} connections: ${mails} mails, ${requests} requests of ${tried}\n`,
    )
    expect(tried).toBeGreaterThan(0)
    expect(mails).toBeGreaterThanOrEqual(0.95 * tried!)
    expect(requests).toBeGreaterThanOrEqual(0.95 * tried!)
  },
  180_000,
)
