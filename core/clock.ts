/** Unix time in ms. */
export type Clock = () => number

/** CPU time of this thread in ms; Node before 23.9 only knows the time of day. */
export function cpuMs(): number {
  if (typeof process.threadCpuUsage !== 'function') return performance.now()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
