/** Work is repeated until it takes this long, because reading the clock takes some microseconds. */
const MEASURED_US = 1500
const REPEATS_MAX = 400
const TURNS_MIN = 20
/** Measurements in a row, none of them below the least so far. */
const SAME_MAX = 20

export type Run = (text: string) => unknown | Promise<unknown>

/** What is measured: a function and the text that it reads. */
export interface Work {
  run: Run
  text: string
}

/**
 * CPU time of one run, in microseconds: that of this process, because the kernel updates the time of
 * one thread only a thousand times a second. The threads that compile JavaScript count too, so that only
 * the least of several measurements means something.
 */
export async function cpuOf({ run, text }: Work): Promise<number> {
  const before = process.cpuUsage()
  for (let runs = 1; ; runs++) {
    await run(text)
    const { user, system } = process.cpuUsage(before)
    const total = user + system
    if (total >= MEASURED_US || runs >= REPEATS_MAX) return total / runs
  }
}

/** The least of some measurements: everything else on the machine only adds to it. */
export async function leastCpu(work: Work, times: number): Promise<number> {
  let least = Infinity
  for (let n = 0; n < times; n++) least = Math.min(least, await cpuOf(work))
  return least
}

/**
 * How many times as much CPU one work takes as another: the least of all measurements of the one, divided by
 * the least of all of the other. They take turns, so that what slows down the machine slows down both. Other
 * processes only add time, so a ratio above `most` is measured until more turns do not lower it.
 */
export async function confirmedRatio(work: Work, plain: Work, most: number): Promise<number> {
  let [cpu, plainCpu] = [Infinity, Infinity]
  for (let turn = 0, same = 0; turn < TURNS_MIN || (cpu / plainCpu > most && same < SAME_MAX); turn++) {
    plainCpu = Math.min(plainCpu, await cpuOf(plain))
    const next = await cpuOf(work)
    same = next < cpu ? 0 : same + 1
    cpu = Math.min(cpu, next)
  }
  return cpu / plainCpu
}
