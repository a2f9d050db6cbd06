import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { Health } from '../../sse-service/health.ts'

describe('the health of the stream service', () => {
  let lag: { recordMs: number; readMs: number }
  let lines: Record<string, unknown>[]
  let health: Health

  beforeEach(() => {
    lag = { recordMs: 0, readMs: 0 }
    lines = []
    health = new Health({
      reader: { lag: () => lag },
      live: { count: 3 },
      stackName: 'Mayfly',
      clock: () => 1_795_000_000_000,
      write: (line) => void lines.push(JSON.parse(line)),
    })
  })

  afterEach(() => health.stop())

  const answer = async () => {
    health.sample()
    const response = health.answer()
    return { status: response.status, ...((await response.json()) as object) }
  }

  test('is good while the process answers, and reports a late reader', async () => {
    expect(await answer()).toEqual({ status: 200, healthy: true, late: false, reader_lag_ms: 0 })
    lag = { recordMs: 60_000, readMs: 1000 }
    expect(await answer()).toMatchObject({ status: 200, late: false })
    // The stream of the table is late for all tasks: replacing them would end all streams and solve
    // nothing.
    lag = { recordMs: 60_001, readMs: 0 }
    expect(await answer()).toEqual({ status: 200, healthy: true, late: true, reader_lag_ms: 60_001 })
    lag = { recordMs: 0, readMs: 600_000 }
    expect(await answer()).toMatchObject({ status: 200, late: true })
  })

  test('is bad while the task stops, so that the load balancer sends it no new streams', () => {
    health.stop()
    expect(health.answer().status).toBe(503)
  })

  test('is written to CloudWatch as the worst lag since the last write', () => {
    for (const readMs of [5, 900, 7]) {
      lag = { recordMs: 0, readMs: readMs }
      health.sample()
    }
    health.writeMetrics()
    health.sample()
    health.writeMetrics()
    expect(lines.map(({ ReaderLag, OpenStreams, Stack }) => [ReaderLag, OpenStreams, Stack])).toEqual([
      [900, 3, 'Mayfly'],
      [7, 3, 'Mayfly'],
    ])
    expect(lines[0]!._aws).toEqual({
      Timestamp: 1_795_000_000_000,
      CloudWatchMetrics: [
        {
          Namespace: 'Mayfly',
          Dimensions: [['Stack']],
          Metrics: [
            { Name: 'ReaderLag', Unit: 'Milliseconds' },
            { Name: 'OpenStreams', Unit: 'Count' },
          ],
        },
      ],
    })
  })

  test('is sampled every five seconds and written every minute, to the log, until the service stops', () => {
    jest.useFakeTimers()
    const logging = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
    const samples: number[] = []
    const lagOf = () => {
      samples.push(jest.now())
      return { recordMs: samples.length, readMs: 0 }
    }
    const startedAt = jest.now()
    const own = new Health({ reader: { lag: lagOf }, live: { count: 0 }, stackName: 'Mayfly' })
    jest.advanceTimersByTime(60_000)
    expect(samples.map((at) => at - startedAt)).toEqual(Array.from({ length: 12 }, (_, n) => 5000 * (n + 1)))
    const [[line]] = logging.mock.calls as [[string]]
    expect(logging).toHaveBeenCalledTimes(1)
    expect([11, 12]).toContain(JSON.parse(line).ReaderLag)
    expect(JSON.parse(line)._aws.Timestamp).toBe(startedAt + 60_000)
    own.stop()
    jest.advanceTimersByTime(120_000)
    // The last line says that no stream is open any more.
    expect([samples.length, logging.mock.calls.length]).toEqual([12, 2])
    expect(JSON.parse(String(logging.mock.calls[1]![0])).OpenStreams).toBe(0)
    logging.mockRestore()
    jest.useRealTimers()
  })
})
