import { once } from 'node:events'
import { constants, PerformanceObserver, type PerformanceObserverEntryList } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { expect, test } from '@jest/globals'
import { finishStart } from '../../local-service/finish-start.ts'

test('the garbage of the start is collected once', async () => {
  const collected = Promise.withResolvers<number>()
  const observer = new PerformanceObserver((list: PerformanceObserverEntryList) => {
    for (const entry of list.getEntries()) {
      const { kind, flags } = (entry as PerformanceEntry & { detail: { kind: number; flags: number } }).detail
      // A collection that V8 itself begins is not forced.
      if (flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) collected.resolve(kind)
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  finishStart()
  // The timer does not keep the process running, so something else must.
  const running = setInterval(() => {}, 1000)
  try {
    expect(await collected.promise).toBe(constants.NODE_PERFORMANCE_GC_MAJOR)
  } finally {
    clearInterval(running)
    observer.disconnect()
  }
})

const module = JSON.stringify(new URL('../../local-service/finish-start.ts', import.meta.url).href)

test('a thread with nothing else to do ends without waiting for it', async () => {
  const code = `import(${module}).then(({ finishStart }) => finishStart(() => process.exit(1)))`
  expect(await once(new Worker(code, { eval: true }), 'exit')).toEqual([0])
})

test('threads that collect at the same time do not disturb each other', async () => {
  const code = `import(${module}).then(({ collectGarbage }) => { for (let n = 0; n < 40; n++) collectGarbage() })`
  const threads = Array.from({ length: 2 }, () => new Worker(code, { eval: true }))
  // `once` rejects with the error of a thread.
  expect(await Promise.all(threads.map((thread) => once(thread, 'exit')))).toEqual([[0], [0]])
})
