import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { openStore } from '../../../adapters/sqlite/store.ts'
import { temporaryDirectory } from './store-temporary.ts'

const child = fileURLToPath(new URL('./store-crash-child.ts', import.meta.url))

/**
 * Kills a process in the middle of storing, again and again, and looks for everything that it had
 * acknowledged. Its last line may be truncated.
 */
test('a killed process loses nothing that it acknowledged, and releases the directory', async () => {
  const { dir, remove } = temporaryDirectory()
  const acknowledged: { address: string; id: string; messageId: string }[] = []
  for (const enough of [1, 40, 300]) {
    const storing = spawn(process.execPath, [child, dir], { stdio: ['ignore', 'pipe', 'inherit'] })
    let lines = 0
    for await (const line of createInterface({ input: storing.stdout })) {
      acknowledged.push(JSON.parse(line))
      if (++lines === enough) storing.kill('SIGKILL')
    }
    if (storing.signalCode === null) await once(storing, 'exit')
    expect(storing.signalCode).toBe('SIGKILL')
  }

  const store = await openStore({ dir })
  for (const { address, id, messageId } of acknowledged) {
    expect((await store.emails.find(address, id))?.messageId).toBe(messageId)
    expect((await store.blobs.open(messageId, 'raw'))?.size).toBe(2000)
    expect((await store.blobs.open(messageId, 'body'))?.size).toBe(300_000)
  }
  await store.close()
  remove()
})
