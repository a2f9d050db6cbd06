import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

const COUNT = 20

/** Starts many services in one process that has installed the package, and uses each. */
export function sideBySide(folder: () => string): void {
  test(`${COUNT} services side by side in one process`, async () => {
    await writeFile(
      join(folder(), 'many.mjs'),
      `import { startMayfly } from 'mayfly'
      const began = performance.now()
      const first = await startMayfly()
      const ms = performance.now() - began
      const others = await Promise.all(Array.from({ length: ${COUNT - 1} }, () => startMayfly()))
      const all = [first, ...others]
      const inboxes = await Promise.all(all.map((service) => service.inbox()))
      console.log(JSON.stringify({ ms, urls: new Set(all.map(({ url }) => url)).size, addresses: inboxes.length }))
      await Promise.all(all.map((service) => service.stop()))`,
    )
    const { stdout } = await promisify(execFile)(process.execPath, ['many.mjs'], { cwd: folder() })
    const { ms, ...counts } = JSON.parse(stdout)
    process.stderr.write(`startMayfly: ready in ${Math.round(ms)} ms\n`)
    expect(counts).toEqual({ urls: COUNT, addresses: COUNT })
  })
}
