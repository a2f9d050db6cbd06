/**
 * Looks for texts that cost much to read, by mutation: the most expensive ones are changed, and those
 * that cost more replace them.
 *
 *     npm run search:cost -- --minutes 30 --seed S --target T --size BYTES --keep FOLDER --tolerance 1
 *
 * Prints the most expensive text of each target and size as a multiple of plain text of the same
 * size (below 4 KB: of 4 KB), and writes it to a file. Prints once more what exceeds the bound of its
 * target in each of several measurements, in this process and in new ones, and exits with 1 if that
 * is more than `tolerance` times the bound: one text may be a fifth dearer on another processor.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { alphabet } from './alphabet.ts'
import { Climb } from './climb.ts'
import { Random } from './random.ts'
import type { Target } from './target.ts'
import { ordinaryWork, TARGETS } from './targets.ts'

const CONFIRM = fileURLToPath(new URL('confirm.ts', import.meta.url))
const TURN_MS = 700
/** New processes that measure a finding: of five, the least is still a tenth above that of ten. */
const PROCESSES = 10
/** Searches that are nearest to their bounds, which have every second turn. */
const NEAREST = 6

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    target: { type: 'string' },
    tolerance: { type: 'string', default: '1' },
    size: { type: 'string' },
    keep: { type: 'string', default: join(tmpdir(), 'expensive-texts') },
  },
})

async function main(): Promise<void> {
  const { seed, minutes, target: only } = values
  const names = Object.keys(TARGETS).filter((name) => only === undefined || name === only)
  if (names.length === 0) throw new Error(`The targets are: ${Object.keys(TARGETS).join(', ')}`)
  const targets = new Map<string, Target>()
  for (const name of names) targets.set(name, await TARGETS[name]!())
  const climbs = await climbsOf(targets)
  await search(climbs, performance.now() + Number(minutes) * 60_000, new Random(seed))
  const findings: Exceeding[] = []
  for (const climb of climbs) findings.push(...(await report(climb)))
  for (const target of targets.values()) await target.close?.()
  // At the end once more, because this is what a gate shows of a long output.
  for (const { line } of findings) console.log(line)
  console.log(`seed ${seed}: ${findings.length === 0 ? 'no text costs' : 'texts cost'} more than the bound`)
  process.exit(findings.some(({ excess }) => excess > Number(values.tolerance)) ? 1 : 0)
}

/** A text above its bound: what is printed, and how many times the bound it costs. */
interface Exceeding {
  line: string
  excess: number
}

async function climbsOf(targets: Map<string, Target>): Promise<Climb[]> {
  const { seed, size: onlySize } = values
  const pieces = alphabet()
  const climbs: Climb[] = []
  for (const [name, target] of targets) {
    for (const size of target.sizes) {
      if (onlySize !== undefined && size !== Number(onlySize)) continue
      const plain = await ordinaryWork(target, size)
      const random = new Random(`${seed} ${name} ${size}`)
      climbs.push(new Climb(name, size, { target, plain, random, pieces }))
    }
  }
  return climbs
}

/** Each search has its turns; every second turn is for one of those that are nearest to a finding. */
async function search(climbs: Climb[], end: number, random: Random): Promise<void> {
  for (const climb of climbs) await climb.warmUp()
  while (performance.now() < end) {
    for (const climb of climbs) {
      await climb.run(TURN_MS)
      const nearest = climbs.toSorted((a, b) => b.nearness - a.nearness).slice(0, NEAREST)
      await random.pick(nearest).run(TURN_MS)
    }
  }
}

/** Prints and writes what a search found; returns it if it is above the bound. */
async function report(climb: Climb): Promise<Exceeding[]> {
  const { name, size, most, tried } = climb
  const finding = await climb.finding()
  if (finding === undefined) return []
  const { text, genome } = finding
  mkdirSync(values.keep, { recursive: true })
  const file = join(values.keep, `${name}-${size}.txt`.replaceAll(' ', '-'))
  writeFileSync(file, text)
  const ratio = finding.ratio > most ? await confirmed(climb, file) : finding.ratio
  const line = `${name}, ${size} bytes: ${ratio.toFixed(1)} times (${tried} texts) ${file}`
  console.log(line)
  if (ratio <= most) return []
  return [{ line: `ABOVE ${most}: ${line}\n${JSON.stringify(genome)}`, excess: ratio / most }]
}

/** The ratio of a text that looks too expensive: the least of some new processes, which differ by up to twice. */
async function confirmed({ name, size }: Climb, file: string): Promise<number> {
  const args = ['--disable-warning=ExperimentalWarning', CONFIRM, name, String(size), file]
  const ratios: number[] = []
  for (let n = 0; n < PROCESSES; n++)
    ratios.push(Number((await promisify(execFile)(process.execPath, args)).stdout))
  return Math.min(...ratios)
}

await main()
