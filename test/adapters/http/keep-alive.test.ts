import { spawnSync } from 'node:child_process'
import { expect, jest, test } from '@jest/globals'
import { KeepAlive } from '../../../adapters/http/keep-alive.ts'

test('a new stream gets its first comment after a whole period, and then one in every period', () => {
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

test('the keep-alive timer does not keep the process running', () => {
  const module = new URL('../../../adapters/http/keep-alive.ts', import.meta.url)
  const script = `const { KeepAlive } = await import('${module}'); new KeepAlive(60_000, 1)`
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 10_000 })
  expect(status).toBe(0)
})
