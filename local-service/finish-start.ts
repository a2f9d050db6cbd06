import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Long enough that it delays no test that starts the service and uses it at once. */
const AFTER_START_MS = 1000

/**
 * Loads, soon after the start of this thread, what the start did not wait for, and then collects the garbage once.
 * Loading the program leaves a third of the heap as garbage, which V8 would keep until mail arrives. V8 returns the
 * memory to the system some eight seconds later.
 */
export function finishStart(load: () => unknown = () => {}): void {
  const finish = async () => {
    await load()
    collectGarbage()
  }
  setTimeout(finish, AFTER_START_MS).unref()
}

/** Collects the garbage of this thread. */
export function collectGarbage(): void {
  // Only contexts that are created after the flag was set have the function. The flag belongs to the process and
  // stays set, because another thread may be between these two lines.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}
