import { spawnSync } from 'node:child_process'
import { expect, jest, test } from '@jest/globals'
import { KeepAlive } from '../../../adapters/http/keep-alive.ts'

test('a stream that is added has its first comment after a whole period, and then every one', () => {
  jest.useFakeTimers()
  try {
    const keepAlive = new KeepAlive(1200, 12)
    jest.advanceTimersByTime(250)
    let comments = 0
    const stream = { comment: () => void comments++ }
    const slot = keepAlive.add(stream)
    const counts = [1100, 100, 1100, 100].map((ms) => {
      jest.advanceTimersByTime(ms)
      return comments
    })
    expect(counts).toEqual([0, 1, 1, 2])
    keepAlive.remove(stream, slot)
    jest.advanceTimersByTime(5000)
    expect(comments).toBe(2)
  } finally {
    jest.useRealTimers()
  }
})

test('the timer of the comments keeps no process alive', () => {
  const module = new URL('../../../adapters/http/keep-alive.ts', import.meta.url)
  const script = `const { KeepAlive } = await import('${module}'); new KeepAlive(60_000, 1)`
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 10_000 })
  expect(status).toBe(0)
})
